"""From groups of producers that send in closed loops to what the event loop needs of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.compiled.records import Array, size_of
from simulator.engine.memory.sender_thread import ClosedLoop
from simulator.engine.memory.settings import FAR
from simulator.kernel.latency import mean_us
from simulator.kernel.randomness import LOOP_PHASE, drawn_each
from simulator.plan.thread_list import Threads
from simulator.scenario import ProducerGroup, Scenario

START_SPREAD_US = 1_000  # threads begin within a mean think time and this, each at a moment of its own


@dataclass(frozen=True)
class LoopPlan:
    """places: number of each group's loop in region `loops`, -1 for none; loops, topics: regions `loops` and
    `loop_topics`; first_sends_us: int64[threads], FAR without a loop; sends_per_window: about as many begin, at most.
    """

    places: Sequence[int]
    loops: Array
    topics: Array
    first_sends_us: Array
    sends_per_window: float


def topic_thresholds(group: ProducerGroup, topics: Sequence[str]) -> Array:
    """Upper thresholds over 2**31 of a group's choice among all topics."""
    weights = np.array([group.topics.get(topic, 0) for topic in topics], dtype=object)
    return np.array([int(w) for w in np.cumsum(weights) * 2**31 // weights.sum()], dtype=np.int64)


def loop_plan(scenario: Scenario, threads: Threads) -> LoopPlan:
    """The closed loops of a cell's threads."""
    places, loops, topics = list[int](), list[Array](), list[Array]()
    thinks_us, sends_of = list[float](), list[float]()
    for group in scenario.producers:
        places.append(-1 if group.think is None else len(loops))
        thinks_us.append(0.0)
        sends_of.append(0.0)
        if group.think is not None:
            sends_of[-1] = scenario.window_us / scenario.loop_us(group)
            table = group.think.service_table_us()
            thinks_us[-1] = mean_us(table)
            loop = np.zeros(size_of(ClosedLoop), np.int64)
            own = ClosedLoop.at(loop)
            own.seed, own.until_us, own.stream = scenario.seed, scenario.duration_us, int(threads.stream[0])
            own.think.edges.array[:] = table
            loops.append(loop)
            topics.append(topic_thresholds(group, list(scenario.topics)))
    begins = np.flatnonzero(np.array(places, np.int64)[threads.group] >= 0)
    groups, streams = threads.group[begins], threads.stream[begins]
    spreads_us = np.array(thinks_us).astype(np.int64)[groups] + START_SPREAD_US
    at_us = drawn_each(scenario.seed, LOOP_PHASE, streams, spreads_us)
    first = np.full(len(threads), FAR, np.int64)
    first[begins] = np.where(at_us < scenario.duration_us, at_us, FAR)
    sends = float(np.array(sends_of)[groups].sum())
    none = np.empty(0, np.int64)
    return LoopPlan(places, np.concatenate([none, *loops]), np.concatenate([none, *topics]), first, sends)
