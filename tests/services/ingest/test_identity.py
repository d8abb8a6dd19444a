"""Which entity an extracted name becomes: by name, by nearness and spelling, by a judge, or a new one."""

import itertools
import threading
import unicodedata
from collections import Counter

import pytest
from hypothesis import given as generated
from hypothesis import settings
from hypothesis import strategies as st

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.model.names import name_key
from lcg.model.operations import EntityPut
from lcg.model.rows import MERGED
from lcg.providers.dedup.protocol import Candidate, Incoming, JudgeError
from lcg.providers.extractor.protocol import ExtractedEdge, ExtractedEntity
from lcg.services.ingest import near
from lcg.services.ingest.chunk import Ingest
from lcg.services.ingest.likeness import Likeness, alike
from lcg.services.ingest.near import MOST_NEAR
from tests.graph.harness import NOON, entity
from tests.services.ingest.harness import Ingests, ingests


def test_a_near_name_that_is_spelled_alike_is_reused_and_reported(given: Ingests) -> None:
    given.ingest(["Analytical Engine"])
    (known,) = given.entities()
    (found,) = given.ingest([ExtractedEntity("The Analytical Engine", summary="It computes.")]).resolutions
    assert (found.entity_uuid, found.outcome, found.by) == (known.uuid, "reused", "embedding")
    assert found.entity_name == "Analytical Engine"
    assert found.cosine is not None
    assert found.cosine >= 0.85
    assert [(row.name, row.summary) for row in given.entities()] == [("Analytical Engine", "It computes.")]


def test_the_name_decides_before_any_vector(given: Ingests) -> None:
    given.all_means_the_same()
    given.ingest(["The Heron", "heron"])
    assert given.names() == ["The Heron"]
    given.workspace.apply("a", EntityPut(entity("n2", name="HERON")))
    (found,) = given.ingest(["Heron"]).resolutions
    assert (found.entity_uuid, found.by) == ("n2", "name")


def test_vectors_alone_make_nothing_one(given: Ingests) -> None:
    given.all_means_the_same()
    done = given.ingest(["Mira Vane", "Port Vell", "Apollo 11", "Apollo 12", "Henry VII", "Henry VIII"])
    assert {found.by for found in done.resolutions} == {None}
    assert len(given.names()) == 6


def test_spelling_alone_makes_nothing_one(given: Ingests) -> None:
    embedder = given.all_means_the_same()
    given.ingest(["Analytical Engine"])
    embedder.broken = True
    done = given.ingest(["The Analytical Engine"])
    assert done.embedding_warning is not None
    assert given.names() == ["Analytical Engine", "The Analytical Engine"]


def test_types_that_differ_keep_near_names_apart(given: Ingests) -> None:
    given.all_means_the_same()
    given.ingest([ExtractedEntity("Mercury", "Planet")])
    given.ingest([ExtractedEntity("The Mercury", "Metal")])
    given.ingest([ExtractedEntity("Mercury.", "Planet")])
    assert given.names() == ["Mercury", "The Mercury"]


def test_near_names_of_one_text_are_one_entity_too(given: Ingests) -> None:
    done = given.ingest(["U.S. Navy", "US Navy"])
    assert [(found.outcome, found.by) for found in done.resolutions] == [("created", None), ("reused", "embedding")]
    assert given.names() == ["U.S. Navy"]


def test_a_short_form_counts_only_when_it_can_mean_one_entity(given: Ingests) -> None:
    given.all_means_the_same()
    given.ingest([ExtractedEntity("George W. Bush", "Person")])
    (found,) = given.ingest([ExtractedEntity("George Bush", "Person")]).resolutions
    assert found.by == "embedding"
    given.ingest([ExtractedEntity("George H. Bush", "Person")])
    (found,) = given.ingest([ExtractedEntity("George Bush", "Person")]).resolutions
    assert found.outcome == "created"


def test_groups_never_share_entities(given: Ingests) -> None:
    given.all_means_the_same()
    given.ingest(["The Heron"], group="a")
    given.ingest(["Heron"], group="b")
    assert (given.names("a"), given.names("b")) == (["The Heron"], ["Heron"])


def test_a_tombstone_forwards_to_what_it_was_merged_into(given: Ingests) -> None:
    buried = entity("n1", name="Heron", labels=("Entity", MERGED), attributes='{"merged_into":"n2"}')
    given.workspace.apply("a", EntityPut(entity("n2", name="HMS Heron")), EntityPut(buried))
    (found,) = given.ingest([ExtractedEntity("heron", summary="A ship.")]).resolutions
    assert (found.entity_uuid, found.outcome, found.by) == ("n2", "reused", "name")
    assert [(row.name, row.summary) for row in given.entities()] == [("HMS Heron", "A ship.")]


def test_a_tombstone_is_no_candidate_for_near_names(given: Ingests) -> None:
    given.all_means_the_same()
    buried = entity("n1", name="The Heron", labels=("Entity", MERGED), attributes='{"merged_into":"n2"}')
    given.workspace.apply("a", EntityPut(entity("n2", name="HMS Kite")), EntityPut(buried))
    (found,) = given.ingest(["Heron"]).resolutions
    assert found.outcome == "created"


def test_names_that_look_the_same_are_the_same(given: Ingests) -> None:
    given.ingest(["Mira\u200b Vane", "Mira\nVane", " mira  vane ", "Café", "Cafe\u0301", "STRASSE", "straße"])
    assert given.names() == ["Café", "Mira Vane", "STRASSE"]


class Oracle:
    """A judge that knows which names are one."""

    def __init__(self, *same: tuple[str, str]) -> None:
        self.same = same
        self.asked: list[tuple[str, str]] = []
        self.broken = False

    def is_same(self, candidate: Candidate, incoming: Incoming) -> bool:
        """Look the pair up."""
        if self.broken:
            raise JudgeError("it is on holiday")
        self.asked.append((candidate.name, incoming.name))
        return (candidate.name, incoming.name) in self.same


def test_a_judge_decides_about_near_names_instead_of_spelling() -> None:
    judge = Oracle(("Soviet Union", "USSR"))
    with ingests(judge=judge) as given:
        given.all_means_the_same()
        given.ingest(["Soviet Union", "Apollo 11"])
        (found,) = given.ingest(["USSR"]).resolutions
        assert (found.outcome, found.by, found.entity_name) == ("reused", "adapter", "Soviet Union")
        (found,) = given.ingest(["The Soviet Union"]).resolutions
        assert (found.outcome, found.by) == ("created", None)
        given.ingest(["Apollo 12", "soviet union"])
        assert judge.asked == [("Soviet Union", "USSR"), ("Soviet Union", "The Soviet Union")]


def test_a_judge_that_fails_fails_the_text_and_stores_nothing() -> None:
    judge = Oracle()
    with ingests(judge=judge) as given:
        given.all_means_the_same()
        given.ingest(["Soviet Union"])
        before = given.workspace.digests()
        judge.broken = True
        with pytest.raises(OperationFailed, match=r"LCG_DEDUP_LLM.*on holiday") as caught:
            given.ingest(["USSR", "The Soviet Union"])
        assert caught.value.kind is ErrorKind.PROVIDER_FAILED
        assert given.workspace.digests() == before


# Properties

STEMS = [
    "Apollo",
    "apollo",
    "APOLLO",
    "Àpollo",
    "The Apollo",
    "Apollo Inc.",
    "Apollo-",
    "ǅApollo",
    "ﬁApollo",
    "İApollo",
]
TAILS = ["", " 1", " 2", " 11", " ١١", " ²", " I", " II", " Ⅱ", " program", " programme", " v1.2", " v1.3"]
NAMES = st.builds("".join, st.tuples(st.sampled_from(STEMS), st.sampled_from(TAILS)))
TEXTS = st.lists(st.lists(NAMES, min_size=1, max_size=4), min_size=1, max_size=5)


def check_names(given: Ingests) -> None:
    rows = given.entities()
    keys = Counter(name_key(row.name) for row in rows)
    assert keys.most_common(1)[0][1] == 1


def digits(name: str) -> Counter[str]:
    """Count a name's digits, each as its value, whatever the script."""
    return Counter(str(unicodedata.decimal(c)) for c in unicodedata.normalize("NFKC", name) if c.isdecimal())


def check_resolutions(given: Ingests, texts: list[list[str]]) -> None:
    by_uuid = {row.uuid: row for row in given.entities()}
    for names in texts:
        for found in given.ingest(names).resolutions:
            assert found.outcome == "reused"
            assert digits(found.name) == digits(by_uuid[found.entity_uuid].name)


@settings(max_examples=25, deadline=None)
@generated(TEXTS)
def test_whatever_the_texts_no_name_is_twice_and_no_number_is_lost(texts: list[list[str]]) -> None:
    with ingests() as given:
        given.all_means_the_same()
        for names in texts:
            given.ingest(names)
        check_names(given)
        check_resolutions(given, texts)


@settings(max_examples=15, deadline=None)
@generated(TEXTS)
def test_the_order_of_texts_does_not_change_what_is_told_apart(texts: list[list[str]]) -> None:
    clusters = []
    for order in (texts, texts[::-1]):
        with ingests() as given:
            given.all_means_the_same()
            for names in order:
                given.ingest(names)
            found = [resolution for names in texts for resolution in given.ingest(names).resolutions]
            numbers = {resolution.entity_uuid: digits(resolution.name) for resolution in found}
            clusters.append(sorted(tuple(sorted(count.items())) for count in numbers.values()))
    assert {tuple(cluster) for cluster in clusters[0]} == {tuple(cluster) for cluster in clusters[1]}


@settings(max_examples=15, deadline=None)
@generated(st.lists(st.lists(NAMES, min_size=1, max_size=3), min_size=4, max_size=4))
def test_texts_that_come_at_once_share_their_entities(texts: list[list[str]]) -> None:
    with ingests() as given:
        given.all_means_the_same()
        at_once(given, [given.wish(names) for names in texts])
        check_names(given)
        check_resolutions(given, texts)


def test_near_names_that_come_at_once_become_one() -> None:
    for _ in range(5):
        with ingests() as given:
            given.all_means_the_same()
            at_once(given, [given.wish([name]) for name in ("The Heron", "Heron", "Heron.", "heron!", "the heron")])
            assert len(given.names()) == 1


def at_once(given: Ingests, wishes: list[Ingest]) -> None:
    """Ingest texts from as many threads, all ready before any begins to look."""
    barrier = threading.Barrier(len(wishes))
    failed: list[BaseException] = []

    def run(wish: Ingest) -> None:
        barrier.wait()
        try:
            given.ingestion.ingest(wish, "test")
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(wish,)) for wish in wishes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_every_order_of_three_texts_gives_the_same_number_of_entities() -> None:
    counts = set()
    for order in itertools.permutations([["U.S. Navy", "NASA"], ["US Navy"], ["The US Navy", "Apollo 11"]]):
        with ingests() as given:
            given.all_means_the_same()
            for names in order:
                given.ingest(names, at=NOON)
            counts.add(len(given.names()))
    assert counts == {3}


def test_a_short_form_counts_for_nothing_when_more_is_near_than_is_looked_at(given: Ingests) -> None:
    given.all_means_the_same()
    crowd = [ExtractedEntity(f"Vera {letters}", "Person") for letters in _words_apart(MOST_NEAR)]
    given.ingest([ExtractedEntity("Mira K. Vane", "Person")])
    assert _become(given, "Mira Vane") == "Mira K. Vane"
    given.ingest(crowd)
    assert _become(given, "Mira Vane") == "Mira Vane"


def test_names_of_one_text_are_found_near_however_many_there_are(given: Ingests) -> None:
    given.all_means_the_same()
    crowd = [f"Lighthouse {letters}" for letters in _words_apart(20)]
    given.ingest([*crowd, "Analytical Engine", "The Analytical Engine"])
    assert [name for name in given.names() if "Engine" in name] == ["Analytical Engine"]


def test_ends_that_are_nobodys_name_are_compared_once_and_with_few_of_very_many_names(
    given: Ingests, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = Counter[str]()

    def counted(name: str, *others: object) -> Likeness | None:
        compared[name] += 1
        return alike(name, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(near, "alike", counted)
    names = [f"Harbour {letters}" for letters in _words_apart(600)]
    ends = [*["Nowhere"] * 20, f"The {names[0]}"]
    facts = [ExtractedEdge(end, names[1], f"fact {at}", "IS_NEAR") for at, end in enumerate(ends)]
    done = given.ingest(names, facts)
    assert [fact.source_name for fact in done.dropped_edges] == ["Nowhere"] * 20
    assert compared["Nowhere"] == 0
    assert compared[f"The {names[0]}"] <= 600


def _become(given: Ingests, name: str) -> str:
    (found,) = given.ingest([ExtractedEntity(name, "Person")]).resolutions
    return found.entity_name or found.name


def _words_apart(count: int) -> list[str]:
    return [
        "".join(letters).title() * 2 for letters in itertools.islice(itertools.product("bdfgklmnp", repeat=3), count)
    ]
