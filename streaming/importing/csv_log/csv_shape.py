"""How a CSV is written: its delimiter, its header, what its columns are, and the marks of its decimals."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from streaming.errors import InputError
from streaming.importing.csv_log.column_names import DEFAULTED, latency_unit, meanings_of
from streaming.importing.log_part import LogPart, text_blocks, text_parts
from streaming.importing.texts.log_bytes import UNREADABLE
from streaming.importing.texts.numbers import UNIT_NAMES, decimal_mark
from streaming.importing.texts.times import TimeRule

LINE = b"\n"
DELIMITERS = ",;\t|"
DELIMITER_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
EXCEL_SAYS = "sep="
LOOKED_AT = 20_000  # lines that are looked at for the decimal mark

BY_SIZE = TimeRule()


@dataclass(frozen=True)
class CsvChoices:
    """What the user says of a CSV. mapped: a column's meaning to its name. mark: of decimals, None: as it looks.

    latency_unit: None: as the name of the column says, or milliseconds.
    """

    mapped: Mapping[str, str] = field(default_factory=dict)
    times: TimeRule = BY_SIZE
    mark: str | None = None
    latency_unit: str | None = None


@dataclass(frozen=True)
class CsvShape:
    """One file. meanings: of its columns, None for one that is not used. header: its fields.

    first: line of its first row. mark: of the decimals of latencies, None: differs or cannot be told.
    defaults: for columns that it lacks.
    """

    meanings: tuple[str | None, ...]
    header: tuple[str, ...]
    first: int = 2
    delimiter: str = ","
    mark: str | None = "."
    latency_unit: str = "ms"
    times: TimeRule = BY_SIZE
    defaults: Mapping[str, str] = field(default_factory=dict)

    def fields_of(self, line: str) -> list[str]:
        """The fields of a line. Raises csv.Error."""
        return next(csv.reader([line], delimiter=self.delimiter, strict=True), [])

    def told(self) -> list[str]:
        """What is worth to know of how it is read."""
        told = [f"{meaning}: the log has no such column, taken as {name!r}" for meaning, name in self.defaults.items()]
        name = self.header[self.meanings.index("latency_ms")]
        if latency_unit(name) is None:
            told.append(f"latency: {UNIT_NAMES[self.latency_unit]}; the name of the column {name} says no unit")
        elif self.latency_unit != "ms":
            told.append(f"latency: {UNIT_NAMES[self.latency_unit]}")
        if unused := [
            name for name, meaning in zip(self.header, self.meanings, strict=True) if meaning is None and name
        ]:
            told.append(f"columns not used: {', '.join(unused)}")
        return told


def shape_of(file: Path, choices: CsvChoices) -> CsvShape:
    """How a file is written. Raises InputError."""
    try:
        lines = _lines(file)
        number, header = next(((at, text) for at, text in lines if _may_be_header(text)), (1, ""))
        if header.lower().startswith(EXCEL_SAYS):
            delimiter = header[len(EXCEL_SAYS) :][:1] or ","
            number, header = next(lines, (number + 1, ""))
        else:
            delimiter = _delimiter(header)
        if "\0" in header or "�" in header:
            raise InputError(f"{file}, line {number}: not a text in UTF-8, nor in UTF-16 with a byte order mark")
        names = [name.strip() for name in next(csv.reader([header], delimiter=delimiter), [])]
        while names and not names[-1]:
            names.pop()
        rows = [row for _, text in lines if text.strip() and (row := _row(text, delimiter))]
    except UNREADABLE as error:
        raise InputError(f"{file}: cannot be read: {error}") from error
    except csv.Error as error:
        raise InputError(f"{file}, line 1: not CSV: {error}") from error
    if not names:
        raise InputError(f"{file}: is empty")
    meanings = meanings_of(str(file), number, names, rows[0] if rows else (), choices.mapped)
    place = meanings.index("latency_ms")
    latencies = [row[place].strip() for row in rows if len(row) > place]
    defaults = {DEFAULTED[0]: file.name.partition(".")[0], DEFAULTED[1]: DEFAULTED[1]}
    return CsvShape(
        meanings=tuple(meanings),
        header=tuple(names),
        first=number + 1,
        delimiter=delimiter,
        mark=choices.mark or decimal_mark(latencies),
        latency_unit=choices.latency_unit or latency_unit(names[place]) or "ms",
        times=choices.times,
        defaults={name: text for name, text in defaults.items() if name not in meanings},
    )


def shapes_of(files: Sequence[Path], choices: CsvChoices) -> dict[str, CsvShape]:
    """Each file's own. Raises InputError."""
    return {str(file): shape_of(file, choices) for file in files}


def _may_be_header(text: str) -> bool:
    return bool(text.strip(" ,;\t|")) and not text.startswith("#")


def _delimiter(header: str) -> str:
    return max(DELIMITERS, key=lambda one: len(next(csv.reader([header], delimiter=one), [])))


def _row(text: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([text], delimiter=delimiter), [])
    except csv.Error:
        return []


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """The first lines of a file, with their numbers; of a file that is cut off those that are there."""
    parts: list[LogPart] = text_parts([file], LINE, cut=False)
    number = 0
    try:
        for part in parts:
            for block, first in text_blocks(part, LINE):
                for number, line in enumerate(block.decode(errors="replace").split("\n"), start=first):
                    if number > LOOKED_AT:
                        return
                    yield number, line.rstrip("\r")
    except UNREADABLE:
        if not number:
            raise
