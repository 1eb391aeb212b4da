"""A block of a CSV at once, column by column, as far as its lines are plain; the others are left to be read one by one.

What a value means is said in `texts`; here it is only decided without looking at every line.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable, Mapping

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pv

from simulator import codes
from streaming.importing.csv_log.column_names import END_TIME, LATENCY, THREAD, TIME, WHOLE
from streaming.importing.csv_log.csv_shape import CsvShape
from streaming.importing.csv_log.json_lines import values_of
from streaming.importing.hosts import broker_of
from streaming.importing.texts.bad_value import BadValue
from streaming.importing.texts.numbers import COMMA, MS_A_UNIT
from streaming.importing.texts.outcome_names import SaidOutcome, outcome_of
from streaming.importing.texts.times import times_us
from streaming.importing.trace import COLUMNS, OUTCOME_NUMBERS

NUMBERS = {".": r"^\d{1,16}(\.\d{1,9})?$", ",": r"^\d{1,16}(,\d{1,9})?$"}
WHOLE_NUMBER = r"^(-1|\d{1,9})$"
ANSWERED = [name for name, kind in OUTCOME_NUMBERS.items() if kind in (codes.SEND_OK, codes.BROKER_ERROR)]
UNKNOWN = SaidOutcome("")


def plain_lines(
    block: bytes, shape: CsvShape, hosts: Mapping[str, str], *, latency_max_ms: float
) -> tuple[pa.Table, pa.Array, dict[str, pa.Array]] | None:
    """The columns of a trace that the lines say, which lines are sound, and whose times have which form.

    None if the block is no plain table.
    """
    texts = _json_texts(block, shape) if shape.is_json else _csv_texts(block, shape)
    if texts is None:
        return None
    lines = len(texts[0])
    columns = {name: pa.repeat(pa.scalar(text), lines) for name, text in shape.defaults.items()}
    for place, name in enumerate(shape.meanings):
        if name is not None:
            columns[name] = pc.utf8_trim_whitespace(texts[place])
    found = {"producer": columns["producer"], "topic": columns["topic"]}
    sound = pc.and_(pc.greater(pc.utf8_length(found["producer"]), 0), pc.greater(pc.utf8_length(found["topic"]), 0))
    time, forms = times_us(columns[TIME] if TIME in columns else columns[END_TIME], shape.times)
    if LATENCY in columns:
        latency_ms = _latencies(columns[LATENCY], shape)
    else:
        latency_ms = pc.divide(
            pc.cast(pc.subtract(times_us(columns[END_TIME], shape.times)[0], time), pa.float64()), 1e3
        )
    found["latency_us"] = pc.cast(pc.round(pc.multiply(latency_ms, 1000.0)), pa.int64())
    found["begin_us"] = time if TIME in columns else pc.subtract(time, found["latency_us"])
    _add_outcomes(found, columns["outcome"])
    found["broker"] = pc.coalesce(
        _mapped(columns["broker"], lambda text: broker_of(text, hosts) if text else None), found.pop("sent_to")
    )
    answered = pc.is_in(found["outcome"], pa.array(ANSWERED))
    sound = _all(
        sound, pc.is_valid(time), pc.less_equal(latency_ms, latency_max_ms),
        pc.greater_equal(latency_ms, 0.0), pc.is_valid(found["outcome"]),
        pc.or_(pc.invert(answered), pc.is_valid(found["broker"])),
    )  # fmt: skip
    if "message" in columns:
        found["message"] = pc.if_else(pc.equal(columns["message"], ""), None, columns["message"])
    if "send_time" in columns:
        empty = pc.equal(columns["send_time"], "")
        found["send_begin_us"], _ = times_us(columns["send_time"], shape.times)
        sound = _all(sound, pc.or_(empty, pc.is_valid(found["send_begin_us"])))
    if THREAD in columns:
        columns[THREAD] = _mapped(columns[THREAD], thread_number)
    for name in WHOLE:
        if name in columns:
            empty, is_whole = pc.equal(columns[name], ""), pc.match_substring_regex(columns[name], WHOLE_NUMBER)
            number = pc.cast(pc.if_else(is_whole, columns[name], None), pa.int64())
            found[name] = pc.coalesce(number, found[name]) if name in found else number
            sound = _all(sound, pc.or_(empty, is_whole))
    return pa.table(found), pc.fill_null(sound, False), forms


def _csv_texts(block: bytes, shape: CsvShape) -> list[pa.Array] | None:
    numbered = [str(place) for place in range(len(shape.header))]
    try:
        said = pv.read_csv(
            io.BytesIO(block),
            pv.ReadOptions(column_names=numbered, block_size=max(len(block), 1) + 1, use_threads=False),
            pv.ParseOptions(ignore_empty_lines=False, delimiter=shape.delimiter),
            pv.ConvertOptions(column_types=dict.fromkeys(numbered, pa.string()), strings_can_be_null=False),
        ).combine_chunks()
    except pa.ArrowException:
        return None
    if len(said) != block.count(b"\n") + (not block.endswith(b"\n")):
        return None
    return [_only(said.column(place)) for place in range(len(shape.header))]


def _json_texts(block: bytes, shape: CsvShape) -> list[pa.Array] | None:
    """Every line has a place, empty where it is no object: it is then read, and rejected, on its own."""
    rows, empty = [], [""] * len(shape.header)
    for line in block.decode(errors="replace").removesuffix("\n").split("\n"):
        try:
            rows.append((values_of(line, shape.header) if "\ufffd" not in line else None) or empty)
        except BadValue:
            rows.append(empty)
    return [pa.array(column, pa.string()) for column in zip(*rows, strict=True)] if rows else None


def table_of(found: pa.Table, sound: pa.Array, part: int, first: int) -> pa.Table:
    """The sound lines as rows of a trace, and in `whole_send` whether the outcome is that of several attempts.

    first: the number of the first line.
    """
    count = len(found)
    lines = pa.array(range(first, first + count), pa.int64())
    more = {"part": pa.array([part] * count, pa.int32()), "line": lines}
    arrays = []
    for field in COLUMNS:
        given = more.get(field.name, found.column(field.name) if field.name in found.column_names else None)
        arrays.append(pa.nulls(count, field.type) if given is None else pc.cast(given, field.type))
    whole_send = found.column("whole_send").filter(sound)
    return pa.table(arrays, names=COLUMNS.names).filter(sound).cast(COLUMNS).append_column("whole_send", whole_send)


def _only(column: pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def _all(*flags: pa.Array) -> pa.Array:
    found = flags[0]
    for one in flags[1:]:
        found = pc.and_(found, one)
    return found


def thread_number(text: str) -> str:
    """The number of a thread as a text: of one that has a name, such as pool-1-thread-3, one that only it has."""
    return text if not text or re.fullmatch(WHOLE_NUMBER, text, re.ASCII) else str(zlib.crc32(text.encode()) % 10**9)


def _latencies(texts: pa.Array, shape: CsvShape) -> pa.Array:
    """In milliseconds; null for those that are not written plainly."""
    plain = pc.match_substring_regex(texts, NUMBERS[shape.mark or "."])
    numbers = pc.if_else(plain, texts, None)
    if shape.mark == COMMA:
        numbers = pc.replace_substring(numbers, COMMA, ".")
    return pc.multiply(pc.cast(numbers, pa.float64()), MS_A_UNIT[shape.latency_unit])


def _add_outcomes(found: dict[str, pa.Array], texts: pa.Array) -> None:
    """Each text is asked once for what it says."""
    coded = pc.dictionary_encode(texts)
    said = [_outcome(text) for text in coded.dictionary.to_pylist()]
    fields = {
        "outcome": pa.array([one.name or None for one in said], pa.string()),
        "response_code": pa.array([one.response_code for one in said], pa.int64()),
        "sent_to": pa.array([one.broker for one in said], pa.string()),
        "whole_send": pa.array([one.attempts > 1 for one in said], pa.bool_()),
    }
    for name, values in fields.items():
        found[name] = pc.take(values, coded.indices)


def _outcome(text: str) -> SaidOutcome:
    try:
        return outcome_of(text) if text else UNKNOWN
    except BadValue:
        return UNKNOWN


def _mapped(texts: pa.Array, meaning: Callable[[str], str | None]) -> pa.Array:
    """Each text's meaning, asked once for each."""
    coded = pc.dictionary_encode(texts)
    meanings = pa.array([meaning(text) for text in coded.dictionary.to_pylist()], pa.string())
    return pc.take(meanings, coded.indices)
