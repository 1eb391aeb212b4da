r"""RocketMQ's own client log (`rocketmq_client.log`): the attempts that failed, as the producer warns of them.

A producer logs nothing of an attempt that was answered. Of one that failed it logs, with the exception behind it,

    sendKernelImpl exception, resend at once, InvokeID: N, RT: Nms, Broker: MessageQueue [topic=T, ...]

when the attempt ended; InvokeID is the same for all attempts of a send. 5.1.0 to 5.2.0 print `%s` for all three values.
An asynchronous one logs `async send msg by retry N times` (4.9.4 and later with the exception), with the broker of the
*next* attempt. Source: rocketmq 4.2.0 to 5.3.3, DefaultMQProducerImpl.sendDefaultImpl, MQClientAPIImpl.onExceptionImpl.

Layouts: 4.2.0 `2026-11-21 14:10:00 WARN thread - ` (logback_rocketmq_client.xml, GMT+8); 4.3.0 to 5.0.0
`2026-11-21 14:10:00,123 WARN RocketmqClient - ` (LoggingBuilder.DefaultLayout, the machine's zone); 5.1.0 and later
`2026-11-21 14:10:00.123 WARN  [pid] [thread] [logger#method:line] - ` (rmq.client.logback.xml, GMT+8).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from streaming.importing.hosts import broker_of
from streaming.importing.log_part import LogPart, text_blocks
from streaming.importing.log_rows import LogNotes, LogRows
from streaming.importing.texts.bad_value import BadValue
from streaming.importing.texts.outcome_names import outcome_of
from streaming.importing.texts.times import TimeRule, time_us
from streaming.importing.trace import US_A_MS
from streaming.texts.import_texts import ImportTexts

LINE = b"\n"
NAMES = (*("begin_us", "latency_us", "producer", "topic", "broker", "outcome", "queue_id", "message", "response_code"),)
OWN_ZONE = "Etc/GMT-8"  # POSIX turns the sign: eight hours ahead
EVENT = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:Z|[+-]\d\d:?\d\d))?)\b")
OF_5_1 = re.compile(r"\S+ \S+ +[A-Z]+ +\[(\d+)\] \[.*?\] \[[^\]]*#[^\]]*\] - ")
OF_4_2 = re.compile(r"\S+ \d\d:\d\d:\d\d [A-Z]+ \S+ - ")
FAILED = re.compile(r"sendKernelImpl exception")
VALUES = re.compile(
    r"InvokeID: (-?\d+), RT: (\d{1,8})ms, Broker: MessageQueue \[topic=(.*?), brokerName=(.*?), queueId=(-?\d{1,9})\]"
)
AGAIN = re.compile(r"async send msg by retry \d+ times\. topic=(.*?), brokerAddr=")
SENT_TO = re.compile(r"(?:on the channel <|connect to <?|send request to <| BROKER: )/?([\w.:\[\]-]+?:\d+)>?")
WAITED = re.compile(r"timeout, (\d{1,8})\(ms\)|wait response timeout, cost=(\d{1,8})")
TOPIC_NOT_SAID = "not-in-the-log"
LINES_MOST = 400  # of an event: a stack trace has fewer
OTHERS = "other events"


@dataclass
class LogEvent:
    """A line that begins with a time, and those that follow it until the next one."""

    number: int
    lines: list[str] = field(default_factory=list)


def read_client_log(
    part: LogPart, hosts: Mapping[str, str], rule: TimeRule, notes: LogNotes
) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Attempts that failed and rejects of a log, block by block."""
    rows, event = LogRows(part, NAMES, "line"), LogEvent(0)
    for block, first in text_blocks(part, LINE):
        for number, line in enumerate(block.decode(errors="replace").split("\n"), start=first):
            if EVENT.match(line):
                _take(rows, event, hosts, rule, notes)
                event = LogEvent(number)
            if len(event.lines) < LINES_MOST:
                event.lines.append(line.rstrip("\r"))
        yield rows.take()
    _take(rows, event, hosts, rule, notes)
    yield rows.take()


def _take(rows: LogRows, event: LogEvent, hosts: Mapping[str, str], rule: TimeRule, notes: LogNotes) -> None:
    if not event.number:
        return
    head = event.lines[0]
    again = AGAIN.search(head)
    if not FAILED.search(head) and again is None:
        notes.passed[OTHERS] += 1
        return
    try:
        row, form = _row(event, again[1] if again else None, rows.part.file, hosts, rule)
        rows.add(event.number, row)
        notes.forms[form] += 1
    except BadValue as bad:
        rows.reject(event.number, bad.reason, "\n".join(event.lines), bad.value)


def _row(
    event: LogEvent, topic: str | None, file: str, hosts: Mapping[str, str], rule: TimeRule
) -> tuple[tuple[Any, ...], str]:
    head = event.lines[0]
    end_us, form = _end(head, rule)
    # Stack frames name exceptions, too, but not that of the attempt.
    exception = "\n".join(line for line in event.lines[1:] if not line.startswith(("\t", " ")))
    if not exception.strip():
        raise BadValue(ImportTexts.NO_EXCEPTION())
    outcome = outcome_of(exception)
    values = VALUES.search(head)
    address = found[1] if (found := SENT_TO.search(exception)) else None
    queue, message = None, None
    if values is not None:
        latency_ms, topic, queue, message = int(values[2]), values[3], int(values[5]), values[1]
        broker: str | None = broker_of(values[4], hosts)
    elif waited := WAITED.search(exception):
        latency_ms = int(waited[1] or waited[2])
        broker = broker_of(address, hosts) if address else None
    else:
        raise BadValue(ImportTexts.NO_LATENCY())
    pid = found[1] if (found := OF_5_1.match(head)) else None
    producer = Path(file).name.partition(".")[0] + (f"#{pid}" if pid else "")
    latency_us = latency_ms * US_A_MS
    row = (
        end_us - latency_us, latency_us, producer, topic or TOPIC_NOT_SAID, broker, outcome.name, queue, message,
        outcome.response_code,
    )  # fmt: skip
    return row, form


def _end(head: str, rule: TimeRule) -> tuple[int, str]:
    """When the attempt ended; 4.2.0 and 5.1.0 and later log in GMT+8 wherever they run."""
    if rule.zone is None and (OF_5_1.match(head) or OF_4_2.match(head)):
        rule = TimeRule(zone=OWN_ZONE)
    found = EVENT.match(head)
    end_us, form = time_us(found[1] if found else "", rule)
    return end_us, form if rule.zone != OWN_ZONE else "GMT+8, in which this release logs"
