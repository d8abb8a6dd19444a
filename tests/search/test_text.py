"""How words are cut and folded for full-text search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcg.search.text import MOST_TERMS, Term, any_terms, fold, prepare, prepare_all, telling_words, whole_terms


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Mira's ship, the Tern!", "mira s ship the tern"),
        ("snake_case kebab-case a1b2 v2.0.1", "snake case kebab case a1b2 v2 0 1"),
        ("Straße CAFÉ Ångström", "strasse cafe angstrom"),
        ("İzmir ISPARTA ısparta", "izmir isparta isparta"),
        ("Łódź Søren œuvre", "lodz soren oeuvre"),
        ("ＦＵＬＬ ﬁne x²", "full fine x2"),
        ("Ёлка ΟΔΟΣ", "елка οδοσ"),
        ("हिन्दी भाषा", "हिन्दी भाषा"),
        ("go🚀now ❤️", "go 🚀 now ❤"),
        ("soft\u00adhyphen nul\x00inside", "softhyphen nul inside"),
        ("東京タワー", "東京 京タ タワ ワー ー"),
        ("京", "京"),
        ("v2東京x", "v2 東京 京 x"),
        ("ガラス ｶﾞﾗｽ", "ガラ ラス ス ガラ ラス ス"),
        ("", ""),
        ("… -- !?", ""),
    ],
)
def test_a_text_is_prepared_as_tokens_with_single_spaces(text: str, tokens: str) -> None:
    assert prepare(text) == tokens


def test_a_composed_and_a_decomposed_accent_are_the_same_word() -> None:
    assert prepare("caf\u00e9") == prepare("cafe\u0301") == "cafe"


def test_words_joined_by_punctuation_are_a_phrase_and_count_alone() -> None:
    assert any_terms("v2.0") == [Term(("v2", "0")), Term(("v2",)), Term(("0",))]
    assert whole_terms("v2.0") == [Term(("v2", "0"))]


def test_a_run_without_spaces_is_a_phrase_of_pairs() -> None:
    assert whole_terms("日本語") == [Term(("日本", "本語"))]
    assert any_terms("日本語") == [Term(("日本", "本語"))]


def test_the_pairs_of_a_long_run_count_alone_too() -> None:
    assert Term(("東京",)) in any_terms("東京タワーの高さ")
    assert Term(("東京",)) not in whole_terms("東京タワーの高さ")


def test_one_character_of_a_run_asks_for_the_beginning_of_a_pair() -> None:
    assert any_terms("京") == [Term(("京",), prefix=True)]
    assert Term(("京",), prefix=True).as_match() == '"京" *'


def test_a_repeated_word_is_one_term() -> None:
    assert any_terms("Port port PORT") == [Term(("port",))]


def test_of_an_overlong_query_only_the_beginning_counts() -> None:
    assert len(any_terms(" ".join(f"w{n}" for n in range(10_000)))) == MOST_TERMS
    assert all(len(term.tokens) < 100 for term in any_terms("ab." * 3_000))
    assert all(len(term.tokens) < 100 for term in any_terms("京都" * 3_000))


_ODD = "a \x1e\x1f\n\u0301\u0653\u0627\u0338<\u1161\u11a8\u1100\uac00東京é🚀ΣςİıßK\ud800\u200d\ufe0f\u3000"


@given(st.lists(st.text(st.sampled_from(_ODD)) | st.text(), max_size=6))
def test_texts_that_are_prepared_together_become_what_each_becomes_alone(texts: list[str]) -> None:
    assert prepare_all(texts) == [prepare(text) for text in texts]


@given(st.text())
def test_any_text_becomes_tokens_without_anything_that_the_index_would_cut(text: str) -> None:
    prepared = prepare(text)
    assert prepared == " ".join(prepared.split())
    assert all(char.isalnum() or char == " " for char in prepared if char.isascii())


@given(st.text(alphabet=st.characters(codec="utf-8"), min_size=1), st.text(), st.text())
def test_every_word_of_a_text_is_held_by_it(word: str, before: str, after: str) -> None:
    prepared = prepare(f"{before} {word} {after}")
    assert all(term.is_in(prepared) for term in whole_terms(word))


@given(st.text(alphabet="東京タワの"), st.integers(0, 20), st.integers(1, 20))
def test_every_part_of_a_run_is_held_by_it(run: str, start: int, length: int) -> None:
    part = run[start : start + length]
    assert all(term.is_in(prepare(f"x{run}")) for term in whole_terms(part))


@given(st.text())
def test_folding_ignores_case(text: str) -> None:
    assert fold(text.casefold()).split() == fold(text).split()


def test_stop_words_count_only_where_there_is_nothing_else() -> None:
    assert any_terms("Who is the harbour pilot?") == [Term(("harbour",)), Term(("pilot",))]
    assert any_terms("to be or not to be") == [Term((word,)) for word in ("to", "be", "or", "not")]
    assert telling_words("Who is the harbour pilot?") == {"harbour", "pilot"}
    assert telling_words("who is who") == {"who", "is"}
