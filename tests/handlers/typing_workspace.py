"""A service over a workspace with an ontology, and a classifier whose answers are scripted."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lcg.graph.graph import Graph
from lcg.handlers.curation_types import EntityTypeHandlers
from lcg.handlers.relations import RelationsHandlers
from lcg.ontology.workspace import Ontologies
from lcg.providers.classifier.protocol import ClassifierError, EntityText, TypeChoice
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.workspaces import running_service, write_ontology

ONTOLOGY = """\
entity_types:
  - {name: Agent, description: Who acts.}
  - {name: Captain, parent: Agent, description: Who commands a ship.}
  - {name: Port}
relation_types:
  - name: SAILS_TO
    description: A ship or a sailor travels to a port.
    aliases: [VOYAGED_TO]
    keywords: [sail, set off]
  - name: OWNS
    description: A person possesses a ship.
    keywords: [belong]
"""


@dataclass
class ScriptedClassifier:
    """Gives the verdict that is scripted for a name or a fact, else none; may fail, and may act at each call."""

    verdicts: dict[str, str] = field(default_factory=dict)
    error: str | None = None
    at_call: Callable[[], None] | None = None
    menus: list[list[str]] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    provider: str = "openai"
    model: str | None = "stub"

    def classify_entities(self, entities: Sequence[EntityText], menu: Sequence[TypeChoice]) -> list[str]:
        return self.classify_facts([entity.name for entity in entities], menu)

    def classify_facts(self, facts: Sequence[str], menu: Sequence[TypeChoice]) -> list[str]:
        self.menus.append([choice.name for choice in menu])
        self.sizes.append(len(facts))
        if self.at_call is not None:
            self.at_call()
        if self.error is not None:
            raise ClassifierError(self.error)
        return [self.verdicts.get(fact, "") for fact in facts]


@dataclass
class Typing:
    """The service, its graph and its classifier."""

    service: LcgService
    graph: Graph
    classifier: ScriptedClassifier
    frames: list[dict[str, Any]] = field(default_factory=list)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Call a method by its name without `knowledge_`."""
        name = f"knowledge_{method}"
        return self.service.call(name, params, Call(name))

    def watch(self, method: str, stop_at: int | None = None, **params: Any) -> dict[str, Any]:
        """Call a method and keep its frames; give it up at the frame of that number."""
        name = f"knowledge_{method}"
        self.frames = []

        def report(frame: Any) -> None:
            self.frames.append(dict(frame))
            if len(self.frames) == stop_at:
                call.cancelled.set()

        call = Call(name, report)
        return self.service.call(name, params, call)

    def phases(self) -> list[tuple[str, int, int]]:
        """Return the frames of the last watched call, shortened."""
        return [(frame["phase"], frame["processed"], frame["total"]) for frame in self.frames]

    def seq(self, group: str) -> int | None:
        """Return the last line of a group's log."""
        found = self.ask("status")["wal_groups"].get(group)
        return found["max_seq"] if found else None

    def edge(self, group: str, predicate: str, fact: str, relation_type: str | None = None, **params: Any) -> str:
        """Assert a relationship of its own and return its uuid."""
        for name in ("Mira", fact):
            self.ask("assert_entity", name=name, group_id=group)
        wish = {"source_name": "Mira", "target_name": fact, "predicate": predicate, "fact": fact, "group_id": group}
        if relation_type is not None:
            wish["relation_type"] = relation_type
        uuid: str = self.ask("assert_relationship", **wish, **params)["edge_uuid"]
        return uuid

    def types(self, group: str) -> dict[str, str | None]:
        """Return the stored relation type of each fact."""
        edges = self.ask("list_relationships", group_ids=[group])["edges"]
        return {edge["fact"]: edge["relation_type"] for edge in edges}

    def labels(self, group: str) -> dict[str, list[str]]:
        """Return the labels of each entity."""
        return {row["name"]: row["labels"] for row in self.ask("list_entities", group_ids=[group])["nodes"]}


@contextmanager
def typing(root: Path, ontology: str | None = ONTOLOGY, **settings: Any) -> Iterator[Typing]:
    """Serve a workspace with an ontology and a scripted classifier."""
    if ontology is not None:
        write_ontology(root, ontology)
    with running_service(root, **settings) as service:
        service.call("knowledge_list_entities", {}, Call("knowledge_list_entities"))
        core, handlers = service._situation.core, service._handlers
        assert core is not None
        classifier = ScriptedClassifier()
        for found in (getattr(handlers, "relations", None), getattr(handlers, "curation", None)):
            assert isinstance(found, RelationsHandlers | EntityTypeHandlers)
            if found._classifier is not None:
                found._classifier = classifier
        yield Typing(service, core.graph, classifier)


def group_ontology(root: Path, group: str, text: str) -> None:
    """Write the ontology of one group."""
    path = Ontologies(root).group_path(group)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
