"""How a CSV or JSON lines are written: delimiter, header, what the columns are, units and the marks of decimals."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from state.texts import at
from streaming.errors import InputError
from streaming.importing.csv_log.column_aliases import side_of
from streaming.importing.csv_log.column_names import DEFAULTED, END_TIME, LATENCY, TIME, latency_unit, meanings_of
from streaming.importing.csv_log.json_lines import OPEN, header_of, is_json, object_of
from streaming.importing.log_part import LogPart, text_blocks, text_parts
from streaming.importing.texts.bad_value import BadValue
from streaming.importing.texts.log_bytes import UNREADABLE
from streaming.importing.texts.numbers import UNIT_NAMES, WITH_UNIT, decimal_mark
from streaming.importing.texts.times import TimeRule
from streaming.texts.import_note_texts import ImportNoteTexts
from streaming.texts.import_texts import ImportTexts
from streaming.texts.output_texts import OutputTexts

LINE = b"\n"
DELIMITERS = ",;\t|"
EXCEL_SAYS = "sep="
LOOKED_AT = 20_000  # lines that are looked at for the decimal mark
LOOKED_AT_FIRST = 100  # rows that are looked at for what a column is
GUESSED_BYTES = 65_536

BY_SIZE = TimeRule()


@dataclass(frozen=True)
class CsvChoices:
    """What the user says of a CSV. mapped: a column's meaning to its name. mark: of decimals, None: as it looks.

    latency_unit: None: as the name of the column says. encoding: None: UTF-8, or UTF-16 with a byte order mark.
    """

    mapped: Mapping[str, str] = field(default_factory=dict)
    times: TimeRule = BY_SIZE
    mark: str | None = None
    latency_unit: str | None = None
    encoding: str | None = None


@dataclass(frozen=True)
class CsvShape:
    """One file. meanings: of its columns, None for one that is not used. header: its fields.

    first: line of its first row. mark: of the decimals of latencies, None: differs or is not clear.
    defaults: for columns that it lacks. is_json: JSON lines, of which header is the keys.
    """

    meanings: tuple[str | None, ...]
    header: tuple[str, ...]
    first: int = 2
    delimiter: str = ","
    mark: str | None = "."
    latency_unit: str = "ms"
    times: TimeRule = BY_SIZE
    defaults: Mapping[str, str] = field(default_factory=dict)
    is_json: bool = False

    def fields_of(self, line: str) -> list[str]:
        """The fields of a line. Raises csv.Error."""
        return next(csv.reader([line], delimiter=self.delimiter, strict=True), [])

    def notes(self) -> list[str]:
        """What is worth to know of how it is read."""
        taken = ImportNoteTexts.COLUMN_TAKEN_AS
        notes: list[str] = [taken(name=name).at(meaning) for meaning, name in self.defaults.items()]
        if LATENCY not in self.meanings:
            notes.append(ImportNoteTexts.LATENCY_FROM_TIMES().at("latency"))
        elif self.latency_unit != "ms" or latency_unit(self.name_of(LATENCY)) is None:
            notes.append(f"latency: {UNIT_NAMES[self.latency_unit]}")
        if TIME in self.meanings and side_of(self.name_of(TIME)) == "end":
            notes.append(ImportNoteTexts.TIME_IS_AN_END(column=self.name_of(TIME), meaning=END_TIME).at(TIME))
        if unused := [
            name for name, meaning in zip(self.header, self.meanings, strict=True) if meaning is None and name
        ]:
            notes.append(ImportNoteTexts.COLUMNS_NOT_USED(columns=", ".join(unused)))
        return notes

    def name_of(self, meaning: str) -> str:
        """The name of the column with a meaning."""
        return self.header[self.meanings.index(meaning)]


def shape_of(file: Path, choices: CsvChoices) -> CsvShape:
    """How a file is written. Raises InputError."""
    try:
        read = _read_shape(file, choices)
    except UNREADABLE as error:
        raise InputError(OutputTexts.UNREADABLE(why=error).at(file)) from error
    except csv.Error as error:
        raise InputError(ImportTexts.NOT_CSV(why=error).at(f"{file}, line 1")) from error
    names, rows, number, delimiter, is_json = read
    if not names:
        raise InputError(ImportTexts.FILE_EMPTY().at(file))
    if len(names) == 1 and len(names[0].split()) > 3 and not is_json:
        raise InputError(ImportTexts.SEPARATOR_EXPECTED().at(f"{file}, line {number}"))
    meanings = meanings_of(str(file), number, names, _first_values(rows, len(names)), choices.mapped)
    unit = choices.latency_unit
    latencies: list[str] = []
    if LATENCY in meanings:
        place = meanings.index(LATENCY)
        latencies = [row[place].strip() for row in rows if len(row) > place]
        unit = unit or latency_unit(names[place]) or _asked_unit(file, number, names[place], latencies)
    defaults = {DEFAULTED[0]: file.name.partition(".")[0], DEFAULTED[1]: DEFAULTED[1]}
    return CsvShape(
        meanings=tuple(meanings),
        header=tuple(names),
        first=number if is_json else number + 1,
        delimiter=delimiter,
        mark=choices.mark or decimal_mark(latencies),
        latency_unit=unit or "ms",
        times=choices.times,
        defaults={name: text for name, text in defaults.items() if name not in meanings},
        is_json=is_json,
    )


def _asked_unit(file: Path, number: int, name: str, latencies: Sequence[str]) -> str:
    """Milliseconds where every value has a unit of its own. Raises InputError: a number alone may be in any."""
    if all(WITH_UNIT.fullmatch(text) for text in latencies if text):
        return "ms"
    bare = next(text for text in latencies if text and not WITH_UNIT.fullmatch(text))
    raise InputError(ImportTexts.LATENCY_WITHOUT_UNIT(name=name, bare=bare).at(f"{file}, line {number}"))


def _first_values(rows: Sequence[Sequence[str]], columns: int) -> list[str]:
    """The first value of each column that is not empty."""
    looked_at = rows[:LOOKED_AT_FIRST]
    return [next((row[i] for row in looked_at if len(row) > i and row[i].strip()), "") for i in range(columns)]


def _read_shape(file: Path, choices: CsvChoices) -> tuple[list[str], list[list[str]], int, str, bool]:
    """Names, the first rows, the line of the header (JSON: of the first row), the delimiter, whether it is JSON."""
    lines = _lines(file, choices.encoding)
    number, header = next(((place, text) for place, text in lines if _may_be_header(text)), (1, ""))
    if "\0" in header or "�" in header:
        raise InputError(at(f"{file}, line {number}", _encoding_asked(file)))
    if is_json(header):
        names, rows = _json_rows(file, number, [header, *(text for _, text in lines)])
        return names, rows, number, ",", True
    if header.lower().startswith(EXCEL_SAYS):
        delimiter = header[len(EXCEL_SAYS) :][:1] or ","
        number, header = next(lines, (number + 1, ""))
    else:
        delimiter = _delimiter(header)
    names = [name.strip() for name in next(csv.reader([header], delimiter=delimiter), [])]
    while names and not names[-1]:
        names.pop()
    return (
        names,
        [row for _, text in lines if text.strip() and (row := _row(text, delimiter))],
        number,
        delimiter,
        False,
    )


def _json_rows(file: Path, number: int, lines: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    objects = []
    for place, line in enumerate(lines, start=number):
        try:
            objects.append(object_of(line) or {})
        except BadValue as bad:
            if place == number:
                how = ImportTexts.JQ_WRITES_LINES() if line.lstrip().startswith(OPEN) else ""
                raise InputError(bad.reason.followed_by(how).at(f"{file}, line {place}")) from None
    names = header_of(objects)
    return names, [[each.get(name, "") for name in names] for each in objects if each]


def _encoding_asked(file: Path) -> str:
    """Which encoding a file may be in that is not in UTF-8."""
    with file.open("rb") as opened:
        start = opened.read(GUESSED_BYTES)
    zeros = [start[parity::2].count(0) for parity in (0, 1)]
    if sum(zeros):
        return ImportTexts.UTF16(order="le" if zeros[1] > zeros[0] else "be")
    try:
        codecs.getincrementaldecoder("gb18030")().decode(start)
    except UnicodeDecodeError:
        return ImportTexts.NOT_UTF8()
    return "not a text in UTF-8; is it GBK? Name its encoding: --encoding gbk"


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


def _lines(file: Path, encoding: str | None) -> Iterator[tuple[int, str]]:
    """The first lines of a file, with their numbers; of a file that is cut off those that are there."""
    parts: list[LogPart] = text_parts([file], LINE, cut=False, encoding=encoding)
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
