"""The tokens of an SQL92 expression, one at a time, as the generated token manager finds them.

Source: rocketmq 4.2.0-5.5.0, SelectorParser.jj, SelectorParserTokenManager, SimpleCharStream, TokenMgrError.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

EOF = "<EOF>"
ID = "<ID>"
DECIMAL, FLOATING, STRING = "<DECIMAL_LITERAL>", "<FLOATING_POINT_LITERAL>", "<STRING_LITERAL>"
WORDS = ("NOT", "AND", "OR", "BETWEEN", "IN", "TRUE", "FALSE", "NULL", "IS")
TEXT_WORDS = ("CONTAINS", "STARTSWITH", "ENDSWITH")
SIGNS = ("=", "<>", ">", ">=", "<", "<=", "(", ",", ")", "+", "-")
TAB = 8

SKIPPED = re.compile(r"[ \t\n\r\f]|--[^\n\r]*(?:\r\n|\n|\r)|/\*[^*]*\*(?:\*|[^*/][^*]*\*)*/")
TOKENS = (
    (ID, re.compile(r"[a-zA-Z_$][a-zA-Z0-9_$]*")),
    (FLOATING, re.compile(r"[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+")),
    (DECIMAL, re.compile(r"0|[1-9][0-9]*[lL]?")),
    (STRING, re.compile(r"'(?:''|[^'])*'")),
    ("", re.compile(r"<>|>=|<=|[=><(),+-]")),
)
BEGUN = re.compile(r"'(?:''|[^'])*|/\*.*|/|\.", re.DOTALL)  # what may become a token or a comment, and does not
ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "'": "\\'", "\\": "\\\\"}


@dataclass(frozen=True)
class Token:
    """kind: a word of WORDS or TEXT_WORDS, a sign, or one in angle brackets. Line and column count from 1."""

    kind: str
    image: str
    line: int
    column: int


class LexicalError(ValueError):
    """TokenMgrError: what stands there begins no token. Line and column are those of the error."""

    def __init__(self, text: str, line: int, column: int) -> None:
        super().__init__(text)
        self.line, self.column = line, column


def escaped(text: str) -> str:
    """The text as errors show it: UTF-16 units beyond ASCII as \\u codes, no NUL."""
    found = []
    for unit in text:
        if unit in ESCAPES:
            found.append(ESCAPES[unit])
        elif unit != "\0":
            code = ord(unit)
            found.append(unit if 0x20 <= code <= 0x7E else f"\\u{code:04x}")
    return "".join(found)


def _units(text: str) -> str:
    """Each UTF-16 unit of a text as a letter of its own, as Java has them."""
    data = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(high << 8 | low) for high, low in zip(data[::2], data[1::2], strict=True))


class SqlLexer:
    """Reads an expression; `words`: the reserved words of the release."""

    def __init__(self, text: str, words: Sequence[str]) -> None:
        self._text, self._words = _units(text), frozenset(words)
        self._at, self._line, self._column, self._before = 0, 1, 0, ""

    def _read(self, until: int) -> tuple[int, int]:
        """Go on to `until`: line and column of the last character read (SimpleCharStream.UpdateLineColumn)."""
        for letter in self._text[self._at : until]:
            self._column += 1
            if self._before == "\n" or (self._before == "\r" and letter != "\n"):
                self._line, self._column = self._line + 1, 1
            if letter == "\t":
                self._column += TAB - 1 - (self._column - 1) % TAB
            self._before = letter
        self._at = until
        return self._line, self._column

    def next(self) -> Token:
        """The next token, EOF at the end. Raises LexicalError."""
        while (skipped := SKIPPED.match(self._text, self._at)) is not None:
            self._read(skipped.end())
        if self._at == len(self._text):
            return Token(EOF, "", self._line if self._text else 0, self._column)
        found = [(kind, match.end()) for kind, each in TOKENS if (match := each.match(self._text, self._at))]
        if not found:
            raise self._error()
        kind, end = max(found, key=lambda each: each[1])
        image = self._text[self._at : end]
        if kind == ID and image.upper() in self._words:
            kind = image.upper()
        line, column = self._read(self._at + 1)
        self._read(end)
        return Token(kind or image, image, line, column)

    def _error(self) -> LexicalError:
        begun, size = BEGUN.match(self._text, self._at), len(self._text)
        end = self._at if begun is None else begun.end()
        if end + 1 < size:
            after, letter = self._text[self._at : end], self._text[end]
            line, column = self._read(end + 1)
            what = f'"{escaped(letter)}" ({ord(letter)}), '
        else:
            after, what = self._text[self._at :], f"{EOF} "
            after = after if len(after) > 1 else ""
            line, column = self._read(size)
            line, column = (line + 1, 0) if self._text[-1] in ("\n", "\r") else (line, column + 1)
        text = f'Lexical error at line {line}, column {column}.  Encountered: {what}after : "{escaped(after)}"'
        return LexicalError(text, line, column)
