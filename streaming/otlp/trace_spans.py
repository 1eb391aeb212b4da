"""Messages as traces and attempts as their spans, in OpenTelemetry's JSON (OTLP 1, trace.proto).

A message is the root span of its trace, of kind PRODUCER; its attempts are spans of kind CLIENT below it. Attributes
have the names of the semantic conventions for messaging where there is one, and `sendlab.` names otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

import pyarrow as pa

from simulator.codes import OUTCOME_NAMES, STORED, WELL
from state.tables import TABLES

PRODUCER, CLIENT = 4, 3  # Span.SpanKind
ERROR = 2  # Status.StatusCode
FINE = {OUTCOME_NAMES[code] for code in (*STORED, *WELL)}
MESSAGE_KEY = TABLES["sends"].key
Row = Mapping[str, Any]
Span = dict[str, Any]


def trace_id(run: str, row: Row) -> str:
    """32 hexadecimal digits: the same for a message and all of its attempts, and again after a restart."""
    return _digest(run, row).hexdigest()[:32]


def span_id(run: str, row: Row, attempt: int) -> str:
    """16 hexadecimal digits; attempt 0 is the message."""
    return _digest(run, row, attempt).hexdigest()[-16:]


def _digest(run: str, row: Row, *more: int) -> Any:
    return blake2b("/".join(map(str, (run, *(row[name] for name in MESSAGE_KEY), *more))).encode(), digest_size=32)


def message_span(run: str, row: Row, zero_ns: int) -> Span:
    """A row of `sends`: from when the application wanted to send until it had its answer."""
    found = _span(run, row, zero_ns, 0, f"send {row['topic']}", PRODUCER, row["arrival_us"], row["result"])
    found["attributes"] += _attributes(
        {
            "messaging.message.body.size": row["body_bytes"],
            "messaging.batch.message_count": row["messages"] if row["messages"] != 1 else None,
            "sendlab.attempts": row["attempts"],
            "sendlab.copies_stored": row["copies_stored"],
            "sendlab.lost": row["lost"],
        }
    )
    return found


def attempt_span(run: str, row: Row, zero_ns: int) -> Span:
    """A row of `attempts`."""
    name = f"attempt {row['attempt']} {row['broker']}"
    found = _span(run, row, zero_ns, row["attempt"], name, CLIENT, row["begin_us"], row["outcome"])
    found["parentSpanId"] = span_id(run, row, 0)
    found["attributes"] += _attributes(
        {
            "messaging.message.delivery_attempt": row["attempt"],
            "sendlab.pick_reason": row["pick_reason"],
            "sendlab.will_retry": row["will_retry"],
        }
    )
    return found


def _span(run: str, row: Row, zero_ns: int, attempt: int, name: str, kind: int, begin_us: int, outcome: str) -> Span:
    found: Span = {
        "traceId": trace_id(run, row),
        "spanId": span_id(run, row, attempt),
        "name": name,
        "kind": kind,
        "startTimeUnixNano": str(zero_ns + begin_us * 1_000),
        "endTimeUnixNano": str(zero_ns + row["end_us"] * 1_000),
        "attributes": _attributes(
            {
                "messaging.system": "rocketmq",
                "messaging.operation.type": "send",
                "messaging.destination.name": row["topic"],
                "messaging.destination.partition.id": None if row["queue_id"] is None else str(row["queue_id"]),
                "server.address": row["broker"],
                "sendlab.outcome": outcome,
                "error.type": None if outcome in FINE else outcome,
                "messaging.rocketmq.response_code": row["response_code"] or None,
            }
        ),
    }
    if outcome not in FINE:
        found["status"] = {"code": ERROR, "message": outcome}
    return found


def _attributes(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in values.items() if value is not None]


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": str(value)}


SPANS: Mapping[str, Callable[[str, Row, int], Span]] = {"sends": message_span, "attempts": attempt_span}


def requests(run: str, table: str, rows: pa.Table, zero_ns: int, most: int) -> Iterator[dict[str, Any]]:
    """ExportTraceServiceRequests of at most so many spans: a resource for each producer of each group."""
    for first in range(0, rows.num_rows, most):
        by_producer: dict[tuple[str, int], list[Span]] = {}
        for row in rows.slice(first, most).to_pylist():
            spans = by_producer.setdefault((row["producer_group"], row["producer"]), [])
            spans.append(SPANS[table](run, row, zero_ns))
        yield {"resourceSpans": [_resource(run, *producer, spans) for producer, spans in by_producer.items()]}


def _resource(run: str, group: str, producer: int, spans: list[Span]) -> dict[str, Any]:
    named = {"service.name": group, "service.instance.id": f"{run}/{producer}", "sendlab.run": run}
    return {
        "resource": {"attributes": _attributes(named)},
        "scopeSpans": [{"scope": {"name": "sendlab"}, "spans": spans}],
    }
