"""From the text of an SQL92 expression to what a broker of a release evaluates, or its error.

A broker reads as far as an expression goes and ignores the rest: the grammar does not ask for the end of the text.
Source: rocketmq 4.2.0-5.5.0, SelectorParser.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from simulator.consumer.sql.java_values import JavaError
from simulator.consumer.sql.sql_building import (
    PARSE_EXCEPTION,
    as_boolean,
    between,
    decimal_of,
    equal_to,
    float_of,
    in_list,
    is_null,
    not_between,
    ordered,
)
from simulator.consumer.sql.sql_expression import Constant, Expression, Logic, Negated, Not, Property, TextTest
from simulator.consumer.sql.sql_lexer import (
    DECIMAL,
    EOF,
    FLOATING,
    ID,
    SIGNS,
    STRING,
    TEXT_WORDS,
    WORDS,
    LexicalError,
    SqlLexer,
    Token,
)
from simulator.consumer.sql.sql_lookahead import UNLIMITED, LookingAhead, Named, grammar_of

LEXICAL = "org.apache.rocketmq.filter.parser.TokenMgrError"
COMPARED = (">", ">=", "<", "<=")
VALUES = ("TRUE", "FALSE", "NULL")


@dataclass(frozen=True)
class SqlDialect:
    """What a release makes of SQL92: its words beside the standard's, and how its errors list what was expected."""

    text_words: tuple[str, ...]
    lists_twice: bool


PLAIN_SQL = SqlDialect((), lists_twice=True)
SQL_WITH_TEXT_WORDS = SqlDialect(TEXT_WORDS, lists_twice=False)  # JavaCC 7 generated the parser


@dataclass(frozen=True)
class ParsedSql:
    """ignored: place of the first token behind the expression, as (line, column), None where it ends the text."""

    expression: Expression
    ignored: tuple[int, int] | None


class SqlError(ValueError):
    """An expression that the broker does not compile: its remark, and where it stopped reading."""

    def __init__(self, text: str, line: int, column: int) -> None:
        super().__init__(text)
        self.line, self.column = line, column


def parse_sql(text: str, dialect: SqlDialect) -> ParsedSql:
    """What a broker makes of an expression.

    Raises SqlError with the remark of SUBSCRIPTION_PARSE_FAILED.
    """
    parser = _SelectorParser(text, dialect)
    try:
        found = as_boolean(parser.disjunction())
    except LexicalError as error:
        raise SqlError(f"{LEXICAL}: {error}", error.line, error.column) from None
    except JavaError as error:
        raise SqlError(str(error), *parser.place) from None
    except RecursionError:
        raise SqlError("nested too deeply to be read here", *parser.place) from None
    rest = parser.following
    return ParsedSql(found, None if rest.kind == EOF else (rest.line, rest.column))


class _SelectorParser:
    """Recursive descent in the order of the generated parser."""

    def __init__(self, text: str, dialect: SqlDialect) -> None:
        text_words = dialect.text_words
        words = (*WORDS, *text_words)
        kinds = (EOF, *words, DECIMAL, FLOATING, STRING, ID, *SIGNS)
        self._text_words = text_words
        unary = Named("unary")
        # what stands behind NOT is looked at last, and + at the very last
        ends = [(word, STRING) for word in text_words] + [("BETWEEN", unary, "AND", unary), ("IN", "(")]
        looks = [("IS", "NULL"), *(("NOT", *end) for end in ends), ("+", unary)]
        lexer, grammar = SqlLexer(text, words), grammar_of(text_words)
        self._tokens = LookingAhead(lexer, kinds, grammar, looks, lists_twice=dialect.lists_twice)
        self._plus = len(looks) - 1

    @property
    def following(self) -> Token:
        """The token that follows what was read."""
        return self._tokens.at(self._tokens.consumed + 1)

    @property
    def place(self) -> tuple[int, int]:
        """Line and column of the last token that was read."""
        token = self._tokens.at(max(self._tokens.consumed, 1))
        return token.line, token.column

    def _take(self, kind: str | None = None) -> Token:
        """The token that follows. Raises JavaError for one of another kind."""
        token = self.following
        if token.kind != kind:
            raise self._unexpected(kind)
        self._tokens.consumed += 1
        return token

    def _unexpected(self, expected: str | None = None) -> JavaError:
        text = self._tokens.unexpected(expected)
        self._tokens.consumed += 1  # the place of the error
        return JavaError(PARSE_EXCEPTION, text)

    def _takes_one_of(self, kinds: Sequence[str]) -> str | None:
        """The kind of the token that follows if it is one of these, and the token is read."""
        kind = self._stands(kinds)
        if kind is not None:
            self._take(kind)
        return kind

    def _stands(self, kinds: Sequence[str]) -> str | None:
        kind = self._tokens.next_kind
        if kind in kinds:
            return kind
        self._tokens.misses(kinds)
        return None

    def disjunction(self) -> Expression:
        """Conditions between OR."""
        left = self._conjunction()
        while self._takes_one_of(("OR",)):
            right = self._conjunction()
            left = Logic("||", as_boolean(left), as_boolean(right))
        return left

    def _conjunction(self) -> Expression:
        left = self._equality()
        while self._takes_one_of(("AND",)):
            right = self._equality()
            left = Logic("&&", as_boolean(left), as_boolean(right))
        return left

    def _equality(self) -> Expression:
        left = self._comparison()
        while self._stands(("IS", "=", "<>")):
            sign = self._takes_one_of(("=", "<>"))
            if sign is not None:
                right = self._comparison()
                left = equal_to(left, right) if sign == "=" else Not(equal_to(left, right))
            elif self._tokens.look(0, 2):
                self._take("IS")
                self._take("NULL")
                left = is_null(left, is_not=False)
            else:
                self._take("IS")
                self._take("NOT")
                self._take("NULL")
                left = is_null(left, is_not=True)
        return left

    def _comparison(self) -> Expression:
        left = self._unary()
        while self._stands(("NOT", "BETWEEN", "IN", *self._text_words, *COMPARED)):
            left = self._compared(left)
        return left

    def _compared(self, left: Expression) -> Expression:
        """One comparison: a sign, or a word with or without NOT, asked for in the order of the grammar."""
        words: Sequence[str] = (*self._text_words, "BETWEEN", "IN")
        kinds: tuple[str, ...] = COMPARED
        for number, word in enumerate(words, start=1):
            found = self._takes_one_of((*kinds, word))
            kinds = ()
            if found in COMPARED:
                return ordered(found, left, self._unary())
            if found is not None:
                return self._words(word, left, is_not=False)
            if self._tokens.look(number, 2):
                self._take("NOT")
                self._take(word)
                return self._words(word, left, is_not=True)
        raise self._unexpected()

    def _words(self, word: str, left: Expression, is_not: bool) -> Expression:
        if word == "BETWEEN":
            low = self._unary()
            self._take("AND")
            build: Callable[[Expression, Expression, Expression], Expression] = not_between if is_not else between
            return build(left, low, self._unary())
        if word == "IN":
            self._take("(")
            elements = [self._text()]
            while self._takes_one_of((",",)):
                elements.append(self._text())
            self._take(")")
            return in_list(left, elements, is_not)
        return TextTest(word, left, self._text(), is_not)

    def _unary(self) -> Expression:
        if self._tokens.look(self._plus, UNLIMITED):
            self._take("+")
            return self._unary()
        sign = self._stands(("-", "NOT", *VALUES, DECIMAL, FLOATING, STRING, ID, "("))
        if sign == "-":
            self._take("-")
            return Negated(self._unary())
        if sign == "NOT":
            self._take("NOT")
            return Not(as_boolean(self._unary()))
        if sign is None:
            raise self._unexpected()
        return self._primary(sign)

    def _primary(self, kind: str) -> Expression:
        if kind == "(":
            self._take("(")
            found = self.disjunction()
            self._take(")")
            return found
        if kind == STRING:
            return Constant(self._text())
        image = self._take(kind).image
        if kind == ID:
            return Property(image)
        if kind in VALUES:
            return Constant({"TRUE": True, "FALSE": False}.get(kind))
        return decimal_of(image) if kind == DECIMAL else float_of(image)

    def _text(self) -> str:
        return self._take(STRING).image[1:-1].replace("''", "'")
