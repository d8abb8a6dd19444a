"""The full-text index: what a query finds, and in which order."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lcg.runtime.groups import ALL_GROUPS, GroupFilter
from lcg.search import word_ranking
from lcg.search.fts import SqliteTextIndex
from lcg.search.index_file import SearchIndexError, SearchIndexReset
from lcg.search.protocol import TextEntry, TextKind
from lcg.search.text import prepare

ENTITY, EDGE, EPISODE = TextKind.ENTITY, TextKind.EDGE, TextKind.EPISODE


def entity(uuid: str, name: str, summary: str = "", group: str = "g") -> TextEntry:
    return TextEntry(ENTITY, uuid, group, (name, summary))


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SqliteTextIndex]:
    index = SqliteTextIndex(tmp_path / "text.sqlite")
    yield index
    index.close()


def fill(index: SqliteTextIndex, *entries: TextEntry) -> None:
    index.update(entries, [], {})


def found(
    index: SqliteTextIndex,
    query: str,
    groups: GroupFilter = ALL_GROUPS,
    kind: TextKind = ENTITY,
    limit: int = 50,
) -> list[str]:
    return [hit.uuid for hit in index.search(kind, query, groups, limit)]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Mira, harbour pilot", "HARBOUR"),
        ("Straße nach München", "strasse munchen"),
        ("Zoë's café", "zoe cafe"),
        ("build a1b2 of v2.0.1", "v2.0.1"),
        ("build a1b2 of v2.0.1", "a1b2"),
        ("call snake_case now", "snake_case"),
        ("call snake_case now", "case"),
        ("written in C++", "C++"),
        ("launch 🚀 today", "🚀"),
        ("東京タワーは高い", "東京"),
        ("東京タワーは高い", "京"),
        ("日本語のテスト", "本語の"),
        ("東京タワー", "東京タワーの高さは"),
        ("İstanbul", "istanbul"),
        ("ISPARTA", "ısparta"),
        ("say AND then NEAR", "AND"),
        ("say AND then NEAR", "NEAR("),
        ('quoted "words" here', '"words'),
        ("one of three words", "three blind mice"),
        ("star", "star*"),
        ("column", "gid:column"),
    ],
)
def test_a_query_finds_what_its_words_say(index: SqliteTextIndex, text: str, query: str) -> None:
    fill(index, entity("hit", "x", text), entity("other", "y", "something else"))
    assert found(index, query) == ["hit"]


@pytest.mark.parametrize(
    "query", ["", " ", "*", '"', "''", "( )", "-", "^", "\x00", "…", "NOT", "a" * 100_000, "a." * 9_000]
)
def test_a_query_without_a_word_of_the_rows_finds_nothing(index: SqliteTextIndex, query: str) -> None:
    fill(index, entity("u", "Mira", "harbour pilot"))
    assert found(index, query) == []
    assert index.holds_all_terms(ENTITY, query, ["u"]) == set()


def test_the_name_weighs_more_than_the_text(index: SqliteTextIndex) -> None:
    fill(
        index,
        entity("a", "her older sister", "the lighthouse keeper"),
        entity("b", "the lighthouse keeper", "her older sister"),
    )
    assert found(index, "lighthouse") == ["b", "a"]


def test_an_entity_of_exactly_that_name_comes_first(index: SqliteTextIndex) -> None:
    fill(
        index,
        entity("a", "Tern Tern", "tern tern tern"),
        entity("b", "TERN", "a vessel of many words among which its name does not occur again"),
        entity("c", "C", "language"),
        entity("d", "C++", "another language"),
    )
    assert found(index, "tern")[0] == "b"
    assert found(index, "c++")[0] == "d"
    assert found(index, "c")[0] == "c"


def test_a_name_is_found_by_its_beginning(index: SqliteTextIndex) -> None:
    fill(index, entity("a", "Mirabelle"), entity("b", "Mira"), entity("c", "Amira"))
    assert found(index, "mir") == ["a", "b"]


def test_a_name_of_punctuation_alone_is_found_by_itself(index: SqliteTextIndex) -> None:
    fill(index, entity("a", "***"), entity("b", "+++"))
    assert found(index, "***") == ["a"]


def test_kinds_do_not_mix(index: SqliteTextIndex) -> None:
    fill(
        index,
        entity("a", "pilot"),
        TextEntry(EDGE, "b", "g", ("PILOTS_SHIP", "Mira steers")),
        TextEntry(EPISODE, "c", "g", ("the pilot wrote", "log.md", "chapter 7")),
    )
    assert found(index, "pilot") == ["a"]
    assert found(index, "pilots", kind=EDGE) == ["b"]
    assert found(index, "pilot chapter", kind=EPISODE) == ["c"]


def test_the_same_uuid_may_be_of_two_kinds(index: SqliteTextIndex) -> None:
    fill(index, entity("a", "pilot"), TextEntry(EDGE, "a", "g", ("KNOWS", "pilot")))
    index.update([], [(ENTITY, "a")], {})
    assert (found(index, "pilot"), found(index, "pilot", kind=EDGE)) == ([], ["a"])


def test_rows_that_tie_come_by_uuid(index: SqliteTextIndex) -> None:
    fill(index, *(entity(uuid, "same name") for uuid in ("c", "a", "b")))
    assert found(index, "same") == ["a", "b", "c"]
    assert found(index, "same", limit=2) == ["a", "b"]


def test_a_row_put_again_is_found_by_its_new_words_only(index: SqliteTextIndex) -> None:
    fill(index, entity("u", "Mira", "harbour pilot"))
    fill(index, entity("u", "Vera", "captain"))
    assert (found(index, "mira"), found(index, "harbour"), found(index, "vera captain")) == ([], [], ["u"])


@pytest.mark.parametrize("number", [0, 400, 799])
def test_a_row_among_very_many_new_ones_is_replaced_too(index: SqliteTextIndex, number: int) -> None:
    fill(index, entity(f"u{number}", "Linnea Berg"), entity("other", "Linnea Holm"))
    fill(index, *(entity(f"u{n}", f"Person{n} Quist") for n in range(800)))
    assert found(index, "Linnea") == ["other"]
    assert found(index, f"Person{number}") == [f"u{number}"]
    assert len(found(index, "Quist", limit=1_000)) == 800


def test_a_removed_row_is_not_found(index: SqliteTextIndex) -> None:
    fill(index, entity("u", "Mira"), entity("v", "Mira"))
    index.update([], [(ENTITY, "u"), (ENTITY, "unheard of")], {})
    assert found(index, "mira") == ["v"]


def test_groups_are_filtered_before_the_cut(index: SqliteTextIndex) -> None:
    fill(
        index,
        *(entity(f"big{n}", "pilot pilot", group="big") for n in range(30)),
        entity("s", "a pilot", group="small"),
    )
    assert found(index, "pilot", GroupFilter(("small",)), limit=3) == ["s"]
    assert found(index, "pilot", GroupFilter(("small", "unheard of"))) == ["s"]
    assert found(index, "pilot", GroupFilter(())) == []
    assert found(index, "pilot", GroupFilter(("unheard of",))) == []


def test_many_groups_are_filtered_as_few_are(index: SqliteTextIndex) -> None:
    fill(index, *(entity(f"u{n:02}", "pilot", group=f"g{n}") for n in range(60)))
    wanted = GroupFilter(tuple(f"g{n}" for n in range(0, 60, 2)))
    assert found(index, "pilot", wanted) == [f"u{n:02}" for n in range(0, 60, 2)]


def test_a_row_can_move_to_another_group(index: SqliteTextIndex) -> None:
    fill(index, entity("u", "Mira", group="a"), entity("v", "Vera", group="b"))
    fill(index, entity("u", "Mira", group="b"))
    assert found(index, "mira", GroupFilter(("a",))) == []
    assert found(index, "mira", GroupFilter(("b",))) == ["u"]


def test_a_word_of_the_group_token_is_no_word_of_the_rows(index: SqliteTextIndex) -> None:
    fill(index, entity("u", "Mira"))
    assert found(index, "g1") == []


def test_clearing_a_group_forgets_its_rows_and_its_position(index: SqliteTextIndex) -> None:
    index.update(
        [entity("u", "Mira", group="a"), TextEntry(EPISODE, "e", "a", ("Mira",)), entity("v", "Mira", group="b")],
        [],
        {"a": 3, "b": 5},
    )
    index.clear_group("a")
    index.clear_group("unheard of")
    assert (found(index, "mira"), found(index, "mira", kind=EPISODE)) == (["v"], [])
    assert index.positions() == {"b": 5}


def test_holding_all_terms_means_each_whole_term(index: SqliteTextIndex) -> None:
    texts = {"a": "sailed in v2.0.1 to Port Vell", "b": "v2 of port 0.1 vell", "c": "port only", "d": "東京タワー port"}
    index.update([TextEntry(EPISODE, uuid, "g", (text,)) for uuid, text in texts.items()], [], {})
    assert index.holds_all_terms(EPISODE, "vell PORT", texts) == {"a", "b"}
    assert index.holds_all_terms(EPISODE, "v2.0.1", texts) == {"a"}
    assert index.holds_all_terms(EPISODE, "port タワー", texts) == {"d"}
    assert index.holds_all_terms(EPISODE, "port", ["c", "unheard of"]) == {"c"}


def test_common_words_add_to_the_rank_that_rarer_ones_give(
    index: SqliteTextIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_ranking, "MOST_SCORED", 10)
    fill(index, *(entity(f"u{n:02}", f"row{n}", "common words everywhere") for n in range(50)))
    fill(index, entity("a", "rare", "other"), entity("b", "rare", "common"))
    assert found(index, "rare common", limit=2) == ["b", "a"]
    assert len(found(index, "common")) == 10
    assert len(found(index, "common words", limit=5)) == 5


def test_positions_and_rows_survive_a_reopening(tmp_path: Path) -> None:
    first = SqliteTextIndex(tmp_path / "text.sqlite")
    first.update([entity("u", "Mira", group="é\x01 x")], [], {"é\x01 x": 7})
    first.close()
    first.close()
    again = SqliteTextIndex(tmp_path / "text.sqlite")
    assert again.reset_reason is None
    assert (again.positions(), found(again, "mira")) == ({"é\x01 x": 7}, ["u"])
    again.close()


def test_a_failed_update_changes_nothing(index: SqliteTextIndex) -> None:
    index.update([entity("u", "Mira")], [], {"g": 1})
    with pytest.raises(SearchIndexError, match="did not take a write"):
        index.update([entity("v", "Vera")], [(ENTITY, "u")], {"g": object()})  # type: ignore[dict-item]
    assert (found(index, "mira vera"), index.positions()) == (["u"], {"g": 1})


def damage(path: Path) -> None:
    """Overwrite all pages but the first, as a disk might."""
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))


@pytest.mark.parametrize("content", [b"", b"no database at all, but long enough to be looked at" * 50])
def test_a_file_that_is_no_index_is_made_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "deep" / "text.sqlite"
    path.parent.mkdir()
    path.write_bytes(content)
    index = SqliteTextIndex(path)
    assert index.reset_reason
    assert index.positions() == {}
    fill(index, entity("u", "Mira"))
    assert found(index, "mira") == ["u"]
    index.close()


def filled_and_closed(path: Path) -> None:
    index = SqliteTextIndex(path)
    index.update([entity(f"u{n}", f"Mira {n}", "text " * 50) for n in range(200)], [], {"g": 1})
    index.close()


def test_damage_deep_inside_is_found_when_the_file_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "text.sqlite"
    filled_and_closed(path)
    damage(path)
    index = SqliteTextIndex(path)
    assert "damaged" in (index.reset_reason or "")
    assert index.positions() == {}
    index.update([entity("v", "Vera")], [], {"g": 2})
    assert (found(index, "mira vera"), index.positions()) == (["v"], {"g": 2})
    index.close()


def test_damage_met_by_a_search_empties_the_index_at_the_next_write(tmp_path: Path) -> None:
    path = tmp_path / "text.sqlite"
    filled_and_closed(path)
    index = SqliteTextIndex(path)
    damage(path)
    assert found(index, "mira") == []
    assert index.positions() == {}
    with pytest.raises(SearchIndexReset, match="made anew"):
        index.update([entity("v", "Vera")], [], {"g": 2})
    assert (found(index, "vera"), index.positions()) == ([], {})
    index.update([entity("v", "Vera")], [], {"g": 2})
    assert (found(index, "vera"), index.positions()) == (["v"], {"g": 2})
    index.close()


def test_a_folder_in_the_place_of_the_file_is_explained(tmp_path: Path) -> None:
    (tmp_path / "text.sqlite").mkdir()
    with pytest.raises(SearchIndexError, match="cannot be opened"):
        SqliteTextIndex(tmp_path / "text.sqlite")


def test_searches_beside_a_writer_see_whole_updates(index: SqliteTextIndex) -> None:
    fill(index, entity("a", "tick zero"), entity("b", "tick zero"))
    seen: list[int] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            seen.append(len(found(index, "zero")))

    readers = [threading.Thread(target=look) for _ in range(3)]
    for reader in readers:
        reader.start()
    for n in range(60):
        name = "tick one" if n % 2 == 0 else "tick zero"
        fill(index, entity("a", name), entity("b", name))
    done.set()
    for reader in readers:
        reader.join()
    assert set(seen) <= {0, 2}
    assert found(index, "zero") == ["a", "b"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(alphabet=st.characters()) | st.text(alphabet='ab"*()^:-+{} \x00ANDORTE京'))
def test_no_query_raises(index: SqliteTextIndex, query: str) -> None:
    fill(index, entity("u", "Mira AB", "and or not near a b 京都"))
    for groups in (ALL_GROUPS, GroupFilter(("g", "h"))):
        assert set(found(index, query, groups)) <= {"u"}
        assert index.holds_all_terms(ENTITY, query, ["u"]) <= {"u"}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(alphabet=st.characters(codec="utf-8")))
def test_every_word_of_a_row_finds_it(index: SqliteTextIndex, text: str) -> None:
    fill(index, TextEntry(EPISODE, "u", "g", (text,)))
    for word in text.split():
        if prepare(word):
            assert found(index, word, kind=EPISODE) == ["u"]
            assert index.holds_all_terms(EPISODE, word, ["u"]) == {"u"}


WORDS = st.lists(st.sampled_from(["ant", "bee", "cow", "dog"]), min_size=1, max_size=3).map(" ".join)
ROWS = st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.sampled_from(["g1", "g2", "g3"]), WORDS))


@settings(max_examples=40, deadline=None)
@given(rounds=st.lists(st.tuples(ROWS, st.sets(st.sampled_from("abcdef"))), max_size=4), data=st.data())
def test_after_any_history_a_search_finds_exactly_the_rows_that_hold_a_word(
    tmp_path_factory: pytest.TempPathFactory,
    rounds: list[tuple[dict[str, tuple[str, str]], set[str]]],
    data: st.DataObject,
) -> None:
    index = SqliteTextIndex(tmp_path_factory.mktemp("fts") / "text.sqlite")
    model: dict[str, tuple[str, str]] = {}
    for rows, removed in rounds:
        index.update(
            [entity(uuid, f"name {uuid}", text, group) for uuid, (group, text) in rows.items()],
            [(ENTITY, uuid) for uuid in sorted(removed)],
            {},
        )
        model = {uuid: row for uuid, row in model.items() if uuid not in removed} | rows
    ids = data.draw(st.none() | st.lists(st.sampled_from(["g1", "g2", "g3", "g4"])).map(tuple))
    query = data.draw(WORDS)
    hits = found(index, query, GroupFilter(ids))
    index.close()
    wanted = set(query.split())
    assert set(hits) == {
        uuid for uuid, (group, text) in model.items() if wanted & set(text.split()) and (ids is None or group in ids)
    }
    assert len(hits) == len(set(hits))


def test_names_are_told_of_entities_that_are_indexed(index: SqliteTextIndex) -> None:
    index.update(
        [TextEntry(ENTITY, "a", "g", ("Café  Port", "By the sea.")), TextEntry(ENTITY, "b", "g", ("東京", ""))], [], {}
    )
    index.update([TextEntry(EPISODE, "c", "g", ("Café Port",))], [], {})
    told = index.names(["a", "b", "c", "d"])
    assert told == {"a": ("café  port", "cafe port"), "b": ("東京", "東京 京")}
