"""A block of a CSV at once, column by column, as far as its lines are plain; the others are left to be read one by one.

What a value means is said in `csv_format`; here it is only decided without looking at every line.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pv

from simulator import codes
from streaming.importing.hosts import broker_of
from streaming.importing.trace import COLUMNS, OUTCOME_NUMBERS

NUMBER = r"^\d{1,16}(\.\d{1,9})?$"
ZONED = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$"
WHOLE = r"^(-1|\d{1,9})$"
EPOCH = pa.timestamp("us", tz="UTC")
ANSWERED = [name for name, kind in OUTCOME_NUMBERS.items() if kind in (codes.SEND_OK, codes.BROKER_ERROR)]


def plain_lines(
    block: bytes, header: Sequence[str], hosts: Mapping[str, str], *, alike: Mapping[str, str],
    wholes: Sequence[str], seconds_below: float, latency_max_ms: float,
) -> tuple[pa.Table, pa.Array] | None:  # fmt: skip
    """The columns of a trace that the lines say, and which lines are sound; None if the block is no plain table."""
    try:
        said = pv.read_csv(
            io.BytesIO(block),
            pv.ReadOptions(column_names=list(header), block_size=max(len(block), 1) + 1, use_threads=False),
            pv.ParseOptions(ignore_empty_lines=False),
            pv.ConvertOptions(column_types=dict.fromkeys(header, pa.string()), strings_can_be_null=False),
        ).combine_chunks()
    except pa.ArrowException:
        return None
    if len(said) != block.count(b"\n") + (not block.endswith(b"\n")):
        return None
    columns = {name: _only(said.column(name)) for name in header}
    found = {"producer": columns["producer"], "topic": columns["topic"]}
    sound = pc.and_(pc.greater(pc.utf8_length(found["producer"]), 0), pc.greater(pc.utf8_length(found["topic"]), 0))
    found["begin_us"], is_time = _times(columns["time"], seconds_below)
    latency_ms, is_number = _numbers(columns["latency_ms"])
    found["latency_us"] = pc.cast(pc.round(pc.multiply(latency_ms, 1000.0)), pa.int64())
    found["outcome"] = _mapped(columns["outcome"], lambda text: _outcome(text, alike))
    found["broker"] = _mapped(columns["broker"], lambda text: broker_of(text, hosts) if text else None)
    answered = pc.is_in(found["outcome"], pa.array(ANSWERED))
    sound = _all(
        sound, is_time, is_number, pc.less_equal(latency_ms, latency_max_ms), pc.is_valid(found["outcome"]),
        pc.or_(pc.invert(answered), pc.is_valid(found["broker"])),
    )  # fmt: skip
    if "message" in columns:
        found["message"] = pc.if_else(pc.equal(columns["message"], ""), None, columns["message"])
    if "send_time" in columns:
        empty = pc.equal(columns["send_time"], "")
        found["send_begin_us"], is_time = _times(columns["send_time"], seconds_below)
        found["send_begin_us"], sound = (
            pc.if_else(empty, None, found["send_begin_us"]),
            _all(sound, pc.or_(empty, is_time)),
        )
    for name in wholes:
        if name in columns:
            empty, is_whole = pc.equal(columns[name], ""), pc.match_substring_regex(columns[name], WHOLE)
            found[name] = pc.cast(pc.if_else(is_whole, columns[name], None), pa.int64())
            sound = _all(sound, pc.or_(empty, is_whole))
    return pa.table(found), pc.fill_null(sound, False)


def table_of(found: pa.Table, sound: pa.Array, part: int, first: int) -> pa.Table:
    """The sound lines as rows of a trace; `first`: the number of the first line."""
    count = len(found)
    lines = pa.array(range(first, first + count), pa.int64())
    more = {"part": pa.array([part] * count, pa.int32()), "line": lines}
    arrays = []
    for field in COLUMNS:
        given = more.get(field.name, found.column(field.name) if field.name in found.column_names else None)
        arrays.append(pa.nulls(count, field.type) if given is None else pc.cast(given, field.type))
    return pa.table(arrays, names=COLUMNS.names).filter(sound).cast(COLUMNS)


def _only(column: pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)


def _all(*flags: pa.Array) -> pa.Array:
    found = flags[0]
    for one in flags[1:]:
        found = pc.and_(found, one)
    return found


def _numbers(texts: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Numbers that are written plainly, and which are."""
    plain = pc.match_substring_regex(texts, NUMBER)
    return pc.cast(pc.if_else(plain, texts, None), pa.float64()), plain


def _times(texts: pa.Array, seconds_below: float) -> tuple[pa.Array, pa.Array]:
    """Microseconds since 1970, and which could be told."""
    number, _ = _numbers(texts)
    factor = pc.if_else(pc.less(number, seconds_below), 1e6, 1e3)
    numbers = pc.cast(pc.round(pc.multiply(number, factor)), pa.int64())
    zoned = pc.match_substring_regex(texts, ZONED)
    positive = pc.fill_null(pc.greater(number, 0), False)
    if not pc.any(zoned).as_py():
        return numbers, positive
    moments = pc.cast(pc.cast(pc.if_else(zoned, texts, None), EPOCH), pa.int64())
    return pc.coalesce(numbers, moments), pc.or_(positive, zoned)


def _mapped(texts: pa.Array, meaning: Callable[[str], str | None]) -> pa.Array:
    """Each text's meaning, asked once for each."""
    coded = pc.dictionary_encode(texts)
    meanings = pa.array([meaning(text) for text in coded.dictionary.to_pylist()], pa.string())
    return pc.take(meanings, coded.indices)


def _outcome(text: str, alike: Mapping[str, str]) -> str | None:
    known = alike.get(text.upper(), text)
    return known if known in OUTCOME_NUMBERS else None
