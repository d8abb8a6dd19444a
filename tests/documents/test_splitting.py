"""Documents are cut where a reader would cut them, and nothing of them gets lost."""

from hypothesis import given
from hypothesis import strategies as st

from lcg.documents.splitting import LEAST_CHARS, MOST_BLOCK_CHARS, MOST_CHARS, cut

LINES = st.sampled_from(["# A", "## B c", "", "text", "x" * 700, "```", "~~~", "- item", "  # no heading", "| a | b |"])


def test_a_short_document_is_one_chunk_named_after_its_heading() -> None:
    (chunk,) = cut("a.md", "# Set up\n\nRun it.\n")
    assert (chunk.source_file, chunk.chunk_id, chunk.text) == ("a.md", "set-up", "# Set up\n\nRun it.")


def test_a_long_section_ends_before_the_next_heading() -> None:
    long = "word " * (LEAST_CHARS // 5)
    assert [chunk.chunk_id for chunk in cut("a.md", f"# One\n\n{long}\n\n# Two\n\nshort")] == ["one", "two"]


def test_parts_of_one_section_are_numbered() -> None:
    paragraph = "w" * (MOST_CHARS - 100)
    ids = [chunk.chunk_id for chunk in cut("a.md", f"# One\n\n{paragraph}\n\n{paragraph}\n\n{paragraph}")]
    assert ids == ["one", "one-2", "one-3"]


def test_a_hash_in_a_fenced_block_is_no_heading() -> None:
    long = "word " * (LEAST_CHARS // 5)
    (chunk,) = cut("a.md", f"# One\n\n{long}\n\n```sh\n\n# a comment\n```\n")
    assert chunk.text.endswith("```sh\n\n# a comment\n```")


def test_comments_are_left_out() -> None:
    assert [chunk.text for chunk in cut("a.md", "<!--\nhidden\n\n# no\n-->\nseen")] == ["seen"]


@given(st.lists(LINES, max_size=60))
def test_every_line_with_text_is_in_exactly_one_chunk_in_its_order(lines: list[str]) -> None:
    chunks = list(cut("a.md", "\n".join(lines)))
    kept = [line for chunk in chunks for line in chunk.text.splitlines() if line.strip()]
    assert kept == [line for line in lines if line.strip()]
    assert len({chunk.chunk_id for chunk in chunks}) == len(chunks)
    assert all(chunk.text.strip() for chunk in chunks)


@given(st.integers(1, 4), st.sampled_from(["\n", ". ", " ", "x"]), st.integers(0, 50))
def test_a_block_without_end_is_cut_and_nothing_of_it_gets_lost(times: int, between: str, more: int) -> None:
    block = between.join(["word"] * (MOST_BLOCK_CHARS // 5 * times)) + "y" * more
    chunks = list(cut("a.txt", block))
    assert all(len(chunk.text) <= MOST_BLOCK_CHARS for chunk in chunks)
    assert len({chunk.chunk_id for chunk in chunks}) == len(chunks)
    joined = "".join(chunk.text for chunk in chunks)
    assert joined.replace(" ", "").replace("\n", "") == block.replace(" ", "").replace("\n", "")


def test_a_heading_called_as_the_second_part_of_another_has_a_name_of_its_own() -> None:
    paragraph = "w" * (MOST_CHARS - 100)
    ids = [chunk.chunk_id for chunk in cut("a.md", f"# One\n\n{paragraph}\n\n{paragraph}\n\n# One 2\n\n{paragraph}")]
    assert len(ids) == len(set(ids)) == 3
