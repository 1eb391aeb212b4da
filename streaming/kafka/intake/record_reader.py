"""From the bytes of records to columns: Arrow's JSON reader for all that is well formed, one by one for the rest.

Whatever Arrow's reader does not take is read alone, so that what becomes of a record does not depend on its neighbours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pj

from simulator.run.reject_texts import RejectTexts
from streaming.kafka.intake.event_records import MAX_BYTES, SCHEMA, WHOLE

TOGETHER = 512  # records that are read one by one if one of them is not well formed
PARSING = pj.ParseOptions(explicit_schema=SCHEMA, newlines_in_values=False, unexpected_field_behavior="ignore")
LEAST, MOST = -(2**63), 2**63 - 1


class Unreadable(ValueError):
    """A record that is not one; the message says why."""


def read(values: pa.Array) -> tuple[pa.Table, list[tuple[int, str]]]:
    """Columns as records.SCHEMA of binary values, a row each, and (number, reason) of those that cannot be read.

    The row of one that cannot be read is null.
    """
    whole = _at_once(values)
    if whole is not None:
        return whole, []
    parts, bad = [], []
    for first in range(0, len(values), TOGETHER):
        some = values.slice(first, TOGETHER)
        part = _at_once(some)
        if part is None:
            part, reasons = _one_by_one(some.to_pylist())
            bad += [(first + number, reason) for number, reason in reasons]
        parts.append(part)
    return pa.concat_tables(parts) if parts else SCHEMA.empty_table(), bad


def _at_once(values: pa.Array) -> pa.Table | None:
    lengths = pc.binary_length(values)
    # One object a value: else two in one value could make up for another that holds none.
    plain = (
        values.null_count == 0
        and len(values) > 0
        and pc.max(lengths).as_py() <= MAX_BYTES
        and pc.all(pc.starts_with(values, b"{")).as_py()
        and pc.all(pc.ends_with(values, b"}")).as_py()
        and not pc.any(pc.match_substring(values, b"\n")).as_py()
    )
    if not plain:
        return None
    lines = pa.ListArray.from_arrays([0, len(values)], values.cast(pa.binary()))
    text = pc.binary_join(lines, b"\n")[0].as_buffer()
    try:
        values.cast(pa.string())  # also what is in fields that nobody reads has to be UTF-8
        found = pj.read_json(
            pa.BufferReader(text), pj.ReadOptions(use_threads=False, block_size=text.size + 1), PARSING
        ).combine_chunks()
        found.validate(full=True)
    except pa.ArrowException:
        return None
    return found.select(SCHEMA.names) if found.num_rows == len(values) else None


def _one_by_one(values: Sequence[bytes | None]) -> tuple[pa.Table, list[tuple[int, str]]]:
    rows: list[dict[str, Any]] = []
    bad = []
    for number, value in enumerate(values):
        try:
            rows.append(dict(_fields(_document(value))))
        except Unreadable as reason:
            rows.append({})
            bad.append((number, str(reason)))
    return pa.Table.from_pylist(rows, schema=SCHEMA), bad


def _document(value: bytes | None) -> dict[str, Any]:
    if value is None:
        raise Unreadable(RejectTexts.NO_VALUE())
    if len(value) > MAX_BYTES:
        raise Unreadable(RejectTexts.TOO_LONG(most=MAX_BYTES))
    try:
        document = json.loads(value.decode("utf-8"))
    except UnicodeDecodeError:
        raise Unreadable(RejectTexts.NOT_UTF8()) from None
    except (ValueError, RecursionError):
        raise Unreadable(RejectTexts.NOT_JSON()) from None
    if not isinstance(document, dict):
        raise Unreadable(RejectTexts.NOT_AN_OBJECT())
    return document


def _fields(document: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for field in SCHEMA:
        said = document.get(field.name)
        if said is None:
            continue
        if field.type == WHOLE:
            if type(said) is not int or not LEAST <= said <= MOST:
                raise Unreadable(RejectTexts.NOT_WHOLE_64(field=field.name))
        elif not isinstance(said, str) or not _is_text(said):
            raise Unreadable(RejectTexts.NOT_A_TEXT(field=field.name))
        yield field.name, said


def _is_text(said: str) -> bool:
    try:
        said.encode()
    except UnicodeEncodeError:  # half a surrogate pair
        return False
    return True


def numbers(column: pa.ChunkedArray, otherwise: int = 0) -> np.ndarray:
    """A column of whole numbers as int64, `otherwise` where it is null."""
    return np.asarray(pc.fill_null(column, otherwise).combine_chunks().to_numpy(zero_copy_only=False), np.int64)
