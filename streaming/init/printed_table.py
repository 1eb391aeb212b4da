"""A table as mqadmin prints it: a line of column names that begin with #, and below it a line a row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from streaming.errors import InputError
from streaming.init.saved_part import SavedPart

COLUMN = re.compile(r"#[^#]+")
WORD = re.compile(r"\S+")


class PrintedTable:
    """The columns and rows of a part. Raises InputError for one without rows, or with a row that is cut off."""

    def __init__(self, part: SavedPart, optional: Sequence[str] = ()) -> None:
        self._part, self._optional = part, optional
        self._head = next(n for n, line in enumerate(part.lines) if line.startswith("#"))
        found = [(each[0].strip(), each.start()) for each in COLUMN.finditer(part.lines[self._head])]
        self.columns = [name for name, _ in found]
        self._starts = [start for _, start in found]

    def rows(self) -> Iterator[tuple[int, Mapping[str, str]]]:
        """Line and values of each row by column name; it ends at a blank line or one that is no row."""
        met = 0
        for number, line in enumerate(self._part.lines[self._head + 1 :], self._head + 1):
            if not line.strip() or line.startswith("---"):
                if met:
                    break
                continue
            met += 1
            yield number, self._row(number, line)
        if not met:
            raise InputError(
                f"{self._part.place(self._head)}: the columns {' '.join(self.columns)} have no row below them;"
                " save the whole output"
            )

    def _row(self, number: int, line: str) -> Mapping[str, str]:
        words = [(word[0], word.start()) for word in WORD.finditer(line)]
        if len(words) == len(self.columns):
            return dict(zip(self.columns, (word for word, _ in words), strict=True))
        row = self._by_place(words)
        missing = [name for name in self.columns if name not in row and name not in self._optional]
        if missing:
            raise InputError(
                f"{self._part.place(number)}: expected the columns {' '.join(self.columns)}, got {line.strip()[:60]!r}"
                f" without {missing[0]}; save the whole output, lines not wrapped"
            )
        return row

    def _by_place(self, words: Sequence[tuple[str, int]]) -> Mapping[str, str]:
        """Each word under the column that begins nearest to it: where a value is missing or has spaces."""
        row: dict[str, str] = {}
        for word, start in words:
            name = min(zip(self.columns, self._starts, strict=True), key=lambda own: abs(own[1] - start))[0]
            row[name] = f"{row[name]} {word}" if name in row else word
        return row


def whole_number(part: SavedPart, number: int, column: str, text: str) -> int:
    """A count of a row. Raises InputError."""
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{part.place(number)}: {column}: expected a whole number, got {text!r}") from None


def decimal_number(part: SavedPart, number: int, column: str, text: str) -> float:
    """A figure of a row. Raises InputError."""
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{part.place(number)}: {column}: expected a number, got {text!r}") from None
