"""A table as mqadmin prints it: a line of column names that begin with #, and below it a line a row.

Columns may be apart by any blanks or tabs, rows and heads may be wrapped by a terminal, comments may stand between.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from streaming.errors import InputError
from streaming.init.mqadmin_commands import KNOWN_COLUMNS, NOT_READ, READ, CommandColumns
from streaming.init.saved_part import COMMENT, SavedPart
from streaming.texts.init_texts import InitTexts

COLUMN = re.compile(r"#[^#]+")
WORD = r"\S+"
WRAPPED_MOST = 4  # lines of one row
TIME = r"\d{4}-\d\d-\d\d\s+\d\d:\d\d:\d\d(?:[,.]\d+)?|N/A|null"
# What a column's value may be, where it is not just a word. Those of OPTIONAL are left blank by some releases.
VALUES: Mapping[str, str] = {
    "#Version": r"(?!(?:PUSH|PULL|POP|CLUSTERING|BROADCASTING)\s)(?:[A-Z][A-Z0-9_]*|null)", "#Type": r"PUSH|PULL|POP",
    "#Model": r"CLUSTERING|BROADCASTING", "#LastTime": TIME, "#Last Updated": TIME, "#BrokerAddrs": r"\{.*?\}|\S+",
    "#InTPS(LOAD)": r"[\d.,]+\(\S*\)", "#OutTPS(LOAD)": r"[\d.,]+\(\S*\)", "#Timer(Progress)": r"\S+\(.*?\)",
    "#PCWait(ms)": r"\d+|null", "#Hour": r"-?\d+[.,]\d+", "#SPACE": r"-?\d+[.,]\d+", "#ACTIVATED": r"true|false",
    "#Accumulation": r"-?\d+", "#InTPS": r"[\d.,]+", "#OutTPS": r"[\d.,]+", "#InMsg24Hour": r"\d+",
    "#OutMsg24Hour": r"\d+|NO_CONSUMER",
}  # fmt: skip


@dataclass(frozen=True)
class TableHead:
    """The columns of a part's first table. line: of the part; after: the first line below the head."""

    line: int
    after: int
    columns: tuple[str, ...]
    width: int


def head_of(part: SavedPart) -> TableHead | None:
    """The first line of column names, joined where a terminal wrapped it; None if there is none."""
    for number, line in enumerate(part.lines):
        if not line.lstrip().startswith("#") or COMMENT.match(line) or line.lstrip() == "#":
            continue
        width = max(len(own) for own in part.lines[number:])
        columns, after, text = _columns(line), number + 1, line
        while after < len(part.lines):
            text = text.ljust(width * (after - number)) + part.lines[after]
            joined = _columns(text)
            # A wrapped head goes on with column names alone.
            if "#" not in part.lines[after] or not KNOWN_COLUMNS.issuperset(joined[len(columns) - 1 :]):
                break
            columns, after = joined, after + 1
        if sum(name in KNOWN_COLUMNS for name in columns) > 1:
            return TableHead(number, after, columns, width)
    return None


def _columns(line: str) -> tuple[str, ...]:
    return tuple(" ".join(found[0].split()) for found in COLUMN.finditer(line))


def prints(part: SavedPart, columns: CommandColumns) -> bool:
    """Whether the part's first table has a command's columns; with the command above it, newer columns, too."""
    head = head_of(part)
    if head is None:
        return False
    is_echoed = part.command[:1] == (columns.command,)
    return columns.are(head.columns) or (is_echoed and set(columns.always) <= set(head.columns))


def printed_by(part: SavedPart) -> CommandColumns | None:
    """The command whose columns a part's first table has."""
    head = head_of(part)
    known = (*READ, *NOT_READ)
    return next((own for own in known if head is not None and own.are(head.columns)), None)


class PrintedTable:
    """The columns and rows of a part. Raises InputError for one without rows, or with a row that is cut off."""

    def __init__(self, part: SavedPart, optional: Sequence[str] = ()) -> None:
        head = head_of(part)
        if head is None:
            raise InputError(InitTexts.COLUMNS_EXPECTED().at(f"{part.place(0)}"))
        self._part, self._optional, self._head = part, optional, head
        self.columns = head.columns
        self._row_of = re.compile(r"\s*" + "".join(self._value(i, name) for i, name in enumerate(self.columns)))

    def rows(self) -> Iterator[tuple[int, Mapping[str, str]]]:
        """Line and values of each row by column name; it ends at a blank line or one that is no row."""
        lines, number, met = self._part.lines, self._head.after, 0
        while number < len(lines):
            line = lines[number]
            if number in self._part.noise or COMMENT.match(line) or (not line.strip() and not met):
                number += 1
                continue
            if line.startswith("---") or not line.strip():
                if met:
                    break
                number += 1
                continue
            row, used = self._row(number)
            met += 1
            yield number, row
            number += used
        if not met:
            raise InputError(InitTexts.NO_ROWS(columns=" ".join(self.columns)).at(self._part.place(self._head.line)))

    def _value(self, number: int, name: str) -> str:
        value = f"(?P<c{number}>{VALUES.get(name, WORD)})"
        return f"(?:{value}(?:\\s+|$))?" if name in self._optional else f"{value}(?:\\s+|$)"

    def _row(self, number: int) -> tuple[Mapping[str, str], int]:
        """A row's values and how many lines it takes."""
        lines = self._part.lines
        text = lines[number]
        for used in range(1, WRAPPED_MOST + 1):
            if found := self._row_of.fullmatch(text):
                values = {name: found[f"c{i}"] for i, name in enumerate(self.columns)}
                return {name: value for name, value in values.items() if value is not None}, used
            after = number + used
            if after >= len(lines) or not lines[after].strip() or len(text) > self._head.width * used:
                break
            text = text.ljust(self._head.width * used) + lines[after]
        line = lines[number]
        words = len(line.split())
        missing = f" without {self.columns[words]}" if words < len(self.columns) - len(self._optional) else ""
        raise InputError(
            InitTexts.ROW_EXPECTED(columns=" ".join(self.columns), got=line.strip()[:60], missing=missing).at(
                self._part.place(number)
            )
        )


def whole_number(part: SavedPart, number: int, column: str, text: str) -> int:
    """A count of a row. Raises InputError."""
    try:
        return int(text)
    except ValueError:
        raise InputError(InitTexts.WHOLE_NUMBER_EXPECTED(column=column, got=text).at(part.place(number))) from None


def decimal_number(part: SavedPart, number: int, column: str, text: str) -> float:
    """A figure of a row; Java prints a comma in some languages. Raises InputError."""
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise InputError(InitTexts.NUMBER_EXPECTED(column=column, got=text).at(part.place(number))) from None
    return value
