"""Parsing the part of Cypher that logs use. What is beyond it is refused, with the word that it stopped at."""

from lcg.wal.reference import syntax
from lcg.wal.reference.errors import Untranslated, unrecognised
from lcg.wal.reference.syntax import Apply, Assignment, Case, Clause, Column, Columns, Expression, Items, Param
from lcg.wal.reference.tokens import Token, tokens_of

_MAX_DEPTH = 32
_CONSTANTS = {"true": True, "false": False, "null": None}


def parse(statement: str) -> list[Clause]:
    """Return the clauses of a statement, of which there is at least one.

    Raises:
        Untranslated: it is beyond what is read here.
    """
    parser = _Parser(tokens_of(statement))
    clauses = parser.clauses()
    if not clauses:
        raise unrecognised("the statement changes nothing")
    return clauses


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._place = 0
        self._depth = 0
        self._made_up = 0

    # Words

    def _next(self) -> Token:
        token = self._tokens[self._place]
        if token.kind != "end":
            self._place += 1
        return token

    def _is_word(self, word: str) -> bool:
        token = self._tokens[self._place]
        return token.kind == "name" and str(token.value).lower() == word

    def _took_word(self, word: str) -> bool:
        if not self._is_word(word):
            return False
        self._place += 1
        return True

    def _took_sign(self, sign: str) -> bool:
        token = self._tokens[self._place]
        if token.kind != "sign" or token.value != sign:
            return False
        self._place += 1
        return True

    def _sign(self, sign: str) -> None:
        if not self._took_sign(sign):
            raise self._stopped()

    def _word(self, word: str) -> None:
        if not self._took_word(word):
            raise self._stopped()

    def _name(self) -> str:
        token = self._next()
        if token.kind != "name":
            raise self._stopped(token)
        return str(token.value)

    def _stopped(self, token: Token | None = None) -> Untranslated:
        token = token or self._tokens[self._place]
        if token.kind == "end":
            return unrecognised("the statement ends too early")
        shown = token.kind if token.kind in ("text", "number") else repr(str(token.value)[:40])
        return unrecognised(f"the statement goes on with {shown} where that is not read here")

    # Clauses

    def clauses(self) -> list[Clause]:
        found: list[Clause] = []
        while True:
            token = self._next()
            if token.kind == "end" or (token.kind == "sign" and token.value == ";"):
                return found
            match str(token.value).lower() if token.kind == "name" else "":
                case "match":
                    found.append(self._match())
                case "create":
                    found.append(syntax.Create(self._paths()))
                case "merge":
                    found.append(self._merge())
                case "set":
                    found.append(syntax.SetColumns(self._assignments()))
                case "detach":
                    self._word("delete")
                    found.append(syntax.Delete(self._variables()))
                case "delete":
                    found.append(syntax.Delete(self._variables()))
                case "return":
                    # What a statement answered changes nothing.
                    return found
                case _:
                    raise self._stopped(token)

    def _match(self) -> syntax.Match:
        paths = self._paths()
        return syntax.Match(paths, self.expression() if self._took_word("where") else None)

    def _merge(self) -> syntax.Merge:
        path = self._path()
        on: dict[str, tuple[Assignment, ...]] = {"create": (), "match": ()}
        while self._is_word("on"):
            self._next()
            event = self._name().lower()
            if event not in on:
                raise unrecognised("MERGE has ON with a word that is neither CREATE nor MATCH")
            self._word("set")
            on[event] += self._assignments()
        return syntax.Merge(path, on["create"], on["match"])

    def _assignments(self) -> tuple[Assignment, ...]:
        found = [self._assignment()]
        while self._took_sign(","):
            found.append(self._assignment())
        return tuple(found)

    def _assignment(self) -> Assignment:
        variable = self._name()
        column = self._name() if self._took_sign(".") else None
        if column is None:
            self._took_sign("+")
        self._sign("=")
        return Assignment(variable, column, self.expression())

    def _variables(self) -> tuple[str, ...]:
        found = [self._name()]
        while self._took_sign(","):
            found.append(self._name())
        return tuple(found)

    # Patterns

    def _paths(self) -> tuple[syntax.Path, ...]:
        found = [self._path()]
        while self._took_sign(","):
            found.append(self._path())
        return tuple(found)

    def _path(self) -> syntax.Path:
        nodes = [self._node()]
        links: list[syntax.Link] = []
        while True:
            backwards = self._took_sign("<")
            if not self._took_sign("-"):
                if backwards:
                    raise self._stopped()
                return syntax.Path(tuple(nodes), tuple(links))
            self._sign("[")
            variable, types, columns = self._inside("]")
            self._sign("-")
            forwards = self._took_sign(">")
            nodes.append(self._node())
            if backwards and forwards:
                raise unrecognised("a link points both ways")
            ends = nodes[-2:][::-1] if backwards else nodes[-2:]
            links.append(syntax.Link(variable, types, columns, *ends))

    def _node(self) -> syntax.Node:
        self._sign("(")
        return syntax.Node(*self._inside(")"))

    def _inside(self, close: str) -> tuple[str, tuple[str, ...], Columns]:
        """Read `variable:A:B|C {…}` and the sign that closes it."""
        variable = ""
        if self._tokens[self._place].kind == "name":
            variable = self._name()
        else:
            self._made_up += 1
            variable = f"({self._made_up})"
        kinds: list[str] = []
        while self._took_sign(":") or self._took_sign("|"):
            self._took_sign(":")
            kinds.append(self._name())
        columns = self._columns() if self._took_sign("{") else {}
        self._sign(close)
        return variable, tuple(kinds), columns

    def _columns(self) -> Columns:
        """Read `key: value, …}`, after the brace."""
        columns: Columns = {}
        if self._took_sign("}"):
            return columns
        while True:
            token = self._next()
            if token.kind not in ("name", "text"):
                raise self._stopped(token)
            self._sign(":")
            columns[str(token.value)] = self.expression()
            if self._took_sign("}"):
                return columns
            self._sign(",")

    # Expressions

    def expression(self) -> Expression:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise unrecognised(f"the statement nests deeper than {_MAX_DEPTH} levels")
        parts = [self._conjunction()]
        while self._took_word("or"):
            parts.append(self._conjunction())
        self._depth -= 1
        return parts[0] if len(parts) == 1 else Apply("or", tuple(parts))

    def _conjunction(self) -> Expression:
        parts = [self._condition()]
        while self._took_word("and"):
            parts.append(self._condition())
        return parts[0] if len(parts) == 1 else Apply("and", tuple(parts))

    def _condition(self) -> Expression:
        negated = False
        while self._took_word("not"):
            negated = not negated
        comparison = self._comparison()
        return Apply("not", (comparison,)) if negated else comparison

    def _comparison(self) -> Expression:
        left = self._value()
        for sign in ("=", "<>"):
            if self._took_sign(sign):
                return Apply(sign, (left, self._value()))
        if self._took_word("in"):
            return Apply("in", (left, self._value()))
        if self._took_word("is"):
            negated = self._took_word("not")
            self._word("null")
            empty = Apply("is null", (left,))
            return Apply("not", (empty,)) if negated else empty
        return left

    def _value(self) -> Expression:
        token = self._next()
        match token.kind, token.value:
            case (("text" | "number"), value):
                return syntax.Literal(value)
            case "param", name:
                return Param(str(name))
            case "sign", "-":
                number = self._next()
                if number.kind != "number" or isinstance(number.value, str):
                    raise self._stopped(number)
                return syntax.Literal(-number.value)
            case "sign", "[":
                return Items(self._arguments("]"))
            case "sign", "{":
                return syntax.Mapping(self._columns())
            case "sign", "(":
                inner = self.expression()
                self._sign(")")
                return inner
            case "name", name:
                return self._named(str(name))
            case _:
                raise self._stopped(token)

    def _named(self, name: str) -> Expression:
        if self._took_sign("("):
            return Apply(name.lower(), self._arguments(")"))
        if self._took_sign("."):
            return Column(name, self._name())
        if name.lower() == "case":
            return self._case()
        if name.lower() in _CONSTANTS:
            return syntax.Literal(_CONSTANTS[name.lower()])
        raise unrecognised(f"the value {name[:40]!r} is not read here")

    def _arguments(self, close: str) -> tuple[Expression, ...]:
        found: list[Expression] = []
        if self._took_sign(close):
            return ()
        while True:
            found.append(self.expression())
            if self._took_sign(close):
                return tuple(found)
            self._sign(",")

    def _case(self) -> Case:
        branches: list[tuple[Expression, Expression]] = []
        subject = None if self._is_word("when") else self.expression()
        while self._took_word("when"):
            condition = self.expression()
            if subject is not None:
                condition = Apply("=", (subject, condition))
            self._word("then")
            branches.append((condition, self.expression()))
        otherwise = self.expression() if self._took_word("else") else syntax.Literal(None)
        self._word("end")
        return Case(tuple(branches), otherwise)
