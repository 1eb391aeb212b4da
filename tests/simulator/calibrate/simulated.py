"""Logs of simulated clusters: their attempts as a log would have them, beside the truth of which they were made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from simulator import codes
from simulator.calibrate.attempts import Ints, TraceAttempts
from simulator.run.simulate import simulate
from simulator.scenario import Scenario
from tests.simulator.small import scenario_of

OUTCOMES = {name: number for number, name in enumerate(codes.OUTCOME_NAMES)}
OUTCOMES |= dict.fromkeys(codes.SEND_STATUS_CODES, codes.SEND_STATUS)


def log_of(
    scenario: Scenario, resolution_us: int = 1, *, has_threads: bool = True, answered_only: bool = False
) -> TraceAttempts:
    """The attempts of a run as its log has them; times and latencies are cut to the resolution."""
    table = simulate(scenario, tables=("attempts",)).attempts.sort_by([("begin_us", "ascending")])
    asked = [OUTCOMES[name] for name in table.column("outcome").cast(pa.string()).to_pylist()]
    outcome = np.array(asked, np.int64)
    if answered_only:
        kept = np.isin(outcome, (codes.SEND_OK, codes.SEND_STATUS))
        table, outcome = table.filter(pa.array(kept)), outcome[kept]
    column = {name: table.column(name).to_numpy() for name in ("begin_us", "end_us", "producer", "thread", "queue_id")}
    begin = column["begin_us"] // resolution_us * resolution_us
    took = (column["end_us"] - column["begin_us"]) // resolution_us * resolution_us
    message, send_begin = _messages(table, begin)
    producer, topic, broker = (np.asarray(one, np.int64) for one in (column["producer"], *_places(table, scenario)))
    code = np.nan_to_num(table.column("response_code").to_numpy(), nan=-1.0).astype(np.int64)
    count = len(begin)
    return TraceAttempts(
        begin_us=begin, end_us=begin + took, producer=producer,
        thread=column["thread"].astype(np.int64) if has_threads else np.full(count, -1),
        topic=topic, broker=broker, message=message, outcome=outcome, code=code,
        asked=(outcome != codes.NO_MASTER).astype(np.int64), send_begin_us=send_begin,
        queue=column["queue_id"].astype(np.int64), body_bytes=np.full(count, -1),
        producers=_names(scenario), topics=tuple(scenario.topics), brokers=tuple(scenario.brokers),
        duration_us=scenario.duration_us, answered_only=answered_only,
    )  # fmt: skip


def _names(scenario: Scenario) -> tuple[str, ...]:
    groups = [group.group for group in scenario.producers for _ in range(group.count)]
    return tuple(f"{group}-{number:02d}" for number, group in enumerate(groups))


def _places(table: pa.Table, scenario: Scenario) -> tuple[list[int], list[int]]:
    topics, brokers = list(scenario.topics), list(scenario.brokers)
    return (
        [topics.index(name) for name in table.column("topic").cast(pa.string()).to_pylist()],
        [brokers.index(name) if name else -1 for name in table.column("broker").cast(pa.string()).to_pylist()],
    )


def _messages(table: pa.Table, begin_us: Ints) -> tuple[Ints, Ints]:
    """The number of each attempt's message, and when its first attempt began."""
    keys = np.stack([table.column(name).to_numpy() for name in ("producer", "thread", "send_seq")], axis=1)
    _, number = np.unique(keys, axis=0, return_inverse=True)
    first = np.full(int(number.max()) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, number, begin_us)
    return number.astype(np.int64), first[number]


def scenario_with(fault: dict[str, Any] | None = None, **changes: Any) -> Scenario:
    """24 producers on three brokers whose answers take 2 ms to 20 ms, for a minute, with one fault."""
    base: dict[str, Any] = {
        "duration": "60s",
        "producers": {"group": "shop", "count": 24, "rate": "5/s", "arrivals": "poisson"},
        "brokers": {name: {"latency": {"lognormal": {"p50": "2ms", "p99": "20ms"}}} for name in ("a", "b", "c")},
        "faults": [] if fault is None else [fault],
    }
    return scenario_of(**(base | changes))
