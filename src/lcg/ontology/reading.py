"""Reading an ontology file. What cannot be used is left out and told with its line; nothing here raises."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeVar

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from lcg.model.rows import MERGED
from lcg.ontology.model import ROOT, EntityType, Mode, Ontology, RelationType
from lcg.ontology.words import entity_type_name, keyword_text, relation_name
from lcg.plain_files import read_plain

_MODES: dict[str, Mode] = {"": "open", "open": "open", "strict": "strict"}
_TOP = ("mode", "entity_types", "relation_types")
_ENTITY = ("name", "description", "parent")
_RELATION = ("name", "description", "source_type", "target_type", "aliases", "keywords", "single_valued")
_RESERVED = (ROOT, MERGED)
_SWITCH = {"": False, "false": False, "true": True}
DeclaredT = TypeVar("DeclaredT", EntityType, RelationType)


@dataclass(slots=True)
class OntologyFile:
    """What a file gave: its ontology, or None, and what was ignored in it (`file:line: what`)."""

    path: Path
    ontology: Ontology | None = None
    issues: list[str] = field(default_factory=list)


def read_file(path: Path) -> OntologyFile:
    """Read one file."""
    reader = _Reader(path)
    try:
        ontology = reader.read(read_plain(path).decode("utf-8-sig"))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reader.issue(mark.line if mark else None, f"the file is ignored, since it is no valid YAML: {error.problem}")
    except (YAMLError, RecursionError, UnicodeDecodeError) as error:
        reader.issue(None, f"the file is ignored, since it is no valid YAML: {type(error).__name__}")
    except OSError as error:
        reader.issue(None, f"the file is ignored, since it cannot be read: {error.strerror}")
    except _FileIgnoredError:
        pass
    else:
        return OntologyFile(path, ontology, reader.issues)
    return OntologyFile(path, None, reader.issues)


class _FileIgnoredError(Exception):
    """The file as a whole is unusable; the issue is noted."""


class _Reader:
    """Walks the nodes of one file, since only they know their lines."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.issues: list[str] = []

    def issue(self, line: int | None, what: str) -> None:
        where = f"{self._path}" if line is None else f"{self._path}:{line + 1}"
        self.issues.append(f"{where}: {what}")

    def read(self, text: str) -> Ontology | None:
        root = YAML(typ="safe", pure=True).compose(text)
        if root is None or (isinstance(root, ScalarNode) and _text(root) == ""):
            self.issue(None, "the file is ignored, since it is blank")
            return None
        if not isinstance(root, MappingNode):
            raise self._unusable(root, "a mapping with mode, entity_types and relation_types")
        keys = self._keys(root, _TOP)
        mode = _text(keys["mode"]) if "mode" in keys else ""
        if mode not in _MODES:
            raise self._unusable(keys["mode"], "mode: open or strict")
        entities = self._declared(keys.get("entity_types"), "entity_types", self._entity)
        relations = self._declared(keys.get("relation_types"), "relation_types", self._relation)
        if not entities and not relations:
            self.issue(None, "the file is ignored, since it declares no type")
            return None
        return Ontology(_MODES[mode], self._with_parents(entities), tuple(item for item, _ in relations.values()))

    def _unusable(self, node: Node, expected: str) -> _FileIgnoredError:
        self.issue(node.start_mark.line, f"the file is ignored; expected {expected}, got {_shown(node)}")
        return _FileIgnoredError()

    def _keys(self, node: MappingNode, known: tuple[str, ...]) -> dict[str, Node]:
        found: dict[str, Node] = {}
        for key, value in node.value:
            name = _text(key)
            if name in found:
                self.issue(key.start_mark.line, f"a second value of {name} is ignored")
            elif name in known:
                found[name] = value
            else:
                self.issue(key.start_mark.line, f"the key {name!r} is ignored; known are {', '.join(known)}")
        return found

    def _declared(
        self, node: Node | None, key: str, read: Callable[[MappingNode, str], DeclaredT]
    ) -> dict[str, tuple[DeclaredT, int]]:
        """Read a list of types, each with its line. The first of two declarations of one name counts."""
        declared: dict[str, tuple[DeclaredT, int]] = {}
        for item in self._items(node, key):
            line = item.start_mark.line
            keys = {_text(k): v for k, v in item.value} if isinstance(item, MappingNode) else {}
            name = _text(keys["name"]) if "name" in keys else ""
            if not isinstance(item, MappingNode) or not name:
                self.issue(line, f"an entry of {key} is ignored; expected a mapping with a name, got {_shown(item)}")
                continue
            found = read(item, name)
            if found.name in declared:
                self.issue(line, f"a second declaration of {found.name} is ignored")
            elif found.name in ("", *_RESERVED):
                self.issue(line, f"the declaration of {name!r} is ignored; {' and '.join(_RESERVED)} are reserved")
            else:
                declared[found.name] = (found, line)
        return declared

    def _items(self, node: Node | None, key: str) -> Iterator[Node]:
        if node is None or (isinstance(node, ScalarNode) and _text(node) == ""):
            return
        if not isinstance(node, SequenceNode):
            raise self._unusable(node, f"{key}: a list")
        yield from node.value

    def _entity(self, node: MappingNode, name: str) -> EntityType:
        keys = self._keys(node, _ENTITY)
        parent = entity_type_name(self._scalar(keys, "parent"))
        return EntityType(entity_type_name(name), self._scalar(keys, "description"), parent or None)

    def _relation(self, node: MappingNode, name: str) -> RelationType:
        keys = self._keys(node, _RELATION)
        switch = self._scalar(keys, "single_valued").lower()
        if switch not in _SWITCH:
            self.issue(
                keys["single_valued"].start_mark.line,
                f"single_valued is ignored; expected true or false, got {switch!r}",
            )
        return RelationType(
            relation_name(name),
            self._scalar(keys, "description"),
            entity_type_name(self._scalar(keys, "source_type")),
            entity_type_name(self._scalar(keys, "target_type")),
            self._texts(keys, "aliases", relation_name),
            self._texts(keys, "keywords", keyword_text),
            _SWITCH.get(switch, False),
        )

    def _scalar(self, keys: dict[str, Node], key: str) -> str:
        node = keys.get(key)
        if node is None or isinstance(node, ScalarNode):
            return _text(node) if node is not None else ""
        self.issue(node.start_mark.line, f"{key} is ignored; expected a text, got {_shown(node)}")
        return ""

    def _texts(self, keys: dict[str, Node], key: str, clean: Callable[[str], str]) -> tuple[str, ...]:
        node = keys.get(key)
        items = [node] if isinstance(node, ScalarNode) and _text(node) else getattr(node, "value", None) or []
        if isinstance(node, MappingNode):
            self.issue(node.start_mark.line, f"{key} is ignored; expected a list of texts, got {_shown(node)}")
            return ()
        found: dict[str, None] = {}
        for item in items:
            text = clean(_text(item)) if isinstance(item, ScalarNode) else ""
            if text:
                found[text] = None
            else:
                self.issue(item.start_mark.line, f"an entry of {key} is ignored; expected a text, got {_shown(item)}")
        return tuple(found)

    def _with_parents(self, declared: dict[str, tuple[EntityType, int]]) -> tuple[EntityType, ...]:
        """Clear parents that are not declared, and those of types that are their own ancestors."""
        for name, (item, line) in declared.items():
            if item.parent == ROOT:
                declared[name] = (replace(item, parent=None), line)
            elif item.parent is not None and item.parent not in declared:
                self.issue(line, f"the parent of {name} is ignored, since {item.parent} is not declared")
                declared[name] = (replace(item, parent=None), line)
        parents = {name: item.parent for name, (item, _) in declared.items() if item.parent}
        for name, (item, line) in declared.items():
            if _is_own_ancestor(name, parents):
                self.issue(line, f"the parent of {name} is ignored, since it leads back to {name}")
                declared[name] = (replace(item, parent=None), line)
        return tuple(item for item, _ in declared.values())


def _is_own_ancestor(name: str, parents: dict[str, str]) -> bool:
    seen: set[str] = set()
    at = parents.get(name)
    while at is not None and at not in seen and at != name:
        seen.add(at)
        at = parents.get(at)
    return at == name


def _text(node: Node) -> str:
    """Return a scalar as text; null and everything else is no text."""
    if not isinstance(node, ScalarNode) or (node.style is None and node.value.lower() in ("", "~", "null")):
        return ""
    return str(node.value).strip()


def _shown(node: Node) -> str:
    kind: Literal["a mapping", "a list"] = "a mapping" if isinstance(node, MappingNode) else "a list"
    return kind if not isinstance(node, ScalarNode) else repr(str(node.value)[:60])
