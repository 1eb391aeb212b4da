"""Why a group consumed a message twice, or not yet: one offset of one queue, in the tables of a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow.dataset as ds

from simulator.scenario.reading.scenario_error import not_known
from streaming.errors import InputError
from streaming.explain.explanation import moment
from streaming.report.clock import some
from streaming.report.fault_times import ReportFault, faults_of
from streaming.results.dataset import RunOutput

Row = dict[str, Any]
LAST_WINDOWS = 10  # that say how fast a queue is consumed


@dataclass(frozen=True)
class AskedOffset:
    """A message as a group sees it; `topic`: None if the run has one."""

    group: str
    broker: str | None
    queue: int | None
    offset: int | None
    topic: str | None = None


@dataclass(frozen=True)
class ExplainedConsumption:
    """The sentences, and the rows that they were made of."""

    asked: AskedOffset
    sentences: tuple[str, ...]
    consumptions: tuple[Row, ...]

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        rows = [{name: value for name, value in row.items() if name != "cell"} for row in self.consumptions]
        return {"asked": asdict(self.asked), "consumptions": rows, "sentences": list(self.sentences)}

    def __str__(self) -> str:
        return "\n".join(self.sentences)


class QueueHistory:
    """What the tables have of one queue and one group. Raises InputError for what is not in the run."""

    def __init__(self, output: RunOutput, asked: AskedOffset) -> None:
        self.output, self.asked = output, asked
        about = output.about
        topics, groups = list(about["topics"]), list(about.get("consumer_groups", ()))
        if not groups:
            raise InputError(f"{output.path}: the run has no consumers; --group asks about one of their groups")
        for what, name, known in (("consumer group", asked.group, groups), ("broker", asked.broker, output.brokers)):
            if name not in known:
                raise InputError(not_known(what, str(name), known))
        if asked.topic is None and len(topics) > 1:
            raise InputError(f"--topic: which one? {', '.join(topics)}")
        self.topic = asked.topic or topics[0]
        if self.topic not in topics:
            raise InputError(not_known("topic", self.topic, topics))
        if asked.queue is None or asked.offset is None:
            raise InputError("which message? give --broker, --queue and --offset of it with --group")
        self.stored = self._rows("stored", "window_start_us", "window_us", "max_offset", "committed_offset", "consumed")
        if not self.stored:
            raise InputError(
                f"{output.path}: the table stored has no queue {asked.queue} of {self.topic} on {asked.broker}"
            )
        self.assignments = sorted(self._rows("assignments", "instance", "from_us", "until_us", "open"), key=_begin)
        names = ("instance", "consume_thread", "stored_us", "begin_us", "end_us", "times", "dropped")
        self.consumptions = sorted(
            self._rows("consumed", *names, where=ds.field("queue_offset") == asked.offset),
            key=lambda row: row["end_us"],
        )
        self.faults = faults_of(output)

    def _rows(self, table: str, *columns: str, where: ds.Expression | None = None) -> list[Row]:
        asked = self.asked
        named = {"topic": self.topic, "broker": asked.broker, "queue_id": asked.queue, "consumer_group": asked.group}
        mine = where
        for name, value in named.items():
            one = ds.field(name) == value
            mine = one if mine is None else mine & one
        found: list[Row] = []
        for batch in self.output.batches(table, columns, mine):
            found += batch.to_pylist()
        return found

    def owners(self, at_us: int) -> list[str]:
        """Who holds the queue at a moment."""
        return [row["instance"] for row in self.assignments if row["from_us"] <= at_us < row["until_us"] + row["open"]]

    def lost_by(self, instance: str, after_us: int) -> int | None:
        """When an instance let go of the queue, at that moment or later."""
        ends = [row["until_us"] for row in self.assignments if row["instance"] == instance and not row["open"]]
        return min((end for end in ends if end >= after_us), default=None)

    def taken_by(self, instance: str, before_us: int) -> int | None:
        """When an instance last took the queue before a moment."""
        begins = [row["from_us"] for row in self.assignments if row["instance"] == instance]
        return max((begin for begin in begins if begin <= before_us), default=None)

    def committed(self, before_us: int) -> int | None:
        """The group's offset at the end of the last window before a moment."""
        known = [row for row in self.stored if row["window_start_us"] + row["window_us"] <= before_us]
        return None if not known else max(known, key=lambda row: row["window_start_us"])["committed_offset"]

    def struck(self, instance: str, before_us: int) -> ReportFault | None:
        """The last fault of an instance that began before a moment."""
        own = [fault for fault in self.faults if instance in fault.place.split(", ")]
        begun = [fault for fault in own if fault.stretches[0][0] <= before_us]
        return max(begun, key=lambda fault: fault.stretches[0][0], default=None)


def _begin(row: Row) -> int:
    return int(row["from_us"])


def explain_consumption(output: RunOutput, asked: AskedOffset) -> ExplainedConsumption:
    """What became of an offset for a group. Raises InputError."""
    history = QueueHistory(output, asked)
    return ExplainedConsumption(asked, tuple(_sentences(history)), tuple(history.consumptions))


def _sentences(history: QueueHistory) -> Iterator[str]:
    asked, last = history.asked, max(history.stored, key=lambda row: row["window_start_us"])
    name = f"Offset {asked.offset:,} of {history.topic}, {asked.broker} queue {asked.queue}"
    if asked.offset is not None and asked.offset >= last["max_offset"]:
        yield f"{name}: nothing is stored there; the queue ends at offset {last['max_offset']:,}."
        return
    if history.consumptions:
        yield f"{name} was stored at {moment(history.consumptions[0]['stored_us'])}."
        yield from _consumptions(history)
    else:
        yield from _not_yet(history, name, last)


def _consumptions(history: QueueHistory) -> Iterator[str]:
    before: Row | None = None
    for row in history.consumptions:
        text = f"{row['instance']} consumed it from {moment(row['begin_us'])} to {moment(row['end_us'])}"
        text += f" on thread {row['consume_thread']}"
        text += ", and committed nothing: it had lost the queue meanwhile." if row["dropped"] else "."
        yield text
        if before is not None:
            yield from _again(history, before, row)
        before = row
    if len(history.consumptions) == 1:
        yield "It was consumed once."


def _again(history: QueueHistory, first: Row, second: Row) -> Iterator[str]:
    """Why there is a second consumption."""
    who, other = second["instance"], first["instance"]
    taken_us = history.taken_by(who, second["begin_us"])
    held_before = who != other and taken_us is not None and taken_us <= first["begin_us"]
    if second["dropped"] or held_before:
        text = (
            f"Why again: {who} still had it in its cache, and owned the queue as it saw it, while {other} consumed it"
        )
        yield f"{text}{_struck(history, who, second['end_us'])}."
        return
    if taken_us is None:
        yield "Why again: the tables do not show when its instance took the queue."
        return
    begins = "from the offset in the broker's table"
    if who == other:
        yield f"Why again: {who} took the queue again at {moment(taken_us)}, {begins}."
    else:
        lost_us = history.lost_by(other, first["begin_us"])
        let_go = (
            "" if lost_us is None or lost_us > second["begin_us"] else f", {other} let go of it at {moment(lost_us)}"
        )
        struck = _struck(history, other, second["end_us"])
        yield f"Why again: {who} took the queue at {moment(taken_us)}, {begins}{let_go}{struck}."
    committed, offset = history.committed(taken_us), history.asked.offset or 0
    if committed is not None and committed <= offset:
        many = some(offset - committed + 1, "message")
        yield f"That offset was {committed:,}: of {many} up to this one none was reported yet."


def _struck(history: QueueHistory, instance: str, before_us: int) -> str:
    fault = history.struck(instance, before_us)
    return "" if fault is None else f"; {fault.text} ({fault.number}, {fault.when})"


def _not_yet(history: QueueHistory, name: str, last: Row) -> Iterator[str]:
    """Why there is no consumption, or why it is not known."""
    asked, end_us = history.asked, last["window_start_us"] + last["window_us"]
    committed = last["committed_offset"]
    if committed is not None and asked.offset is not None and committed > asked.offset:
        yield f"{name} was consumed: {asked.group} has committed {committed:,}."
        yield "When and by whom is in the table consumed, which was not written; run with --tables ...,consumed."
        return
    yield f"{name} is not committed at {moment(end_us)}: {asked.group} has committed {committed or 0:,} there."
    owners = history.owners(end_us)
    if not owners:
        yield "Nobody owns the queue."
    for instance in owners:
        since = history.taken_by(instance, end_us)
        yield f"{instance} owns the queue since {moment(since or 0)}."
        fault = history.struck(instance, end_us)
        if fault is not None and fault.stretches[-1][1] >= end_us:
            yield f"It does not consume: {fault.text} ({fault.number}, {fault.when})."
    before = (asked.offset or 0) - (committed or 0)
    recent = [row for row in history.stored if row["window_start_us"] >= end_us - LAST_WINDOWS * row["window_us"]]
    per_s = sum(row["consumed"] for row in recent) / (sum(row["window_us"] for row in recent) / 1e6)
    if per_s > 0 and before > 0:
        away = f"at the last {per_s:,.1f} messages/s it is about {before / per_s:,.0f} s away"
        yield f"{before:,} messages are before it; {away}."
    elif before > 0:
        yield f"{before:,} messages are before it; none of the queue was consumed in the last {len(recent)} windows."
