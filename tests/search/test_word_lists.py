"""Ranking by words from memory: it must say what SQLite itself says of the same rows, whatever happened before."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.runtime.groups import ALL_GROUPS, GroupFilter
from lcg.search import word_lists, word_ranking
from lcg.search.fts import SqliteTextIndex
from lcg.search.index_file import SearchIndexReset
from lcg.search.protocol import TextEntry, TextKind
from lcg.search.text import Term, any_terms
from lcg.search.word_lists import Mark, WordLists, WordSource

EDGE = TextKind.EDGE
WORDS = ["ant", "bee", "cow", "ant's", "dog-bee", "蟻", "蟻と蜂"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
ROWS = st.dictionaries(st.sampled_from("abcdefgh"), st.tuples(st.sampled_from(["g1", "g2"]), TEXTS, TEXTS), max_size=5)
QUERIES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
STEPS = st.one_of(
    ROWS.map(lambda rows: ("put", rows)),
    st.sets(st.sampled_from("abcdefgh")).map(lambda uuids: ("remove", uuids)),
    st.sampled_from(["g1", "g2"]).map(lambda group: ("clear", group)),
    QUERIES.map(lambda query: ("search", query)),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "text.sqlite"


@pytest.fixture
def index(path: Path) -> Iterator[SqliteTextIndex]:
    index = SqliteTextIndex(path)
    yield index
    index.close()


def edge(uuid: str, head: str, body: str = "", group: str = "g1") -> TextEntry:
    return TextEntry(EDGE, uuid, group, (head, body))


def scores(index: SqliteTextIndex, query: str, groups: GroupFilter = ALL_GROUPS) -> dict[str, float]:
    return {hit.uuid: round(hit.score, 9) for hit in index.search(EDGE, query, groups, 100)}


def by_sqlite(path: Path, query: str, groups: tuple[str, ...] | None = None) -> dict[str, float]:
    """Return what SQLite ranks, with the same weights."""
    match = " OR ".join(term.as_match() for term in any_terms(query))
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute(
            "SELECT e.uuid, g.group_id, -bm25(edge_text, 0.0, 1.5, 1.0) "
            "FROM edge_text t JOIN entry e ON e.id = t.rowid "
            "JOIN groups g ON g.id = e.gid WHERE edge_text MATCH ?",
            (match,),
        ).fetchall()
    return {uuid: round(score, 9) for uuid, group, score in rows if groups is None or group in groups}


@settings(max_examples=80, deadline=None)
@given(
    steps=st.lists(STEPS, max_size=12),
    query=QUERIES,
    most=st.sampled_from([1, 3, 4_096]),
    read_as_text=st.sampled_from([0, 1_000]),
)
def test_after_any_history_rows_score_as_sqlite_scores_them(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[str, object]],
    query: str,
    most: int,
    read_as_text: int,
) -> None:
    path = tmp_path_factory.mktemp("lists") / "text.sqlite"
    index = SqliteTextIndex(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_lists, "MOST_CHANGES", most)
        patch.setattr(word_lists, "_READ_AS_TEXT", read_as_text)
        for what, value in [*steps, ("search", query)]:
            if what == "put":
                assert isinstance(value, dict)
                index.update([edge(uuid, head, body, group) for uuid, (group, head, body) in value.items()], [], {})
            elif what == "remove":
                assert isinstance(value, set)
                index.update([], [(EDGE, uuid) for uuid in sorted(value)], {})
            elif what == "clear":
                index.clear_group(str(value))
            else:
                assert by_sqlite(path, str(value)) == scores(index, str(value))
        assert by_sqlite(path, query, ("g2",)) == scores(index, query, GroupFilter(("g2",)))
    index.close()


def test_rows_of_many_words_score_as_sqlite_scores_them(index: SqliteTextIndex, path: Path) -> None:
    index.update(
        [edge(f"u{words:05}", "bee", "bee ant " + "cow " * words) for words in (1, 100, 127, 128, 20_000)], [], {}
    )
    assert by_sqlite(path, "ant bee") == scores(index, "ant bee")


def test_a_word_that_is_held_more_often_than_can_be_kept_is_still_found(
    index: SqliteTextIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_lists, "MOST_KEPT", 2)
    index.update([edge(uuid, "ant bee", "cow") for uuid in "abc"], [], {})
    for query in ("ant", "bee", "ant cow bee", "ant"):
        assert list(scores(index, query)) == ["a", "b", "c"]


@pytest.mark.parametrize("times", [1_000, 2_049, 70_000])
def test_a_word_counts_however_often_a_row_holds_it(index: SqliteTextIndex, path: Path, times: int) -> None:
    index.update([edge("a", "ant " * times), edge("b", "ant"), edge("c", "bee")], [], {})
    assert by_sqlite(path, "ant") == scores(index, "ant")
    index.update([edge("a", "ant " * (times + 1))], [], {})
    assert by_sqlite(path, "ant") == scores(index, "ant")


def test_words_that_nothing_holds_are_not_kept_without_end(
    index: SqliteTextIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_lists, "MOST_KEPT", 1_000)
    index.update([edge("a", "ant")], [], {})
    for number in range(100):
        assert scores(index, f"ant none{number}").keys() == {"a"}
    assert len(index._words[EDGE]._lists) <= 10


def test_long_texts_that_changed_are_not_remembered_without_end(
    index: SqliteTextIndex, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_lists, "MOST_CHARACTERS", 1_000)
    for number in range(30):
        index.update([edge(f"u{number}", "ant " * number, "bee " * 20)], [], {})
        assert by_sqlite(path, "ant bee") == scores(index, "ant bee")
        assert sum(len(change.head or "") + len(change.body or "") for change in index._words[EDGE]._changes) <= 1_000


def test_a_write_that_fails_changes_nothing_that_is_found(index: SqliteTextIndex, path: Path) -> None:
    index.update([edge("a", "ant"), edge("b", "ant bee", group="g2")], [], {})
    before = scores(index, "ant bee")
    with pytest.raises(OverflowError):
        index.update([edge("c", "ant"), edge("a", "bee")], [(EDGE, "b")], {"g1": 2**70})
    assert scores(index, "ant bee") == before == by_sqlite(path, "ant bee")


def test_lists_that_are_ahead_of_what_is_read_show_no_row_of_another_group(
    index: SqliteTextIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.update([edge("a", "ant", group="g1"), edge("b", "cow", group="g2")], [], {})
    assert scores(index, "ant", GroupFilter(("g1",))).keys() == {"a"}
    look_up = WordLists.look_up

    def writing_meanwhile(words: WordLists, db: sqlite3.Connection, terms: list[Term], mark: Mark) -> object:
        # The transaction sees the row of g2 that its number was taken from, for one of g1.
        monkeypatch.undo()
        db.execute("SELECT count(*) FROM entry").fetchone()
        index.update([edge("c", "ant", group="g1")], [(EDGE, "b")], {})
        return look_up(words, db, terms, mark)

    monkeypatch.setattr(WordLists, "look_up", writing_meanwhile)
    assert scores(index, "ant", GroupFilter(("g1",))).keys() == {"a"}
    assert scores(index, "ant", GroupFilter(("g1",))).keys() == {"a", "c"}


def test_what_the_first_search_reads_while_a_row_is_written_is_not_kept(
    index: SqliteTextIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.update([edge("a", "ant")], [], {})
    look_up = WordLists.look_up

    def writing_meanwhile(words: WordLists, db: sqlite3.Connection, terms: list[Term], mark: Mark) -> object:
        monkeypatch.undo()
        db.execute("SELECT count(*) FROM entry").fetchone()
        index.update([edge("b", "ant")], [], {})
        return look_up(words, db, terms, mark)

    monkeypatch.setattr(WordLists, "look_up", writing_meanwhile)
    assert scores(index, "ant").keys() == {"a"}
    assert scores(index, "ant").keys() == {"a", "b"}


def test_a_search_in_a_file_that_is_gone_uses_no_lists_of_the_next_one() -> None:
    words = WordLists(WordSource("rows", "rows_words", (1.5, 1.0)))
    before = words.mark()
    words.forget()
    with closing(table_of(["ant", "bee"])) as former, closing(table_of(["bee", "ant ant"])) as present:
        (rows,), _ = words.look_up(present, any_terms("ant"), words.mark())
        assert rows.numbers.tolist() == [2]
        (rows,), _ = words.look_up(former, any_terms("ant"), before)
        assert rows.numbers.tolist() == [1]


def table_of(texts: list[str]) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY, uuid TEXT, gid INTEGER)")
    db.execute("CREATE VIRTUAL TABLE rows USING fts5(gid, head, body, tokenize='ascii')")
    db.execute("CREATE VIRTUAL TABLE temp.rows_words USING fts5vocab(main, rows, instance)")
    for number, text in enumerate(texts, 1):
        db.execute("INSERT INTO entry VALUES (?, ?, 1)", (number, f"u{number}"))
        db.execute("INSERT INTO rows (rowid, gid, head, body) VALUES (?, 'g1', ?, '')", (number, text))
    return db


@pytest.mark.parametrize("alike", ["", "0123456789abcde", "0123456789abcdef0123"])
def test_of_very_many_rows_that_tie_those_come_whose_uuids_come_first(index: SqliteTextIndex, alike: str) -> None:
    uuids = [f"{alike}{number:03}é" for number in range(200)]
    index.update([edge(uuid, "ant") for uuid in reversed(uuids)] + [edge("z", "ant ant")], [], {})
    found = [hit.uuid for hit in index.search(EDGE, "ant", ALL_GROUPS, 5)]
    assert found == ["z", *uuids[:4]]


def test_only_common_words_find_the_rows_that_hold_them_all_first(
    index: SqliteTextIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_ranking, "MOST_SCORED", 4)
    index.update([edge(f"u{number}", "ant" if number % 3 else "ant bee", "cow") for number in range(12)], [], {})
    found = list(scores(index, "ant bee"))
    assert set(found[:4]) == {"u0", "u3", "u6", "u9"}


def test_a_file_that_is_made_anew_leaves_no_words_behind(index: SqliteTextIndex, path: Path) -> None:
    index.update([edge("a", "ant")], [], {})
    assert list(scores(index, "ant")) == ["a"]
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TABLE entry")
    assert scores(index, "bee") == {}
    with pytest.raises(SearchIndexReset):
        index.update([edge("b", "bee")], [], {})
    index.update([edge("b", "bee")], [], {})
    assert (list(scores(index, "ant")), list(scores(index, "bee"))) == ([], ["b"])


@pytest.mark.parametrize(
    ("tokens", "prefix", "text", "times"),
    [
        (("a",), False, "a b a ab", 2),
        (("a",), True, "a b a ab", 3),
        (("a", "a"), False, "a a a b", 2),
        (("b", "a"), True, "b ab b b ac", 2),
        (("a", "b"), False, "", 0),
    ],
)
def test_a_term_is_counted_wherever_it_begins(tokens: tuple[str, ...], prefix: bool, text: str, times: int) -> None:
    assert Term(tokens, prefix).times_in(text) == times
