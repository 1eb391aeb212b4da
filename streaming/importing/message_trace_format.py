r"""Records of RocketMQ's message trace (topic RMQ_SYS_TRACE_TOPIC), as text: what the client says of its own sends.

A record ends with \x02, its fields are apart by \x01. Pub, as 4.9.8 and 5.3.3 write it: type, time (ms, when the
attempt began), region, group, topic, message id, tags, keys, store host, body length, cost (ms), message type, offset
message id, success. Releases before 4.4 lack the offset message id, and readers of 5.x know a fifteenth field, the
client's host. Source: rocketmq 4.9.8 and 5.3.3, TraceDataEncoder, TraceConstants, SendMessageTraceHookImpl,
MessageClientIDSetter.

The hook writes nothing where there is no SendResult: an attempt that failed leaves no record. An asynchronous retry
keeps the context of the first attempt, and so its store host; the offset message id says who really stored it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

import pyarrow as pa
import pyarrow.parquet as pq

from streaming.errors import InputError
from streaming.importing.hosts import broker_of
from streaming.importing.log_part import LogPart, text_blocks
from streaming.importing.log_rows import LogRows
from streaming.importing.trace import US_A_MS
from streaming.texts.import_texts import ImportTexts

RECORD, FIELD = b"\x02", "\x01"
NAMES = (
    *("begin_us", "latency_us", "producer", "topic", "broker", "outcome", "message", "send_begin_us", "body_bytes"),
)
OTHER_KINDS = ("SubBefore", "SubAfter", "EndTransaction", "Recall")
FIELDS_LEAST = 13
# A message id holds the ms since the month began where the producer is: in every time zone a multiple of this.
QUARTER_HOUR_MS = 15 * 60_000
TIME_MAX_MS, COST_MAX_MS, BODY_MAX_BYTES = 1 << 43, 86_400_000, 2**31 - 1  # the year 2248, a day, what an int32 holds
ID = re.compile(r"[0-9A-Fa-f]{32}|[0-9A-Fa-f]{56}")
BODY_COLUMNS = ("body", "value", "data", "msgBody")


def read_text(part: LogPart, hosts: Mapping[str, str]) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Sound rows and rejects of a part of a text dump, block by block."""
    rows = LogRows(part, NAMES, "record")
    for block, first in text_blocks(part, RECORD):
        for number, record in enumerate(block.decode(errors="replace").split("\x02"), start=first):
            if record.strip():
                _take(rows, number, record.lstrip("\r\n"), hosts)
        yield rows.take()


def read_parquet(part: LogPart, hosts: Mapping[str, str]) -> Iterator[tuple[pa.Table, pa.Table]]:
    """The same of a Parquet file whose rows are messages of the trace topic, with the text in one of BODY_COLUMNS."""
    rows = LogRows(part, NAMES, "row")
    with pq.ParquetFile(part.file) as opened:
        column = body_column(part.file, opened.schema_arrow.names)
        bodies = opened.read_row_group(part.begin, columns=[column]).column(0)
    for number, body in enumerate(bodies.to_pylist(), start=part.first):
        take_message(rows, number, body, hosts)
    yield rows.take()


def take_message(rows: LogRows, number: int, body: bytes | str | None, hosts: Mapping[str, str]) -> None:
    """Take the records in the body of one message."""
    text = body.decode(errors="replace") if isinstance(body, bytes) else body or ""
    for record in text.split("\x02"):
        if record.strip():
            _take(rows, number, record.lstrip("\r\n"), hosts)


def body_column(file: str, names: list[str]) -> str:
    """The column that has the text. Raises InputError if there is none."""
    found = [name for name in BODY_COLUMNS if name in names]
    if not found:
        raise InputError(ImportTexts.NO_BODIES(known=", ".join(BODY_COLUMNS)).at(file))
    return found[0]


def _take(rows: LogRows, number: int, record: str, hosts: Mapping[str, str]) -> None:
    fields = record.split(FIELD)
    if fields[0] != "Pub":
        if fields[0] not in OTHER_KINDS:
            rows.reject(number, ImportTexts.PUB_EXPECTED(), record, fields[0][:40])
        return
    if len(fields) < FIELDS_LEAST:
        rows.reject(number, ImportTexts.PUB_OTHER_FIELDS(), record, f"{len(fields)} fields")
        return
    try:
        begin_ms, body_bytes, cost_ms = int(fields[1]), int(fields[9]), int(fields[10])
    except ValueError:
        rows.reject(number, ImportTexts.PUB_NOT_WHOLE(), record)
        return
    if begin_ms <= 0 or cost_ms < 0:
        rows.reject(number, ImportTexts.PUB_NEGATIVE(), record)
        return
    if begin_ms > TIME_MAX_MS or cost_ms > COST_MAX_MS or not -1 <= body_bytes <= BODY_MAX_BYTES:
        rows.reject(number, ImportTexts.PUB_TOO_LARGE(), record)
        return
    success = fields[12] if len(fields) == FIELDS_LEAST else fields[13]
    if success not in ("true", "false"):
        rows.reject(number, ImportTexts.PUB_SUCCESS(), record, success[:40])
        return
    message = fields[5].partition(",")[0]  # a batch has the ids of all its messages
    stored = "" if len(fields) == FIELDS_LEAST else stored_at(fields[12])
    broker = broker_of(stored if fields[8] not in hosts and stored else fields[8], hosts)
    rows.add(
        number,
        (
            begin_ms * US_A_MS, cost_ms * US_A_MS, producer_of(fields[3], message), fields[4], broker,
            # The record does not say which of the three other statuses it was.
            "SEND_OK" if success == "true" else "FLUSH_DISK_TIMEOUT",
            message, (begin_ms - delay_ms(begin_ms, message)) * US_A_MS, body_bytes,
        ),
    )  # fmt: skip


def producer_of(group: str, message: str) -> str:
    """The producer group and the process that made the message id: its address and process number."""
    if not ID.fullmatch(message):
        return group
    return f"{group}@{_host(message[:-24])}#{int(message[-24:-20], 16)}"


@lru_cache(maxsize=65_536)
def _host(digits: str) -> str:
    """An address from its hexadecimal digits; one of version 6 stays as it is."""
    return ".".join(str(byte) for byte in bytes.fromhex(digits)) if len(digits) == 8 else digits


def delay_ms(begin_ms: int, message: str) -> int:
    """From the making of the message id, when the send began, to the begin of the attempt; 0 if the id does not say."""
    if not ID.fullmatch(message):
        return 0
    apart = (begin_ms - int(message[-12:-4], 16)) % QUARTER_HOUR_MS
    return apart if apart < QUARTER_HOUR_MS // 2 else 0


def stored_at(offset_id: str) -> str:
    """The address in an offset message id (MessageDecoder.createMessageId); empty if it has none."""
    if len(offset_id) != 32 or not ID.fullmatch(offset_id):
        return ""
    return f"{_host(offset_id[:8])}:{int(offset_id[8:16], 16)}"
