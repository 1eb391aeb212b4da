"""From groups of producers that send in closed loops to what the event loop needs of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simulator.engine import layout
from simulator.engine.layout import FAR, Ints
from simulator.latency import mean_us
from simulator.plan.memory_plan import Thread
from simulator.randomness import LOOP_PHASE, drawn
from simulator.scenario import ProducerGroup, Scenario

START_SPREAD_US = 1_000  # threads begin within a mean think time and this, each at a moment of its own


@dataclass(frozen=True)
class LoopPlan:
    """places: offset in region SIZES of each group's loop, -1 for none; rows: what is put there; first_sends_us:
    int64[threads], FAR without a loop; sends_per_window: about as many begin, at most.
    """

    places: Sequence[int]
    rows: Ints
    first_sends_us: Ints
    sends_per_window: float


def topic_thresholds(group: ProducerGroup, topics: Sequence[str]) -> Ints:
    """Upper thresholds over 2**31 of a group's choice among all topics."""
    weights = np.array([group.topics.get(topic, 0) for topic in topics], dtype=object)
    return np.array([int(w) for w in np.cumsum(weights) * 2**31 // weights.sum()], dtype=np.int64)


def loop_plan(scenario: Scenario, threads: Sequence[Thread], first_place: int) -> LoopPlan:
    """The closed loops of a cell's threads, their rows from `first_place` of region SIZES on."""
    places, rows, thinks_us, sends_of = [], [np.empty(0, np.int64)], [], []
    for group in scenario.producers:
        places.append(-1 if group.think is None else first_place + sum(map(len, rows)))
        thinks_us.append(0.0)
        sends_of.append(0.0)
        if group.think is not None:
            sends_of[-1] = scenario.window_us / scenario.loop_us(group)
            table = group.think.service_table_us()
            thinks_us[-1] = mean_us(table)
            head = np.zeros(layout.LOOP_TOPICS, np.int64)
            head[layout.LOOP_SEED], head[layout.LOOP_UNTIL_US] = scenario.seed, scenario.duration_us
            head[layout.LOOP_STREAM] = threads[0].stream
            rows.append(np.concatenate([head, topic_thresholds(group, list(scenario.topics)), table]))
    first = np.full(len(threads), FAR, np.int64)
    sends = 0.0
    for i, thread in enumerate(threads):
        if places[thread.group] >= 0:
            spread_us = int(thinks_us[thread.group]) + START_SPREAD_US
            at_us = drawn(scenario.seed, LOOP_PHASE, thread.stream, spread_us)
            first[i] = at_us if at_us < scenario.duration_us else FAR
            sends += sends_of[thread.group]
    return LoopPlan(places, np.concatenate(rows), first, sends)
