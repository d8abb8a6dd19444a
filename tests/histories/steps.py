"""What can happen in a history, and how histories are drawn: few groups, few names, so that much meets."""

from dataclasses import dataclass
from typing import Any, Literal

from hypothesis import strategies as st

GROUPS = ("a", "b", "c")
NAMES = ("Ada", "Grace", "Tern", "Bell")
SPELLINGS = (*NAMES, "ADA")
"""As they are called for: `ADA` is another spelling of a name, and so the same entity."""
PREDICATES = ("KNOWS", "MET", "USES")
FILES = ("f.md", "g.md")


@dataclass(frozen=True)
class Pick:
    """A row by its place among those of its kind in a group, oldest first, counted round: tombstones included."""

    number: int


Chosen = str | Pick
"""An entity by its name, or by its place, which stands for its uuid."""


@dataclass(frozen=True)
class Put:
    """knowledge_assert_entity; with `row` by its uuid."""

    group: str
    name: str
    summary: str = ""
    row: Pick | None = None


@dataclass(frozen=True)
class Relate:
    """knowledge_assert_relationship."""

    group: str
    source: str
    predicate: str
    target: str
    fact: str = ""


@dataclass(frozen=True)
class Ingest:
    """knowledge_process_chunk, or without a chunk knowledge_add_episode."""

    group: str
    text: str
    file: str = ""
    chunk: str = ""
    hour: int = 12


@dataclass(frozen=True)
class Merge:
    """knowledge_merge_entities. An alias `Pick(5)` is one of the group before."""

    group: str
    canonical: Chosen
    aliases: tuple[Chosen, ...] = ()
    all_by_name: bool = False
    cut: Literal["", "steps", "rows"] = ""
    """Whether records take little: one step each, or not even both rows of an edge that moves."""


@dataclass(frozen=True)
class Entry:
    """An entry of a corrections file: with aliases `same_as`, without them it retracts an edge of the group."""

    group: str
    row: Chosen
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Correct:
    """knowledge_apply_corrections over a file of these entries."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Forget:
    """The three methods that delete episodes: one, those of a chunk, those of a file."""

    by: Literal["episode", "chunk", "file"]
    groups: tuple[str, ...]
    row: Pick = Pick(0)
    name: str = ""


@dataclass(frozen=True)
class Purge:
    """knowledge_delete_by_group."""

    groups: tuple[str, ...]


@dataclass(frozen=True)
class Clear:
    """knowledge_clear_all."""

    preserve_wal: bool


End = tuple[str, Chosen]
"""A group and an entity: of the edge's own group one that exists, of another one a name that is looked up there."""


@dataclass(frozen=True)
class Point:
    """knowledge_add_cross_group_edge."""

    group: str
    source: End
    target: End
    predicate: str = "USES"


@dataclass(frozen=True)
class Rebind:
    """knowledge_rebind_pointers."""

    group: str


@dataclass(frozen=True)
class Rebuild:
    """knowledge_rebuild_from_wal. The bounds are counted back from the log's end; `since` None: from the beginning."""

    group: str
    since: int | None = None
    until: int | None = None
    force: bool = True
    is_new_log: bool = False


@dataclass(frozen=True)
class Restart:
    """The service ends in some way and starts again, or a method brings it back or builds its indexes anew."""

    how: Literal["close", "kill", "drop", "store", "search", "both", "recover", "recover_drop", "indices", "checkpoint"]


@dataclass(frozen=True)
class Retype:
    """The passes that choose types anew, and the one that embeds summaries anew."""

    group: str
    what: Literal["entities", "relations", "canonicalize", "backfill", "summaries"]
    scope: Literal["untyped", "off_ontology", "all"] = "all"


@dataclass(frozen=True)
class Older:
    """A row that no method writes, but that a log of another program may hold."""

    group: str
    what: Literal["twin", "dead end", "circle", "abroad", "stray", "no entity", "no edge", "no mention"]
    name: str = "Ada"
    row: Pick = Pick(0)


Step = (
    Put
    | Relate
    | Ingest
    | Merge
    | Correct
    | Forget
    | Purge
    | Clear
    | Point
    | Rebind
    | Rebuild
    | Restart
    | Retype
    | Older
)


def _any_of(*strategies: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw from any of these, each as likely as it is named; `one_of` would weigh them by their own alternatives."""
    return st.sampled_from(strategies).flatmap(lambda chosen: chosen)


groups, names, spellings = st.sampled_from(GROUPS), st.sampled_from(NAMES), st.sampled_from(SPELLINGS)
picks = st.builds(Pick, st.integers(0, 5))
several = st.lists(groups, min_size=1, max_size=2, unique=True).map(tuple)
chosen = st.one_of(names, names, picks)
sentences = st.one_of(
    names, st.tuples(names, st.sampled_from(PREDICATES), st.sampled_from((*NAMES, "ada", "nobody"))).map(" ".join)
)
texts = st.lists(sentences, min_size=1, max_size=3).map(lambda found: ". ".join(found) + ".")
hours = st.integers(10, 13)

PUTS = st.builds(Put, groups, spellings, st.sampled_from(["", "a pilot", "a ship"]), st.none() | picks)
RELATES = st.builds(Relate, groups, spellings, st.sampled_from(PREDICATES), names, st.sampled_from(["", "It is so."]))
CHUNKS = st.builds(Ingest, groups, texts, st.sampled_from(FILES), st.sampled_from(["c1", "c2"]), hours)
EPISODES = st.builds(Ingest, groups, texts, hour=hours)
MERGES = st.builds(
    Merge,
    groups,
    chosen,
    st.lists(chosen, min_size=1, max_size=2, unique=True).map(tuple),
    st.booleans(),
    st.sampled_from(["", "", "steps", "rows"]),
)
ENTRIES = st.builds(Entry, groups, chosen, st.lists(names, max_size=2, unique=True).map(tuple))
CORRECTIONS = st.builds(Correct, st.lists(ENTRIES, min_size=1, max_size=3).map(tuple))
POINTS = groups.flatmap(
    lambda group: st.builds(
        Point,
        st.just(group),
        st.tuples(st.just(group) | groups, names),
        st.tuples(groups, names),
        st.sampled_from(PREDICATES[1:]),
    )
)
REBINDS = st.builds(Rebind, groups)
DELETES = _any_of(
    st.builds(
        Forget,
        st.sampled_from(["episode", "chunk", "file"]),
        several,
        picks,
        st.sampled_from([*FILES, "c1", "c2"]),
    ),
    st.builds(Purge, several),
    st.builds(Purge, several),
)
bounds = st.one_of(st.none(), st.integers(0, 4))
REBUILDS = st.builds(Rebuild, groups, bounds, bounds, st.booleans(), st.sampled_from([False, False, False, True]))
RESTARTS = _any_of(
    st.builds(
        Restart,
        st.sampled_from(
            ["close", "kill", "drop", "store", "search", "both", "recover", "recover_drop", "indices", "checkpoint"]
        ),
    ),
    st.builds(Clear, st.booleans()),
)
PASSES = st.builds(
    Retype,
    groups,
    st.sampled_from(["entities", "relations", "canonicalize", "backfill", "summaries"]),
    st.sampled_from(["untyped", "off_ontology", "all"]),
)
OLDER = st.builds(
    Older,
    groups,
    st.sampled_from(["twin", "twin", "dead end", "circle", "abroad", "stray", "no entity", "no edge", "no mention"]),
    names,
    picks,
)
STEPS = _any_of(
    *(DELETES, CORRECTIONS, PASSES, OLDER, RESTARTS, REBUILDS, REBUILDS),
    *(MERGES, MERGES, MERGES, POINTS, POINTS, REBINDS),
    *(CHUNKS, CHUNKS, EPISODES, RELATES, RELATES, PUTS),
)

# Steps that mean something together, which chance alone seldom brings together


@st.composite
def looked_up_again(draw: st.DrawFn) -> list[Step]:
    """Draw pointers into a group, something that moves what they lead to, and the rebinding."""
    into, owner = draw(st.permutations(GROUPS))[:2]
    mine, other, second = *draw(st.permutations(NAMES))[:2], draw(names)
    first = draw(st.sampled_from(["Mira", "Mira", "Ada", "Tern"]))
    there: list[Step] = [Put(owner, mine), Put(into, second), *draw(st.sampled_from([(), (Put(into, first),)]))]
    pointed: list[Step] = [Point(owner, (owner, mine), (into, first))]
    if draw(st.booleans()):
        pointed.append(Point(owner, draw(st.sampled_from([(owner, mine), (into, first)])), (into, second)))
    moved: tuple[tuple[Step, ...], ...] = (
        (Put(owner, other), Merge(owner, other, (mine,)), Put(into, first)),
        (Merge(into, second, (first,)),),
        (Merge(into, second, (first,), cut="rows"),),
        (Purge((into,)),),
        (Rebuild(into, is_new_log=True),),
        (Older(into, "no entity", row=draw(picks)),),
        (Older(into, "twin", first),),
        (Older(into, "abroad", first, draw(picks)),),
        (Put(into, first, "a ship"), Restart("close")),
    )
    return [*there, *pointed, *draw(st.sampled_from(moved)), Rebind(into)]


@st.composite
def lost_and_looked_up(draw: st.DrawFn) -> list[Step]:
    """Draw a pointer to an entity that a rebuild takes away, so that only its target tells that it is lost."""
    into, owner = draw(st.permutations(GROUPS))[:2]
    pointed: list[Step] = [Put(owner, "Ada"), Put(into, "Mira"), Point(owner, (owner, "Ada"), (into, "Mira"))]
    rebuilt: tuple[tuple[Step, ...], ...] = (
        (Rebuild(into, None, 1),),
        (Purge((into,)), Rebuild(into, None, 2, force=False)),
        (Purge((into,)), Rebuild(into, None, 0, force=False)),
    )
    return [*pointed, *draw(st.sampled_from(rebuilt)), Rebind(into)]


@st.composite
def merged_again(draw: st.DrawFn) -> list[Step]:
    """Draw merges of entities that have to do with each other, one after the other, and a fact about the first."""
    group = draw(groups)
    first, second, third, other = draw(st.permutations(NAMES))
    facts = draw(
        st.lists(st.sampled_from([(first, second), (second, other), (first, first), (other, third)]), max_size=2)
    )
    afterwards: tuple[Step, ...] = (
        Relate(group, first, "USES", other),
        Relate(group, other, "KNOWS", first),
        Ingest(group, f"{first} MET {other}."),
        Put(group, first, "a ship"),
    )
    return [
        Ingest(group, f"{first} KNOWS {second}. {third}. {other}.", "f.md", draw(st.sampled_from(["c1", "c2"]))),
        *draw(st.sampled_from([(), (Ingest(group, f"{first}."), Ingest(group, f"{first} USES {other}."))])),
        *(Relate(group, source, "USES", target) for source, target in facts),
        Merge(group, second, (first,), cut=draw(st.sampled_from(["", "rows"]))),
        Merge(group, third, (second,)),
        draw(st.sampled_from(afterwards)),
    ]


@st.composite
def left_out(draw: st.DrawFn) -> list[Step]:
    """Draw a rebuild that takes in other lines than before, and a start over what is left of the store."""
    group = draw(groups)
    written: tuple[Step, ...] = (Put(group, "Ada"), Put(group, "Bell", "a ship"), Purge((group,)))
    starts = tuple(Restart(how) for how in ("drop", "kill", "store", "search", "close"))
    return [
        *draw(st.lists(st.sampled_from(written), max_size=2)),
        Restart("checkpoint"),
        Rebuild(group, draw(bounds), draw(bounds)),
        draw(st.sampled_from(starts)),
    ]


BEGINNING: tuple[Step, ...] = (
    Ingest("a", "Ada KNOWS Grace. Tern USES Bell.", "f.md", "c1"),
    Ingest("b", "Grace KNOWS Ada. Tern MET Ada.", "f.md", "c1"),
)
"""So that the first merges and pointers find something."""


def histories(parts: int) -> st.SearchStrategy[list[Step]]:
    """Return histories of so many parts, some empty: single steps, and such that belong together."""
    one = STEPS.map(lambda step: [step])
    together = (looked_up_again(), looked_up_again(), lost_and_looked_up(), merged_again(), merged_again(), left_out())
    part = _any_of(st.just([]), *together, one, one, one, one)
    # Lists of a fixed length: most of those whose length is drawn are as short as they may be.
    return st.lists(part, min_size=parts, max_size=parts).map(lambda found: [step for part in found for step in part])
