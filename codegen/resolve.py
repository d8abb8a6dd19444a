"""The resolved model: everything that templates print, computed once, so that they only loop."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from codegen import published
from codegen.cases import Cases, cases
from codegen.client import Function, function
from codegen.decoders import Decoder, decoder
from codegen.model import Method, Named, Registry
from codegen.openrpc import openrpc
from codegen.pages import Page, ResultRow, page, result_rows
from codegen.results import ResultTypes, result_types

_PREFIX = "knowledge_"
_ATTACHED_FLAGS = {"hidden_without_allow_remote_close": "--allow-remote-close"}


@dataclass(frozen=True, slots=True)
class Tool:
    """A method with every derived name."""

    method: Method
    ident: str
    class_name: str
    category_title: str
    category_class: str
    description: str
    input_schema: published.Schema
    output_schema: published.Schema
    decoder: Decoder
    page: Page
    cases: Cases
    function: Function

    @property
    def takes_params(self) -> bool:
        """Whether the handler gets a params argument."""
        return bool(self.decoder.known)

    @property
    def progress(self) -> bool:
        """Whether the method reports progress."""
        return self.method.progress is not None

    @property
    def facts(self) -> dict[str, str | bool | None]:
        """What the dispatch table and the list of tools say of it."""
        return {
            "scope": self.method.scope,
            "works_degraded": self.method.works_degraded,
            "progress": self.progress,
        }

    @property
    def constant(self) -> str:
        """The name under which its contract tests keep a sound call."""
        return self.ident.upper()

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """What the reference says of it in sentences."""
        return (self.description,)

    @property
    def attached_flag(self) -> str | None:
        """The flag without which an attached process hides the tool."""
        return None if self.method.attached is None else _ATTACHED_FLAGS[self.method.attached]

    @property
    def annotations(self) -> dict[str, bool]:
        """The hints under their MCP names."""
        return published.annotations(self.method)

    @property
    def run(self) -> str:
        """The expression that the dispatch table holds."""
        return f"_{self.ident}"

    @property
    def handler_doc(self) -> str:
        """What the handler's docstring says: the summary, and each failure that only this method has."""
        cases = [f"        OperationFailed: {case.kind}: {case.when}." for case in self.method.errors]
        raises = ["", "        Raises:", *(f"    {case}" for case in cases), "        "] if cases else []
        return "\n".join([self.method.summary, *raises])


@dataclass(frozen=True, slots=True)
class Category:
    """A category with its tools, in registry order."""

    slug: str
    title: str
    class_name: str
    tools: tuple[Tool, ...]

    @property
    def decoded(self) -> tuple[Tool, ...]:
        """The tools that have a decoder."""
        return tuple(tool for tool in self.tools if tool.takes_params)


@dataclass(frozen=True, slots=True)
class ScopeList:
    """A scope with its tools."""

    name: str
    summary: str
    tools: tuple[Tool, ...]


@dataclass(frozen=True, slots=True)
class WordUse:
    """A profile or an error kind, and the methods that have it, as one text."""

    name: str
    summary: str
    names: str

    @property
    def users(self) -> str:
        """The methods, or a dash."""
        return self.names or "–"


@dataclass(frozen=True, slots=True)
class RecordTable:
    """A record with the rows of its keys."""

    name: str
    summary: str
    rows: tuple[ResultRow, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """All that any template is given."""

    registry: Registry
    tools: tuple[Tool, ...]
    mcp_tools: tuple[Tool, ...]
    categories: tuple[Category, ...]
    results: ResultTypes

    @property
    def scopes(self) -> tuple[ScopeList, ...]:
        """Each scope with its tools."""
        return tuple(
            ScopeList(scope.name, scope.summary, tuple(t for t in self.mcp_tools if t.method.scope == scope.name))
            for scope in self.registry.scopes
        )

    @property
    def profiles(self) -> tuple[WordUse, ...]:
        """Each profile with its tools."""
        return tuple(self._use(word, lambda method: method.profiles) for word in self.registry.profiles)

    @property
    def kinds(self) -> tuple[WordUse, ...]:
        """Each error kind with the methods that fail with it in ways of their own."""
        return tuple(
            self._use(word, lambda method: tuple(case.kind for case in method.errors))
            for word in self.registry.error_kinds
        )

    @property
    def records(self) -> tuple[RecordTable, ...]:
        """Each record with the rows of its keys."""
        return tuple(
            RecordTable(record.name, record.summary, tuple(result_rows(record.fields)))
            for record in self.registry.records.values()
        )

    @property
    def openrpc(self) -> dict[str, Any]:
        """The registry as an OpenRPC document."""
        return openrpc(self.registry)

    def _use(self, word: Named, words_of: Callable[[Method], tuple[str, ...]]) -> WordUse:
        names = [tool.method.name for tool in self.tools if word.name in words_of(tool.method)]
        return WordUse(word.name, word.summary, ", ".join(names))


def resolve(registry: Registry) -> Resolved:
    """Compute every derived fact of a registry that passed the rules."""
    tools = tuple(_tool(registry, method) for method in registry.methods)
    order = {scope.name: place for place, scope in enumerate(registry.scopes)}
    listed = [tool for tool in tools if "mcp" in tool.method.exposure]
    categories = tuple(
        Category(slug, title, camel(slug), tuple(tool for tool in tools if tool.method.category == slug))
        for slug, title in registry.categories.items()
    )
    return Resolved(
        registry=registry,
        tools=tools,
        mcp_tools=tuple(sorted(listed, key=lambda tool: order[tool.method.scope or ""])),
        categories=categories,
        results=result_types(registry, {t.method.name: t.class_name for t in tools}),
    )


def ident(name: str) -> str:
    """Return the Python name of a method."""
    return name.removeprefix(_PREFIX)


def camel(name: str) -> str:
    """Return a name in camel case, with a capital first."""
    return "".join(part.capitalize() for part in name.split("_"))


def full_description(method: Method) -> str:
    """Return the description that clients see: the written one and the sentence of the group rule."""
    return " ".join(part for part in (method.description or method.summary, method.groups.rule.sentence) if part)


def _tool(registry: Registry, method: Method) -> Tool:
    titles: Mapping[str, str] = registry.categories
    return Tool(
        method=method,
        ident=ident(method.name),
        class_name=camel(ident(method.name)),
        category_title=titles[method.category],
        category_class=camel(method.category),
        description=full_description(method),
        input_schema=published.input_schema(method, registry.product["default_group"]),
        output_schema=published.output_schema(method),
        decoder=decoder(method, registry.product["default_group"]),
        page=page(method, registry.product["default_group"]),
        cases=cases(method, registry.product["default_group"]),
        function=function(method, registry.product["default_group"]),
    )
