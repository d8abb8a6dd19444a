"""`lcg ask`: what the graph knows about a question, within a budget of tokens, ready to be pasted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import click

from lcg.commands import options
from lcg.commands.common import say, workspace
from lcg.commands.graph import open_graph
from lcg.commands.output import clean, one_line, tell, write_json
from lcg.commands.running import CONTEXT, explained, run_command
from lcg.commands.search import KINDS, find
from lcg.commands.shapes import entity_line, fact_line
from lcg.model.times import format_time, now

_SECOND: Final = 1_000_000
_MOST: Final = 30
"""Results of each kind that are looked at."""
_SHARES: Final = {"entities": 0.25, "facts": 0.4, "passages": 1.0}
"""How much of the budget a kind and those before it may take together, but for passages, which take what is left."""
_HEADINGS: Final = {"entities": "Entities", "facts": "Facts", "passages": "Passages"}
_LEAST_PASSAGE: Final = 40
"""Tokens below which a part of a passage is of no use."""


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: see `lcg.commands.running`."""
    return run_command(_ask, arguments)


@click.command(
    "ask",
    context_settings=CONTEXT,
    epilog=explained("  lcg ask who maintains billing\n  lcg ask --budget 4000 what changed in the index | pbcopy"),
)
@click.argument("question", nargs=-1, required=True)
@click.option(
    "--budget",
    type=click.IntRange(min=100),
    metavar="N",
    default=2000,
    show_default=True,
    help="Most tokens of the answer, as estimated here.",
)
@click.option("--at", metavar="TIME", help="Only facts that held then; default now.")
@click.option("--history", is_flag=True, help="Facts that do not hold any more, too.")
@options.groups
@options.as_json
def _ask(
    question: tuple[str, ...], budget: int, at: str | None, history: bool, groups: list[str] | None, as_json: bool
) -> None:
    """Collect the entities, facts and passages that bear on a question, as Markdown that fits into a budget.

    Tokens are estimated: four characters of ASCII are one, any other character is one.
    """
    if at and history:
        raise click.UsageError("--at and --history are mutually exclusive; give one of them.")
    query = " ".join(question)
    moment = None if history else at or _now()
    with open_graph(workspace()) as graph:
        found = find(graph, query, KINDS, _MOST, moment, groups)
    tell(found["warnings"])
    answer = compose(query, found, budget)
    if as_json:
        write_json(
            {
                "question": query,
                "groups": groups,
                "at": moment,
                "budget": budget,
                "tokens": tokens_of(answer.text),
                "text": answer.text,
                **answer.used,
                "left_out": {kind: len(found[kind]) - len(answer.used[kind]) for kind in KINDS},
                "warnings": found["warnings"],
            }
        )
    elif any(answer.used.values()):
        click.echo(answer.text)
    else:
        say(f"Nothing in the graph bears on {one_line(query)!r}.")


def _now() -> str:
    """Return the end of the present second: its beginning would leave out what was stored within it."""
    return format_time(now() + _SECOND)


@dataclass(slots=True)
class Answer:
    """A text, and the results that stand in it, by kind."""

    text: str = ""
    used: dict[str, list[Any]] = field(default_factory=lambda: {kind: [] for kind in KINDS})


def tokens_of(text: str) -> int:
    """Return about how many tokens a text is, rather too many than too few."""
    plain = sum(character < "\x80" for character in text)
    return -(-plain // 4) + len(text) - plain


def compose(question: str, found: Mapping[str, Sequence[Mapping[str, Any]]], budget: int) -> Answer:
    """Return the best of what was found, in Markdown of at most `budget` tokens. Only a passage can be cut."""
    # A token is at most four characters, and at least one.
    answer = Answer(f"# What is known about: {one_line(question, min(200, budget // 2))}")
    for kind, share in _SHARES.items():
        _add(answer, kind, found[kind], budget if kind == "passages" else int(budget * share))
    return answer


def _add(answer: Answer, kind: str, results: Sequence[Mapping[str, Any]], most: int) -> None:
    """Append results of a kind while the whole text stays below `most` tokens."""
    make: Callable[[Mapping[str, Any]], str] = _MAKERS[kind]
    between = "\n\n" if kind == "passages" else "\n"
    before = f"\n\n## {_HEADINGS[kind]}\n\n"
    for shape in results:
        block = before + make(shape)
        left = most - tokens_of(answer.text)
        if tokens_of(block) > left - 1:
            block = _cut(block, left - 1) if kind == "passages" else ""
        if block:
            answer.text += block
            answer.used[kind].append(shape)
            before = between
        elif kind == "passages":
            return


def _cut(block: str, tokens: int) -> str:
    """Return the beginning of a text, up to a word's end, in so many tokens; nothing when that is too little."""
    if tokens < _LEAST_PASSAGE:
        return ""
    length = len(block)
    while tokens_of(block[:length]) > tokens - 2:
        length = int(length * 0.95)
    head, _, _ = block[:length].rpartition(" ")
    return f"{head} …" if head else ""


def _passage(shape: Mapping[str, Any]) -> str:
    source = one_line(shape["source"] or shape["name"])
    quoted = "\n".join(f"> {line}".rstrip() for line in clean(shape["text"]).strip().splitlines())
    return f"From {source} ({shape['created_at']}):\n\n{quoted}"


_MAKERS: Final[dict[str, Callable[[Mapping[str, Any]], str]]] = {
    "entities": lambda shape: f"- {entity_line(shape)}",
    "facts": lambda shape: f"- {fact_line(shape)}",
    "passages": _passage,
}
