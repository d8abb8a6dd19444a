"""Bytes in any chunking become the same lines."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.server.framing import MAX_LINE_BYTES, OVERLONG, Line, LineSplitter

PIECES = st.sampled_from([b"\n", b"\r\n", b"\r", b" ", b"\t", b"\xef\xbb\xbf", b"{}", b"abc", b"x" * 9, b"\xff"])


def split(chunks: list[bytes], limit: int = MAX_LINE_BYTES) -> list[Line]:
    splitter = LineSplitter(limit)
    lines = [line for chunk in chunks for line in splitter.feed(chunk)]
    return lines + splitter.finish()


@settings(deadline=None)
@given(st.lists(PIECES).map(b"".join), st.lists(st.integers(0, 200)))
def test_any_chunking_gives_the_same_lines(data: bytes, cuts: list[int]) -> None:
    points = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    chunks = [data[start:end] for start, end in pairwise(points)]
    assert split(chunks, limit=8) == split([data], limit=8)


@settings(deadline=None)
@given(st.lists(st.text(alphabet="ab{}é", min_size=1, max_size=8), max_size=20))
def test_lines_come_back_as_they_were_sent(texts: list[str]) -> None:
    sent = [text.encode() for text in texts]
    assert split([b"".join(line + b"\r\n" for line in sent)]) == sent


def test_bom_blanks_and_blank_lines_are_tolerated() -> None:
    assert split([b"\xef\xbb\xbf {} \t\r\n\n \r\n\xef\xbb\xbf\n{1}\n"]) == [b"{}", b"{1}"]


def test_the_end_of_the_stream_ends_the_last_line() -> None:
    assert split([b"one\ntwo"]) == [b"one", b"two"]


def test_a_line_of_exactly_the_limit_passes_with_either_line_end() -> None:
    for end in (b"\n", b"\r\n", b""):
        assert split([b"x" * 8 + end], limit=8) == [b"x" * 8]


def test_a_line_over_the_limit_is_reported_once_and_the_next_one_is_read() -> None:
    for size in (9, 10, 100):
        chunks = [b"x"] * size + [b"y" * 50, b"\nnext\n"]
        assert split(chunks, limit=8) == [OVERLONG, b"next"]


def test_an_overlong_line_is_reported_before_it_ends() -> None:
    splitter = LineSplitter(8)
    assert splitter.feed(b"x" * 10) == [OVERLONG]
    assert splitter.feed(b"x" * 10) == []


def test_what_is_dropped_takes_no_memory() -> None:
    splitter = LineSplitter(8)
    for _ in range(100):
        splitter.feed(b"x" * 1000)
    assert len(splitter._held) == 0
