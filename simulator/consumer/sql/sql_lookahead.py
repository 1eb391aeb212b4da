"""How the generated parser looks ahead, and which tokens it says it expected where an expression ends wrongly.

Where it has to look at several tokens (LOOKAHEAD of the grammar) it remembers the look, and when it fails takes all
looks from that place again to list what could have followed. Source: JavaCC 5, SelectorParser.jj_scan_token, jj_save,
jj_rescan_token, jj_add_error_token, generateParseException; ParseException.initialise (rocketmq 4.2.0-5.5.0).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.consumer.sql.sql_lexer import DECIMAL, EOF, FLOATING, ID, STRING, SqlLexer, Token, escaped

UNLIMITED = 2**31 - 1
SHOWN_MAX = 100


@dataclass(frozen=True)
class Some:
    """A part that may come any number of times."""

    part: object


@dataclass(frozen=True)
class OneOf:
    """One of several parts, the first that fits."""

    parts: tuple[object, ...]


@dataclass(frozen=True)
class Named:
    """A rule of the grammar, by name."""

    name: str


# a text is a token, a tuple is one part after the other
Grammar = dict[str, object]


def grammar_of(text_words: Sequence[str]) -> Grammar:
    """The rules of SelectorParser.jj, as its looks ahead take them."""
    unary, text = Named("unary"), STRING
    listed = ("IN", "(", text, Some((",", text)), ")")
    tests = [part for word in text_words for part in ((word, text), ("NOT", word, text))]
    between = ("BETWEEN", unary, "AND", unary)
    compared = [(sign, unary) for sign in (">", ">=", "<", "<=")]
    comparison = Named("comparison")
    return {
        "or": (Named("and"), Some(("OR", Named("and")))),
        "and": (Named("equality"), Some(("AND", Named("equality")))),
        "equality": (
            comparison,
            Some(OneOf((("=", comparison), ("<>", comparison), ("IS", "NULL"), ("IS", "NOT", "NULL")))),
        ),
        "comparison": (
            unary,
            Some(OneOf((*compared, *tests, between, ("NOT", *between), listed, ("NOT", *listed)))),
        ),
        "unary": OneOf((("+", unary), ("-", unary), ("NOT", unary), Named("primary"))),
        "primary": OneOf(
            (OneOf((text, DECIMAL, FLOATING, "TRUE", "FALSE", "NULL")), ID, ("(", Named("or"), ")"))
        ),
    }  # fmt: skip


class _Enough(Exception):
    """As many tokens fit as are looked at."""


@dataclass
class _Look:
    """A look that is remembered: until which token, from where, at how many tokens."""

    until: int
    first: int
    most: int


class LookingAhead:
    """The tokens of an expression, the looks at them, and what was expected.

    `kinds`: of tokens, in the order of their numbers; `looks`: what is looked for, by number; `lists_twice`: a sequence
    is listed if it is in the list, as up to 5.1.2, not if it is not.
    """

    def __init__(
        self, lexer: SqlLexer, kinds: Sequence[str], grammar: Grammar, looks: Sequence[object], *, lists_twice: bool
    ) -> None:
        self._lexer, self._kinds, self._grammar, self._looks = lexer, kinds, grammar, looks
        self._tokens: list[Token] = []
        self.consumed = 0  # tokens so far
        self._missed: dict[int, set[str]] = {}  # by tokens consumed, what else would have fit
        self._saved: list[list[_Look]] = [[_Look(0, 0, 0)] for _ in looks]
        self._left = self._scanned = self._last = 0
        self._rescans, self._lists_twice = False, lists_twice
        self._sequences: list[tuple[str, ...]] = []
        self._sequence: list[str] = []

    def at(self, place: int) -> Token:
        """Token of that place; the first has 1. Raises LexicalError."""
        while len(self._tokens) < place:
            self._tokens.append(self._lexer.next())
        return self._tokens[place - 1]

    @property
    def next_kind(self) -> str:
        """Kind of the token that follows. Raises LexicalError."""
        return self.at(self.consumed + 1).kind

    def misses(self, kinds: Sequence[str]) -> None:
        """None of these kinds stands here."""
        self._missed.setdefault(self.consumed, set()).update(kinds)

    def look(self, number: int, most: int) -> bool:
        """Whether what that look is for follows, judged by at most so many tokens. Raises LexicalError."""
        self._left, self._last, self._scanned = most, self.consumed, self.consumed
        try:
            return self._fits(self._looks[number])
        except _Enough:
            return True
        finally:
            self._save(number, most)

    def _save(self, number: int, most: int) -> None:
        looks, place = self._saved[number], 0
        while looks[place].until > self.consumed:
            place += 1
            if place == len(looks):
                looks.append(_Look(0, 0, 0))
                break
        looks[place].until = self.consumed + most - self._left
        looks[place].first, looks[place].most = self.consumed, most

    def _fits(self, part: object) -> bool:
        if isinstance(part, str):
            return self._scan(part)
        if isinstance(part, tuple):
            return all(self._fits(each) for each in part)
        if isinstance(part, Named):
            return self._fits(self._grammar[part.name])
        begin = self._scanned
        if isinstance(part, Some):
            while self._fits(part.part):
                begin = self._scanned
            self._scanned = begin
            return True
        assert isinstance(part, OneOf)
        for each in part.parts:
            self._scanned = begin
            if self._fits(each):
                return True
        return False

    def _scan(self, kind: str) -> bool:
        is_new = self._scanned == self._last
        self._scanned += 1
        if is_new:
            self._left -= 1
            self._last = self._scanned
        found = self.at(self._scanned)
        if self._rescans:
            self._expect(kind, self._scanned - self.consumed)
        if found.kind != kind:
            return False
        if self._left == 0 and self._scanned == self._last:
            raise _Enough
        return True

    def _expect(self, kind: str, place: int) -> None:
        """jj_add_error_token: one more token of a sequence that is expected, or the first of another one."""
        if place >= SHOWN_MAX:
            return
        if place == len(self._sequence) + 1:
            self._sequence.append(kind)
        elif self._sequence:
            if self._is_listed(tuple(self._sequence)) is self._lists_twice:
                self._sequences.append(tuple(self._sequence))
            if place != 0:
                self._sequence[place - 1 :] = [kind]

    def _is_listed(self, found: tuple[str, ...]) -> bool:
        """Whether a sequence is in the list; from 5.1.3 also if the last one in it has another length."""
        if self._lists_twice or found in self._sequences:
            return found in self._sequences
        return bool(self._sequences) and len(self._sequences[-1]) != len(found)

    def unexpected(self, expected: str | None = None) -> str:
        """The message of the ParseException at the token that follows; `expected`: what had to be there.

        Raises LexicalError.
        """
        missed = self._missed.get(self.consumed, set()) | ({expected} if expected else set())
        self._sequences = [(kind,) for kind in self._kinds if kind in missed]
        self._sequence = []
        self._rescans = True
        for number, looks in enumerate(self._saved):
            try:
                for each in looks:
                    if each.until > self.consumed:
                        self._left, self._last, self._scanned = each.most, each.first, each.first
                        self._fits(self._looks[number])
            except _Enough:
                pass
        self._rescans = False
        self._expect("", 0)
        return self._message()

    def _message(self) -> str:
        longest = max(map(len, self._sequences), default=0)
        encountered = []
        for number in range(longest):
            token = self.at(self.consumed + 1 + number)
            if token.kind == EOF:
                encountered.append(EOF)
                break
            encountered.append(f' {_image(token.kind)} "{escaped(token.image)} "')
        first = self.at(self.consumed + 1)
        lines = [
            "".join(f"{_image(kind)} " for kind in sequence) + ("" if sequence[-1] == EOF else "...") + "\n    "
            for sequence in self._sequences
        ]
        head = f'Encountered "{" ".join(encountered)}" at line {first.line}, column {first.column}.\n'
        return head + f"Was expecting{'' if len(lines) == 1 else ' one of'}:\n    " + "".join(lines)


def _image(kind: str) -> str:
    return kind if kind.startswith("<") and len(kind) > 2 else f'"{kind}"'
