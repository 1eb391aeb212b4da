"""A plain CSV of attempts, or JSON lines, one attempt a line, that any log can be turned into.

Its columns are those of `column_names`, under these names or others that `--map` says. `time` is when the attempt
began; a log that has the time of its end has it as `end_time`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from simulator import codes
from streaming.importing.csv_log.column_names import END_TIME, LATENCY, THREAD, TIME, WHOLE
from streaming.importing.csv_log.csv_columns import plain_lines, table_of, thread_number
from streaming.importing.csv_log.csv_shape import LINE, CsvShape
from streaming.importing.csv_log.json_lines import values_of
from streaming.importing.hosts import broker_of
from streaming.importing.log_part import LogPart, text_blocks
from streaming.importing.log_rows import LogNotes, LogRows
from streaming.importing.texts.bad_value import BadValue
from streaming.importing.texts.numbers import milliseconds_of
from streaming.importing.texts.outcome_names import outcome_of
from streaming.importing.texts.times import time_us
from streaming.importing.trace import OUTCOME_NUMBERS
from streaming.texts.import_texts import ImportTexts

NAMES = (
    *("begin_us", "latency_us", "producer", "topic", "broker", "outcome", "message", "send_begin_us"),
    *WHOLE,
)
LATENCY_MAX_MS = 3_600_000
TOO_LONG = ImportTexts.LATENCY_TOO_LONG()
LINES_A_ROW = 50  # a quoted message of an exception has several lines
REPEATED, WHOLE_SENDS = "repeated header lines", "results of whole sends"
CONTINUED, EMPTY = "further lines of a row", "empty rows"


def read_csv(
    part: LogPart, hosts: Mapping[str, str], shape: CsvShape, notes: LogNotes
) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Sound rows and rejects of a part, block by block."""
    rows = LogRows(part, NAMES, "line")
    for block, first in text_blocks(part, LINE):
        while first < shape.first and block:
            block, first = block.partition(LINE)[2], first + 1
        at_once = _at_once(block, shape, hosts) if block else None
        if at_once is None:
            _take_lines(rows, block.decode(errors="replace").split("\n"), first, shape, hosts, notes)
            yield rows.take()
            continue
        found, sound, forms = at_once
        table = table_of(found, sound, part.number, first)
        for form, own in forms.items():
            notes.forms[form] += pc.sum(pc.and_(own, sound)).as_py() or 0
        notes.passed[WHOLE_SENDS] += _whole_sends(table)
        if len(table) < len(sound):
            lines = block.decode(errors="replace").split("\n")
            for place in pc.indices_nonzero(pc.invert(sound)).to_pylist():
                _take_lines(rows, [lines[place]], first + place, shape, hosts, notes)
        others, rejected = rows.take()
        if len(others):
            table = pa.concat_tables([table.select(others.column_names), others]).sort_by("line")
        yield table.select(others.column_names), rejected


def _whole_sends(table: pa.Table) -> int:
    return pc.sum(table.column("whole_send")).as_py() or 0


def _at_once(
    block: bytes, shape: CsvShape, hosts: Mapping[str, str]
) -> tuple[pa.Table, pa.Array, dict[str, pa.Array]] | None:
    try:
        return plain_lines(block, shape, hosts, latency_max_ms=LATENCY_MAX_MS)
    except pa.ArrowException:
        return None


def _take_lines(
    rows: LogRows, lines: list[str], first: int, shape: CsvShape, hosts: Mapping[str, str], notes: LogNotes
) -> None:
    place = 0
    while place < len(lines):
        count = _lines_of_row(lines, place, shape)
        _take(rows, first + place, "\n".join(lines[place : place + count]).rstrip("\r"), shape, hosts, notes)
        notes.passed[CONTINUED] += count - 1
        place += count


def _lines_of_row(lines: list[str], place: int, shape: CsvShape) -> int:
    """How many lines a row has: more than one where a quoted field goes on in lines that are no rows themselves."""
    if shape.is_json or '"' not in lines[place] or _fields(lines[place], shape):
        return 1
    for count in range(2, min(LINES_A_ROW, len(lines) - place) + 1):
        if len(_fields(lines[place + count - 1], shape)) == len(shape.header):
            return 1
        if len(_fields("\n".join(lines[place : place + count]), shape)) == len(shape.header):
            return count
    return 1


def _fields(text: str, shape: CsvShape) -> list[str]:
    """The fields of a row, which may have several lines; none if it is not CSV."""
    try:
        reader = csv.reader(io.StringIO(text, newline="\n"), delimiter=shape.delimiter, strict=True)
        fields = next(reader, [])
        return fields if next(reader, None) is None else []
    except csv.Error:
        return []


def _take(
    rows: LogRows, number: int, line: str, shape: CsvShape, hosts: Mapping[str, str], notes: LogNotes
) -> None:  # fmt: skip
    if not line.strip():
        return
    if not line.strip(" \r" + shape.delimiter):
        notes.passed[EMPTY] += 1
        return
    try:
        if "�" in line:
            raise BadValue(ImportTexts.RECORD_NOT_UTF8())
        values = _values(line, shape)
        if values is None:
            return
        while len(values) > len(shape.header) and not values[-1]:
            values.pop()
        if tuple(value.strip() for value in values) == shape.header:
            notes.passed[REPEATED] += 1
            return
        if len(values) != len(shape.header):
            raise BadValue(ImportTexts.OTHER_FIELDS(), f"{len(values)} fields")
        said = dict(shape.defaults)
        said |= {name: text.strip() for name, text in zip(shape.meanings, values, strict=True) if name is not None}
        row, form, attempts = _row(said, shape, hosts)
        rows.add(number, row)
        notes.forms[form] += 1
        notes.passed[WHOLE_SENDS] += attempts > 1
    except csv.Error as error:
        rows.reject(number, f"not CSV: {error}", line)
    except BadValue as bad:
        rows.reject(number, bad.reason, line, bad.value)


def _values(line: str, shape: CsvShape) -> list[str] | None:
    """The fields of a row, None for a line that is none. Raises BadValue and csv.Error."""
    if shape.is_json:
        return values_of(line, shape.header)
    # Alone: a quote that nothing closes takes no other line with it.
    return _fields(line, shape) if "\n" in line else shape.fields_of(line)


def _row(said: Mapping[str, str], shape: CsvShape, hosts: Mapping[str, str]) -> tuple[tuple[Any, ...], str, int]:
    """The values of NAMES, the form of the time, and of how many attempts the outcome speaks."""
    for name in ("producer", "topic"):
        if not said[name]:
            raise BadValue(ImportTexts.FIELD_EMPTY(name=name))
    time, form = time_us(said[TIME] if TIME in said else said[END_TIME], shape.times)
    latency_us = _latency_us(said[LATENCY], shape) if LATENCY in said else _between_us(said, shape)
    if not said["outcome"]:
        raise BadValue(ImportTexts.OUTCOME_EMPTY())
    outcome = outcome_of(said["outcome"])
    broker = broker_of(said["broker"], hosts) if said["broker"] else outcome.broker
    if broker is None and OUTCOME_NUMBERS[outcome.name] in (codes.SEND_OK, codes.BROKER_ERROR):
        raise BadValue(ImportTexts.BROKER_EMPTY())
    send_us = time_us(said["send_time"], shape.times)[0] if said.get("send_time") else None
    wholes = {name: _whole(name, said.get(name)) for name in WHOLE}
    if wholes["response_code"] is None:
        wholes["response_code"] = outcome.response_code
    begin_us = time if TIME in said else time - latency_us
    row = (
        begin_us, latency_us, said["producer"], said["topic"], broker, outcome.name, said.get("message") or None,
        send_us, *wholes.values(),
    )  # fmt: skip
    return row, form, outcome.attempts


def _latency_us(text: str, shape: CsvShape) -> int:
    try:
        latency_ms = milliseconds_of(text, shape.mark, shape.latency_unit)
    except BadValue as bad:
        raise BadValue(ImportTexts.LATENCY_BAD(reason=bad.reason), text) from None
    if latency_ms < 0:
        raise BadValue(ImportTexts.LATENCY_NEGATIVE(), text)
    if latency_ms > LATENCY_MAX_MS:
        raise BadValue(TOO_LONG, text)
    return round(latency_ms * 1000)


def _between_us(said: Mapping[str, str], shape: CsvShape) -> int:
    """The latency of a row that has begin and end instead."""
    between_us = time_us(said[END_TIME], shape.times)[0] - time_us(said[TIME], shape.times)[0]
    if between_us < 0:
        raise BadValue(ImportTexts.ENDS_BEFORE(end=END_TIME, begin=TIME), said[END_TIME])
    if between_us > 1000 * LATENCY_MAX_MS:
        raise BadValue(TOO_LONG, said[END_TIME])
    return between_us


def _whole(name: str, text: str | None) -> int | None:
    if not text:
        return None
    try:
        text = thread_number(text) if name == THREAD else text
        number = int(text.removesuffix(".0"))  # as pandas writes whole numbers of a column with gaps
    except ValueError:
        number = 2**31
    if not -1 <= number < 2**31:
        raise BadValue(ImportTexts.NO_WHOLE_NUMBER(name=name), text)
    return number
