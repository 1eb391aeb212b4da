"""The detector's rounds in the event loop: every producer probes what is due, all at the same moments."""

from __future__ import annotations

from typing import Any

from simulator.client.faults.detector_round import detect_by_one_round
from simulator.client.memory import ITEM_LIST, ITEM_SIZE, PRESENT, REACHABLE
from simulator.compiled.jit import rule
from simulator.engine.layout import (
    ANSWER,
    ANSWER_REFUSE,
    ANSWER_VALUE,
    BROKER_ROWS,
    BROKER_SIZE,
    BROKERS,
    CONNECTIONS_ON,
    DETECT_INTERVAL_MS,
    DETECT_TIMEOUT_US,
    DOWN,
    FAULT_TABLE_SIZE,
    FAULT_TABLES,
    FIRST_THREAD,
    GROUP,
    HAS_MASTER,
    LINK_CUT,
    LINKS_ON,
    POLLER_SIZE,
    POLLERS,
    PRODUCERS,
    ROUTES_ON,
    SERVER_COUNT,
    SERVER_FREE,
    SERVERS,
    SPEED,
    THREAD_SIZE,
    THREADS,
)
from simulator.engine.network.connection import link_at, link_directory
from simulator.engine.network.route_polls import knows_master
from simulator.engine.periods import skip_past, start_after_standstill, value_at
from simulator.engine.rows import put_fault_item


@rule()
def _answers_in_time(c: Any, m: Any, broker: Any, now_us: Any) -> Any:
    """Whether a probe sent now is answered within the detector's time-out; the probe itself takes no thread."""
    if value_at(c, m, broker, ANSWER, now_us, 0) & ~ANSWER_VALUE == ANSWER_REFUSE:
        return 0
    skip_past(c, m, broker, SPEED, now_us)
    fixed = c[BROKER_ROWS] + broker * BROKER_SIZE
    first = c[SERVER_FREE] + c[fixed + SERVERS]
    free = m[first]
    for server in range(first + 1, first + c[fixed + SERVER_COUNT]):
        free = min(free, m[server])
    start = start_after_standstill(c, m, broker, max(now_us, free))
    return 1 if start - now_us < c[DETECT_TIMEOUT_US] else 0


@rule()
def _seen_by(c: Any, m: Any, producer: Any, has_master: Any, answers: Any, now_us: Any) -> None:
    """The same as one producer sees it, whose routes and network are its own."""
    group = c[c[THREADS] + c[c[POLLERS] + producer * POLLER_SIZE + FIRST_THREAD] * THREAD_SIZE + GROUP]
    for broker in range(c[BROKERS]):
        if c[ROUTES_ON] == 1:
            has_master[broker] = knows_master(c, m, producer, broker)
        if c[CONNECTIONS_ON] == 1:
            answers[broker] = _answers_in_time(c, m, broker, now_us)
            away = value_at(c, m, broker, DOWN, now_us, 0)
            if c[LINKS_ON] == 1 and link_at(c, m, link_directory(c, group, broker, 0), now_us) == LINK_CUT:
                away = 1
            if away != 0:
                answers[broker] = 0


@rule()
def detect(c: Any, m: Any, o: Any, memory: Any, scratch: Any, now_us: Any) -> None:
    """One round of every producer; puts out each item that changed its reachable flag or was removed.

    `scratch`: int64[4 * brokers] to work in.
    """
    brokers = c[BROKERS]
    has_master = scratch[:brokers]
    answers = scratch[brokers : 2 * brokers]
    probed = scratch[2 * brokers : 3 * brokers]
    before = scratch[3 * brokers :]
    for broker in range(brokers):
        has_master[broker] = c[c[BROKER_ROWS] + broker * BROKER_SIZE + HAS_MASTER]
        answers[broker] = _answers_in_time(c, m, broker, now_us)
    for producer in range(c[PRODUCERS]):
        faults = c[FAULT_TABLES] + producer * c[FAULT_TABLE_SIZE]
        if c[ROUTES_ON] == 1 or c[CONNECTIONS_ON] == 1:
            _seen_by(c, m, producer, has_master, answers, now_us)
        for broker in range(brokers):
            item = faults + ITEM_LIST + broker * ITEM_SIZE
            before[broker] = 2 * m[item + PRESENT] + m[item + REACHABLE]
        detect_by_one_round(memory, faults, now_us // 1000, c[DETECT_INTERVAL_MS], has_master, answers, probed)
        for broker in range(brokers):
            item = faults + ITEM_LIST + broker * ITEM_SIZE
            if before[broker] != 2 * m[item + PRESENT] + m[item + REACHABLE]:
                put_fault_item(c, m, o, producer, faults, broker, now_us)
