"""Rules about what a method is: names, categories, scopes, exposure, hints."""

import keyword
from collections.abc import Iterator

from codegen.resolve import camel, ident
from codegen.rules.base import Fault, Spec, listed


def method_names(spec: Spec) -> Iterator[Fault]:
    """Names are unique, and so are the Python names made of them."""
    seen: dict[str, str] = {}
    for method in spec.registry.methods:
        name = ident(method.name)
        if keyword.iskeyword(name):
            yield method.path, f"{method.name}: `{name}` is a Python keyword", "choose another name"
        if name in seen:
            yield method.path, f"{method.name} collides with {seen[name]}", "names are unique without the prefix"
        seen.setdefault(name, method.name)


def titles(spec: Spec) -> Iterator[Fault]:
    """No two methods have one title."""
    seen: dict[str, str] = {}
    for method in spec.registry.methods:
        key = method.title.casefold()
        if key in seen:
            yield (*method.path, "title"), f"{method.name} has the title of {seen[key]}", "give it a title of its own"
        seen.setdefault(key, method.name)


def categories_exist(spec: Spec) -> Iterator[Fault]:
    """Every category is declared."""
    known = spec.registry.categories
    for method in spec.registry.methods:
        if method.category not in known:
            message = f"{method.name}: there is no category `{method.category}`"
            yield (*method.path, "category"), message, f"known categories: {listed(known)}"


def categories_used(spec: Spec) -> Iterator[Fault]:
    """Every category has a method, and is a name for a Python module."""
    used = {method.category for method in spec.registry.methods}
    for slug in spec.registry.categories:
        if slug not in used:
            yield ("categories", slug), f"no method has the category `{slug}`", "remove it, or use it"
        if keyword.iskeyword(slug):
            yield ("categories", slug), f"`{slug}` is a Python keyword", "choose another slug"


def category_order(spec: Spec) -> Iterator[Fault]:
    """Methods stand in the order of the categories."""
    places = {slug: place for place, slug in enumerate(spec.registry.categories)}
    reached = 0
    for method in spec.registry.methods:
        place = places.get(method.category, reached)
        if place < reached:
            message = f"{method.name} stands after methods of later categories"
            yield method.path, message, f"move it to the other methods of `{method.category}`"
            return  # the next ones would only repeat it
        reached = max(reached, place)


def scopes_exist(spec: Spec) -> Iterator[Fault]:
    """Every scope and every profile is declared."""
    scopes = [scope.name for scope in spec.registry.scopes]
    profiles = [profile.name for profile in spec.registry.profiles]
    for method in spec.registry.methods:
        if method.scope is not None and method.scope not in scopes:
            message = f"{method.name}: there is no scope `{method.scope}`"
            yield (*method.path, "scope"), message, f"known scopes: {listed(scopes)}"
        for profile in method.profiles:
            if profile not in profiles:
                message = f"{method.name}: there is no profile `{profile}`"
                yield (*method.path, "profiles"), message, f"known profiles: {listed(profiles)}"


def scope_fits_exposure(spec: Spec) -> Iterator[Fault]:
    """An MCP tool has a scope; a method that is no MCP tool has none, nor anything that only tools have."""
    for method in spec.registry.methods:
        if "socket" not in method.exposure:
            yield (*method.path, "exposure"), f"{method.name} is not on the socket", "every method is; add `socket`"
        if "mcp" in method.exposure and method.scope is None:
            yield (
                (*method.path, "scope"),
                f"{method.name} is an MCP tool without a scope",
                "name a scope, or drop `mcp`",
            )
        if "mcp" not in method.exposure:
            for facet in ("scope", "profiles", "attached"):
                if getattr(method, facet):
                    message = f"{method.name} is no MCP tool, so `{facet}` means nothing"
                    yield (*method.path, facet), message, "write `scope: null` and no `profiles` or `attached`"


def hints_agree(spec: Spec) -> Iterator[Fault]:
    """Hints contradict neither each other nor the scope."""
    for method in spec.registry.methods:
        path = (*method.path, "hints")
        if method.hints["read_only"] and method.hints["destructive"]:
            yield path, f"{method.name} is read-only and destructive", "set one of them to false"
        if method.scope == "read" and not method.hints["read_only"]:
            yield path, f"{method.name} has the scope `read` but is not read-only", "move it to another scope"
        if method.scope == "write" and method.hints["read_only"]:
            yield path, f"{method.name} has the scope `write` but is read-only", "move it to the scope `read`"


def deprecated_targets(spec: Spec) -> Iterator[Fault]:
    """A deprecated method points to one that exists and is not deprecated itself."""
    methods = {method.name: method for method in spec.registry.methods}
    for method in spec.registry.methods:
        if method.deprecated is None:
            continue
        target = methods.get(method.deprecated.use)
        path = (*method.path, "deprecated")
        if target is None:
            yield path, f"{method.name}: there is no method `{method.deprecated.use}`", "name the method to use"
        elif target.deprecated is not None:
            yield path, f"{method.name}: {target.name} is deprecated itself", "name the method to use in the end"


def python_classes(spec: Spec) -> Iterator[Fault]:
    """The class names of methods, categories and records do not collide."""
    seen: dict[str, str] = {f"{name}Record": name for name in spec.registry.records}
    for method in spec.registry.methods:
        for suffix in ("Params", "Result", "Record"):
            name = f"{camel(ident(method.name))}{suffix}"
            if seen.get(name, method.name) != method.name:
                yield method.path, f"{method.name}: the class {name} belongs to {seen[name]}", "rename one of them"
            seen.setdefault(name, method.name)


def profiles_small(spec: Spec) -> Iterator[Fault]:
    """A profile has no more tools than it declares."""
    for profile in spec.registry.profiles:
        names = [method.name for method in spec.registry.methods if profile.name in method.profiles]
        if len(names) > profile.most:
            message = f"{profile.name} has {len(names)} tools, at most {profile.most} are wanted"
            yield (*profile.path, "most"), message, f"take one out: {listed(names)}"
