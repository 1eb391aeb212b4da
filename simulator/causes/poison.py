"""The message that blocks a queue of an orderly group: which one, and how often it failed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from simulator.causes.run_figures import Beat
from simulator.plan.compile import compile_scenario
from simulator.run.cell import Cell
from simulator.run.driver import drive
from simulator.scenario import Scenario
from state.group_table import NOT_FAILED_RESULTS
from state.tables import CONSUMED, SENDS


@dataclass(frozen=True)
class PoisonMessage:
    """A message of a queue that failed `times` times; key: its number, None if the topic's messages have none."""

    topic: str
    broker: str
    queue_id: int
    queue_offset: int
    times: int
    key: int | None

    @property
    def text(self) -> str:
        """Where it lies, in words."""
        key = "" if self.key is None else f", key {self.key}"
        return f"queue {self.queue_id} of {self.broker}, offset {self.queue_offset:,}{key}"


def blocking_message(scenario: Scenario, group: str, beat: Beat = lambda: None) -> PoisonMessage | None:
    """The message of an orderly group that failed most often, None if none failed twice."""
    plan = compile_scenario(scenario)
    cell = Cell(plan.cells[0], (CONSUMED.name, SENDS.name))
    failed, sends = list[pa.Table](), list[pa.Table]()
    for name, rows in drive(plan, cell):
        beat()
        if name == SENDS.name:
            sends.append(rows.select(["producer", "thread", "topic", "send_seq", "message_key"]))
            continue
        own = pc.equal(rows.column("consumer_group").cast(pa.string()), group)
        is_fine = pc.is_in(rows.column("result").cast(pa.string()), pa.array(NOT_FAILED_RESULTS))
        own = pc.and_(own, pc.invert(is_fine))
        failed.append(rows.filter(own))
    rows = pa.concat_tables(failed)
    places = ["topic", "broker", "queue_id", "queue_offset", "sender", "send_seq"]
    names = {name: rows.column(name).cast(pa.string()) for name in ("topic", "broker")}
    plain = pa.table({name: names.get(name, rows.column(name)) for name in places})
    counts = plain.group_by(places).aggregate([([], "count_all")]).sort_by([("count_all", "descending")])
    if not counts.num_rows or counts.column("count_all")[0].as_py() < 2:
        return None
    worst = {name: counts.column(name)[0].as_py() for name in counts.column_names}
    threads = np.asarray(plan.cells[0].names.producer_of_thread)
    key = _key(pa.concat_tables(sends), worst, threads)
    place = worst["topic"], worst["broker"], worst["queue_id"], worst["queue_offset"]
    return PoisonMessage(*place, worst["count_all"], key)


def _key(sends: pa.Table, message: dict[str, int], producer_of_thread: np.ndarray) -> int | None:
    producer = int(producer_of_thread[message["sender"]])
    thread = int(message["sender"] - np.flatnonzero(producer_of_thread == producer)[0])
    found = pc.and_(pc.equal(sends.column("producer"), producer), pc.equal(sends.column("thread"), thread))
    found = pc.and_(found, pc.equal(sends.column("send_seq"), message["send_seq"]))
    found = pc.and_(found, pc.equal(sends.column("topic").cast(pa.string()), message["topic"]))
    keys = sends.filter(found).column("message_key")
    value = keys[0].as_py() if len(keys) else None
    return None if value is None else int(value)
