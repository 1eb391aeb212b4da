"""From what was read of topics to finished rows, for one cell of a run: in order of virtual time. No Spark here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from simulator.compiled.records import Array
from simulator.kernel.randomness import ARRIVAL_LATENCY, hash4
from simulator.plan.run_plan import Plan
from simulator.plan.timetable import COLUMNS as PERIOD_COLUMNS
from simulator.plan.timetable import LEAD_US
from simulator.run.cell import CELL_TABLES, Cell
from simulator.run.driver import Driver
from simulator.run.event_intake import Mask, Refused, observations_of, sender_faults, set_aside
from simulator.run.events_ahead import EventsAhead
from simulator.workload import Arrivals
from state.row import StateRow
from state.tables import REJECTS as REJECTS_TABLE
from streaming.flow.blocks import Block, decode
from streaming.kafka.intake.partitions import Partitions
from streaming.kafka.intake.record_blocks import (
    ARRIVALS,
    COLUMNS,
    MARKS,
    NO_DRAW,
    OBSERVATIONS,
    PARTITIONS,
    REJECTS,
    Partition,
    place_of,
)
from streaming.operator.scenario_stepper import Rejects
from streaming.texts.kafka_texts import KafkaTexts

SEQ_BITS = 40


@dataclass(frozen=True)
class Intake:
    """How topics are read: their names, and how much later than others a record may come.

    endless: the run has no length of its own, and is over after the last window that has an event.
    """

    topics: tuple[str, ...]
    lateness_us: int
    endless: bool = False

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Intake:
        """What `said` gave."""
        return cls(tuple(said["topics"]), said["lateness_us"], bool(said.get("endless")))

    @property
    def said(self) -> dict[str, Any]:
        """As JSON can spell it."""
        return {
            "topics": list(self.topics),
            "lateness_us": self.lateness_us,
            **({"endless": True} if self.endless else {}),
        }


@dataclass(frozen=True)
class Given:
    """Records of one kind from all partitions of a micro-batch: their columns, and where each stood."""

    rows: pa.Table
    place: list[Partition]
    first_row: Array

    @classmethod
    def of(cls, blocks: Iterable[Block]) -> Given | None:
        """Those of some blocks, in the order of the partitions; None without any."""
        tables = [decode(block.payload) for block in blocks]
        if not tables:
            return None
        tables.sort(key=lambda rows: (place_of(rows), rows.column("offset")[0].as_py()))
        first_row = np.cumsum([0, *(rows.num_rows for rows in tables)])[:-1]
        plain = [rows.replace_schema_metadata(None) for rows in tables]
        return cls(pa.concat_tables(plain), [place_of(rows) for rows in tables], first_row)

    def column(self, name: str) -> Array:
        """A column of whole numbers."""
        return self.rows.column(name).to_numpy()

    def position(self, row: int) -> str:
        """Where a record stood, as the rejects say it."""
        place = self.place[int(np.searchsorted(self.first_row, row, side="right")) - 1]
        return f"{place.spelled}, offset {self.rows.column('offset')[row].as_py()}"


class KafkaStepper:
    """One cell of a scenario whose events come from topics, between two micro-batches."""

    def __init__(self, plan: Plan, cell: int, stored: StateRow | None, wanted: Iterable[str], intake: Intake) -> None:
        own, tables = plan.cells[cell], [name for name in wanted if name in CELL_TABLES]
        self.plan, self.intake = plan, intake
        self.cell = Cell(own, tables) if stored is None else Cell.restore(own, stored, tables)
        ahead, parts = EventsAhead.unpacked(b"" if stored is None else stored.intake)
        self._driver = Driver(plan, self.cell, ahead)
        self._partitions = Partitions.of(parts, intake.topics)
        self._rejects = Rejects(cell)

    @property
    def _complete_us(self) -> int:
        return self.cell.next_window * self.plan.window_us

    def run(self, blocks: Iterable[Block]) -> Iterator[tuple[str, pa.Table]]:
        """Take over the blocks and step as far as time is complete: (table name, rows), rejects last."""
        of: dict[str, list[Block]] = {}
        for block in blocks:
            self.cell.events_in += block.events
            of.setdefault(block.table, []).append(block)
        for block in of.get(PARTITIONS, ()):
            self._partitions.tell(block.payload)
        for block in of.get(MARKS, ()):
            topic, number, mark = json.loads(block.payload)
            self._partitions.read(Partition(topic, number), mark)
        self._refuse(Given.of(of.get(REJECTS, ())))
        self._observe(Given.of(of.get(OBSERVATIONS, ())))
        self._arrive(Given.of(of.get(ARRIVALS, ())))
        yield from self._step()
        refused = self._rejects.take()
        if refused is not None:
            yield REJECTS_TABLE.name, refused
        self.cell.events_rejected += self._rejects.events
        self._rejects.events = 0

    def _step(self) -> Iterator[tuple[str, pa.Table]]:
        windows = self.plan.windows
        if self._partitions.has_ended:
            if self.cell.next_window <= windows:
                yield from self._driver.end(self._last_window + 1 if self.intake.endless else None)
            return
        last = min(self._partitions.complete_us(self.intake.lateness_us) // self.plan.window_us, windows) - 1
        if last >= self.cell.next_window:
            yield from self._driver.complete(last)
            yield from self._driver.catch_up()

    @property
    def _last_window(self) -> int:
        """The last window that is complete or has an arrival."""
        return max([self.cell.next_window - 1, *self._driver.ahead.arrivals()[:, 0].tolist()])

    def _refuse(self, given: Given | None) -> None:
        if given is not None:
            said = given.rows.select(["reason", "record"]).to_pylist()
            for row, one in enumerate(said):
                self._rejects.add(given.position(row), one["reason"], 1, one["record"])

    def _set_aside(self, given: Given, refused: Iterable[Refused]) -> None:
        for one in refused:
            self._rejects.add(given.position(one.row), one.reason, 1, one.record)

    def _observe(self, given: Given | None) -> None:
        if given is None:
            return
        found, refused = observations_of(given.rows, self.cell.plan, self._complete_us)
        self._set_aside(given, refused)
        usable = np.setdiff1d(np.arange(given.rows.num_rows), [one.row for one in refused])
        known = np.concatenate([self.cell.observations, self._driver.ahead.observations()[:, 1:]])
        for row, period in zip(usable, found, strict=True):
            window = max(int(period[0] - LEAD_US) // self.plan.window_us, self.cell.next_window)
            reason = KafkaTexts.AFTER_THE_END() if window >= self.plan.windows else _overlaps(period, known)
            if reason:
                said = ", ".join(f"{name}={value}" for name, value in zip(PERIOD_COLUMNS, period, strict=True))
                self._set_aside(given, [Refused(int(row), reason, said)])
            else:
                self._driver.announce(window, period[None, :])
                known = np.concatenate([known, period[None, :]])

    def _arrive(self, given: Given | None) -> None:
        if given is None:
            return
        own = self.cell.plan
        at_us, producer, thread, seq, draw, topic = (given.column(name) for name in (*COLUMNS, "topic"))
        flat, faults = sender_faults(own, producer, thread, topic)
        faults += [
            (f"no seq is below 0 or above {(1 << SEQ_BITS) - 1}", (seq < 0) | (seq >= 1 << SEQ_BITS)),
            (f"late: time is complete up to {self._complete_us} us", at_us < self._complete_us),
            ("after the end of the run", at_us >= self.plan.duration_us),
        ]
        names, columns = (*COLUMNS, "topic"), [at_us, producer, thread, seq, draw, topic]
        usable, refused = set_aside(names, columns, faults)
        again = self._is_there(flat, seq, usable)
        _, doubled = set_aside(names, columns, [("a duplicate: its seq is taken", again)])
        self._set_aside(given, sorted([*refused, *doubled], key=lambda one: one.row))
        chosen = usable & ~again
        at_us, flat, topic, seq, draw = (column[chosen] for column in (at_us, flat, topic, seq, draw))
        for place in np.flatnonzero(draw == NO_DRAW):
            stream = int(own.streams.stream[flat[place]])
            draw[place] = np.uint64(hash4(self.plan.seed, ARRIVAL_LATENCY, stream, int(seq[place]))).astype(np.int64)
        self._keep(Arrivals(at_us, flat, topic, draw), seq)

    def _is_there(self, thread: Array, seq: Array, usable: Mask) -> Mask:
        """Which of the usable arrivals have the key of one before them, or of one that waits."""
        key = np.where(usable, (thread << SEQ_BITS) + seq, -1 - np.arange(len(seq)))
        waiting = self._driver.ahead.arrivals()
        _, first = np.unique(key, return_index=True)
        again = np.isin(key, (waiting[:, 2] << SEQ_BITS) + waiting[:, 5])
        repeated = np.ones(len(key), bool)
        repeated[first] = False
        return again | repeated

    def _keep(self, events: Arrivals, seq: Array) -> None:
        if not len(events):
            return
        windows = events.at_us // self.plan.window_us
        order = np.argsort(windows, kind="stable")
        found, first = np.unique(windows[order], return_index=True)
        for window, rows in zip(found, np.split(order, first[1:]), strict=True):
            part = Arrivals(events.at_us[rows], events.thread[rows], events.topic[rows], events.draw[rows])
            self._driver.ahead.arrive(int(window), part, seq[rows])

    def snapshot(self) -> StateRow:
        """What is remembered."""
        more = self._partitions.part(self.intake.topics)
        return replace(self.cell.snapshot(), intake=self._driver.ahead.packed(more))


def _overlaps(period: Array, known: Array) -> str:
    at_us, until_us, broker, table, _ = period
    same = known[(known[:, 2] == broker) & (known[:, 3] == table)]
    if (same == period).all(axis=1).any():
        return "a duplicate: it is known already"
    if ((same[:, 0] < until_us) & (same[:, 1] > at_us)).any():
        return "another period of its table overlaps it"
    return ""
