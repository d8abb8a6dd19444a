"""What a Cypher query may be: one statement that works on the rows of the graph.

The engine's read-only transaction is not enough: it can be left by a second statement, and it reads and writes files.
So statements are told by their words here, and everything that is not known to be harmless is refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.store.kuzu.schema import BOOKKEEPING
from lcg.store.kuzu.tokens import Token, Unterminated, tokenize

QUERY_HEADS = frozenset({"MATCH", "OPTIONAL", "RETURN", "WITH", "UNWIND", "CALL", "CREATE", "MERGE", "SET", "DELETE"})
TRANSACTION_HEADS = frozenset({"BEGIN", "COMMIT", "ROLLBACK", "CHECKPOINT"})
DATABASE_HEADS = frozenset({"USE", "DETACH"})
FILE_HEADS = frozenset({"COPY", "LOAD", "EXPORT", "INSTALL", "UNINSTALL", "UPDATE", "FORCE"})
UNFIT_HEADS = {
    "IMPORT": "it makes tables, and they are there already. Read its files with LOAD FROM",
    "ATTACH": "there is one database, and it stays. Read files with LOAD FROM",
}
"""Statements on files that have no place here, whatever the service allows."""
SWITCH = "LCG_CYPHER_ALLOW_FILES"
DEFINITION_HEADS = frozenset({"DROP", "ALTER", "COMMENT"})
READ_PROCEDURES = frozenset(
    {
        "SHOW_TABLES",
        "SHOW_CONNECTION",
        "TABLE_INFO",
        "SHOW_FUNCTIONS",
        "SHOW_INDEXES",
        "SHOW_LOADED_EXTENSIONS",
        "SHOW_WARNINGS",
        "CURRENT_SETTING",
        "DB_VERSION",
        "CATALOG_VERSION",
    }
)

MAX_TOKENS = 5000
MAX_DEPTH = 60
MAX_CASE_DEPTH = 8
"""The engine recurses over nested expressions without a bound of its own, and over nested CASEs twice each."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A query that may run: its text without trailing semicolon, its tokens, and where it can take a row limit."""

    text: str
    tokens: tuple[Token, ...]
    is_plan: bool

    def parameter_names(self) -> dict[str, str]:
        """Return the names behind the `$` signs, by what the engine calls them (it keeps the backticks)."""
        return {token.text: token.text.strip("`") for token in self.tokens if token.kind == "parameter"}

    def with_limit(self, rows: int) -> str | None:
        """Return the text with a row limit behind it, or None where that could change what it means."""
        if self.is_plan or any(token.is_word("UNION") for token in self.tokens):
            return None
        last_return = _last_return(self.tokens)
        if last_return is None or any(token.is_word("LIMIT") for token in self.tokens[last_return:]):
            return None
        return f"{self.text}\nLIMIT {rows}"


def check(query: str, *, allow_files: bool = False) -> Checked:
    """Let a query pass that the engine may be asked to run in a transaction, first of all in a read-only one.

    `allow_files` lets statements pass that touch files and extensions, apart from those that cannot work here.

    Raises:
        OperationFailed: `precondition`; the message names the statement that is refused.
    """
    try:
        tokens = tokenize(query)
    except Unterminated as error:
        raise refused(f"The query has a {error.args[0]} that is never closed.") from None
    if tokens and tokens[-1].is_sign(";"):
        tokens.pop()
    if not tokens:
        raise refused("The query is empty.")
    if any(token.is_sign(";") for token in tokens):
        raise refused("Only one statement can be run at a time; send each in its own call.")
    _check_size(tokens)
    is_plan = tokens[0].is_word("EXPLAIN", "PROFILE")
    _check_head(_statement(tokens), allow_files)
    for place in range(len(tokens)):
        _check_token(tokens, place, allow_files)
    return Checked(query[: tokens[-1].end], tuple(tokens), is_plan)


def refused(message: str) -> OperationFailed:
    """Make the error of a query that does not run."""
    return OperationFailed(ErrorKind.PRECONDITION, f"knowledge_query_cypher: {message}")


def _statement(tokens: Sequence[Token]) -> Sequence[Token]:
    start = 0
    if tokens[0].is_word("EXPLAIN", "PROFILE"):
        start = 2 if len(tokens) > 1 and tokens[1].is_word("LOGICAL") else 1
    return tokens[start:]


def _check_head(statement: Sequence[Token], allow_files: bool) -> None:
    head = statement[0].text if statement and statement[0].kind == "word" else ""
    if head in TRANSACTION_HEADS:
        raise refused(f"{head} is refused: every query runs in a transaction of its own.")
    if head in DATABASE_HEADS:
        raise refused(f"{head} is refused: there is one database, and it stays.")
    if head in UNFIT_HEADS:
        raise refused(f"{head} is refused: {UNFIT_HEADS[head]}, which needs {SWITCH}=1.")
    if head in FILE_HEADS:
        _check_files(head, statement, allow_files)
        return
    if head in DEFINITION_HEADS or (head == "CREATE" and not _creates_rows(statement)):
        raise refused(f"{head} of tables and other definitions is refused: every other tool depends on them.")
    if head not in QUERY_HEADS:
        raise refused(
            f"A query starts with MATCH, RETURN, WITH, UNWIND or CALL; this one starts with {_show(statement)}."
        )


def _check_files(head: str, statement: Sequence[Token], allow_files: bool) -> None:
    if not allow_files:
        raise refused(
            f"{head} is refused: a statement that touches files or extensions runs only in a service that was started "
            f"with {SWITCH}=1."
        )
    if head == "COPY" and not (len(statement) > 1 and statement[1].is_sign("(")):
        raise refused(
            "COPY into a table is refused: its checkpoint would stall every reader. Use LOAD FROM ... CREATE or MERGE; "
            "COPY (query) TO a file is possible."
        )


def _show(statement: Sequence[Token]) -> str:
    return statement[0].text[:40] if statement else "nothing"


def _creates_rows(statement: Sequence[Token]) -> bool:
    rest = statement[1:]
    is_named_path = len(rest) > 1 and rest[0].is_name and rest[1].is_sign("=")
    return bool(rest) and (rest[0].is_sign("(") or is_named_path)


def _check_token(tokens: Sequence[Token], place: int, allow_files: bool) -> None:
    token = tokens[place]
    if token.is_name and token.text.casefold() in _BOOKKEEPING:
        raise refused(f"{token.text} is a bookkeeping table of the server and cannot be queried.")
    if token.is_name and token.text.upper() == "STRUCT_PACK" and _signs(tokens, place + 1, "()"):
        raise refused("struct_pack() without values is refused: the engine dies of some uses of its result.")
    if not token.is_word("LOAD", "CALL") or _is_plain_name(tokens, place):
        return
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    if token.text == "LOAD" and following and following.is_word("FROM", "WITH"):
        _check_files("LOAD", tokens[place:], allow_files)
    if token.text == "CALL" and following and following.is_name:
        _check_call(following, tokens[place + 2] if place + 2 < len(tokens) else None)


def _signs(tokens: Sequence[Token], place: int, signs: str) -> bool:
    return len(tokens) >= place + len(signs) and all(
        token.is_sign(sign) for token, sign in zip(tokens[place:], signs, strict=False)
    )


_BOOKKEEPING = {name.casefold() for name in BOOKKEEPING}


def _is_plain_name(tokens: Sequence[Token], place: int) -> bool:
    """Say whether the word is an alias, a property or a label, although it could also start a clause."""
    before = tokens[place - 1] if place else None
    if before is None:
        return False
    if before.is_word("AS") or before.is_sign(":"):
        return True
    # Not behind a number: `1.` ends there, and what follows is a clause.
    return before.is_sign(".") and place > 1 and (tokens[place - 2].is_name or tokens[place - 2].is_sign(")]}"))


def _check_call(name: Token, following: Token | None) -> None:
    if following is None or not following.is_sign("("):
        raise refused(f"CALL {name.text.lower()} is refused: settings cannot be changed.")
    if name.text.upper() not in READ_PROCEDURES:
        known = ", ".join(sorted(procedure.lower() for procedure in READ_PROCEDURES))
        raise refused(f"CALL {name.text.lower()} is refused; the procedures that can be called are {known}.")


def _check_size(tokens: Sequence[Token]) -> None:
    depth = cases = deepest = deepest_case = 0
    for token in tokens:
        depth += token.is_sign("([{") - token.is_sign(")]}")
        cases += token.is_word("CASE") - (token.is_word("END") and cases > 0)
        deepest, deepest_case = max(deepest, depth), max(deepest_case, cases)
    if len(tokens) > MAX_TOKENS:
        raise refused(
            f"The query has {len(tokens)} words and signs; at most {MAX_TOKENS} are run. Pass data as parameters."
        )
    if deepest > MAX_DEPTH or deepest_case > MAX_CASE_DEPTH:
        raise refused(
            f"The query is nested too deeply; at most {MAX_DEPTH} brackets or {MAX_CASE_DEPTH} CASEs are run."
        )


def _last_return(tokens: Sequence[Token]) -> int | None:
    depth, found = 0, None
    for place, token in enumerate(tokens):
        depth += token.is_sign("([{") - token.is_sign(")]}")
        if depth == 0 and token.is_word("RETURN") and not _is_plain_name(tokens, place):
            found = place
    return found
