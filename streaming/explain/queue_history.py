"""What the tables of a run have of one queue, of one consumer group, and of one message in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow.dataset as ds

from simulator.scenario.reading.scenario_error import not_known
from streaming.errors import InputError
from streaming.explain.group_delivery import COLUMNS, GroupDelivery, delivery_of
from streaming.explain.texts.explain_texts import ExplainTexts
from streaming.outputs.dataset import RunOutput
from streaming.report.fault_times import ReportFault, faults_of, scenario_of

Row = dict[str, Any]


@dataclass(frozen=True)
class AskedOffset:
    """A message as a group sees it; `topic`: None if the run has one."""

    group: str
    broker: str | None
    queue: int | None
    offset: int | None
    topic: str | None = None


class QueueHistory:
    """What the tables have of one queue and one group. Raises InputError for what is not in the run."""

    def __init__(self, output: RunOutput, asked: AskedOffset) -> None:
        self.output, self.asked = output, asked
        self.topic = _checked(output, asked)
        columns = ("max_offset", "appended", "committed_offset", "consumed", "missed", "skipped")
        self.stored = self._of_queue("stored", "window_start_us", "window_us", *columns)
        if output.is_written("stored") and not self.stored:
            raise InputError(
                ExplainTexts.NO_QUEUE(queue=asked.queue, topic=self.topic, broker=asked.broker).at(output.path)
            )
        self.assignments = sorted(
            self._of_queue("assignments", "instance", "from_us", "until_us", "open"),
            key=lambda row: int(row["from_us"]),
        )
        self.faults = faults_of(output)

    def _of_queue(self, table: str, *columns: str) -> list[Row]:
        asked = self.asked
        queue = {"topic": self.topic, "broker": asked.broker, "queue_id": asked.queue, "consumer_group": asked.group}
        return self._rows(table, columns, queue)

    def _rows(self, table: str, columns: tuple[str, ...], values: dict[str, Any]) -> list[Row]:
        where: ds.Expression | None = None
        for name, value in values.items():
            one = ds.field(name) == value
            where = one if where is None else where & one
        found: list[Row] = []
        for batch in self.output.batches(table, columns, where):
            found += batch.to_pylist()
        return found

    @cached_property
    def end_us(self) -> int:
        """Virtual time that the tables reach."""
        return max((row["window_start_us"] + row["window_us"] for row in self.stored), default=self.output.end_us)

    @cached_property
    def last(self) -> Row | None:
        """The queue in the last window, None where `stored` was not written."""
        return max(self.stored, key=lambda row: row["window_start_us"], default=None)

    @cached_property
    def deliveries(self) -> list[GroupDelivery]:
        """All deliveries to the group of the message at the offset, by their ends, of POP groups by their begins.

        Those through the retry topic and those of other stored copies of the message are among them.
        """
        asked, here = self.asked, self._here
        if not here or here[0]["sender"] < 0:
            return sorted(map(delivery_of, here), key=_end)
        names = ("cell", "sender", "send_seq", "arrival_us")
        same = {"consumer_group": asked.group} | {name: here[0][name] for name in names}
        found = [delivery_of(row) for row in self._rows("consumed", COLUMNS, same)]
        return sorted(found, key=_begin if self.pops else _end)

    @cached_property
    def _here(self) -> list[Row]:
        """The deliveries from the offset itself."""
        return self._of_offset(self.asked.offset)

    def _of_offset(self, offset: int | None) -> list[Row]:
        asked = self.asked
        mine: dict[str, Any] = {"consumer_group": asked.group, "topic": self.topic, "broker": asked.broker}
        return self._rows("consumed", COLUMNS, mine | {"queue_id": asked.queue, "queue_offset": offset})

    @cached_property
    def lacks_deliveries(self) -> bool:
        """Whether deliveries of the message may have been in rows that were removed as too old."""
        if not self._here:
            return self.is_removed(self.stored_after_us(self.stored))
        known = self._here[0]
        return self.is_removed(known["stored_us"] if known["sender"] < 0 else known["arrival_us"])

    def is_removed(self, since_us: int) -> bool:
        """Whether deliveries since then may have been in rows that were removed."""
        return self.output.is_written("consumed") and since_us < self.output.removed_before_us

    def stored_after_us(self, windows: Iterable[Row]) -> int:
        """A moment at which the offset was not stored yet, as late as windows show it; 0 if they do not."""
        offset, found = self.asked.offset or 0, 0
        for row in windows:
            if row["max_offset"] <= offset:
                found = max(found, row["window_start_us"] + row["window_us"])
            elif row["max_offset"] - row["appended"] <= offset:
                found = max(found, row["window_start_us"])
        return found

    @cached_property
    def pops(self) -> bool:
        """Whether the group pops, over a proxy or not."""
        return _pops(self.output, self.asked.group)

    @cached_property
    def receives_itself(self) -> bool:
        """Whether the group's application receives and acknowledges, as that of a SimpleConsumer does."""
        scenario = scenario_of(self.output)
        own = scenario.consumers.get(self.asked.group) if scenario is not None else None
        return own is not None and own.grpc is not None and own.grpc.kind == "simple"

    @cached_property
    def pops_in_order(self) -> bool:
        """Whether it does so in order, so that a message comes again in its queue."""
        scenario = scenario_of(self.output)
        return self.pops and scenario is not None and scenario.consumers[self.asked.group].mode.in_order

    def at_offset(self, offset: int) -> list[GroupDelivery]:
        """The deliveries of another offset of the queue."""
        return sorted(map(delivery_of, self._of_offset(offset)), key=_end)

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

    @cached_property
    def failed_starts(self) -> list[Row]:
        """The windows in which starts of the group's instances failed."""
        columns = ("window_start_us", "window_us", "failed_starts")
        rows = self._rows("consumer_windows", columns, {"consumer_group": self.asked.group})
        return sorted((row for row in rows if row["failed_starts"]), key=lambda row: int(row["window_start_us"]))

    def fault_of(self, place: str, from_us: int, until_us: int, kind: str = "") -> ReportFault | None:
        """The last fault of an instance or a broker that overlaps a stretch of time."""
        found = [
            (begin, fault.number, fault)
            for fault in self.faults
            if place in fault.place.split(", ") and (not kind or fault.kind == kind)
            for begin, until in fault.stretches
            if begin <= until_us and until >= from_us
        ]
        return max(found, key=lambda one: one[:2])[2] if found else None


def _end(one: GroupDelivery) -> tuple[int, int, str]:
    return one.end_us, one.begin_us, one.instance


def _begin(one: GroupDelivery) -> tuple[int, int, str]:
    return one.begin_us, one.end_us, one.instance


def _pops(output: RunOutput, group: str) -> bool:
    scenario = scenario_of(output)
    return scenario is not None and group in scenario.consumers and scenario.consumers[group].is_pop


def _checked(output: RunOutput, asked: AskedOffset) -> str:
    """The topic that is asked about. Raises InputError."""
    about = output.about
    topics, groups = list(about["topics"]), list(about.get("consumer_groups", ()))
    if not groups:
        raise InputError(ExplainTexts.NO_CONSUMERS().at(output.path))
    if asked.group not in groups:
        raise InputError(not_known("consumer group", asked.group, groups))
    if asked.broker is None or asked.queue is None or asked.offset is None:
        raise InputError(ExplainTexts.WHICH_OFFSET())
    if asked.broker not in output.brokers:
        raise InputError(not_known("broker", asked.broker, output.brokers))
    if asked.topic is None and len(topics) > 1:
        raise InputError(ExplainTexts.WHICH_TOPIC(topics=", ".join(topics)))
    topic = asked.topic or topics[0]
    known = [*topics, f"%RETRY%{asked.group}"]
    if _pops(output, asked.group):
        known = [*topics, *(f"%RETRY%{asked.group}_{name}" for name in topics)]
    if topic.startswith("%DLQ%"):
        raise InputError(ExplainTexts.NO_DEAD_LETTER_QUEUES(known=" or ".join(known)).at(topic))
    if topic not in known:
        raise InputError(not_known("topic", topic, known))
    return topic
