"""The detector of 5.1.4 and later: one round over the fault table, every DETECT_PERIOD_MS.

Source: rocketmq 5.1.4-5.3.3, LatencyFaultToleranceImpl.detectByOneRound and startDetector.
"""

from __future__ import annotations

import numpy as np

from simulator.client.faults.item_listing import item_of, listing_of, remove_item
from simulator.client.memory import CHECK_STAMP, ITEM_COUNT, PRESENT, REACHABLE
from simulator.compiled.jit import rule

DETECT_PERIOD_MS = 3000  # between rounds, and before the first
DETECT_INTERVAL_MS = 2000  # default: an item probed less than this ago is left out of a round
DETECT_TIMEOUT_MS = 200  # of one probe, default

NOT_DUE = 0
PROBE = 1  # send the probe, then `probe_answered`
FORGOTTEN = 2  # the broker has no master address: its item was removed


@rule()
def begin_probe(m: np.ndarray, faults: int, now_ms: int, broker: int, has_master: int, interval_ms: int) -> int:
    """NOT_DUE, PROBE or FORGOTTEN for that broker's item; a due item is due again after `interval_ms`."""
    item = item_of(faults, broker)
    if m[item + PRESENT] == 0 or now_ms < m[item + CHECK_STAMP]:
        return NOT_DUE
    m[item + CHECK_STAMP] = now_ms + interval_ms
    if has_master:
        return PROBE
    remove_item(m, faults, broker)
    return FORGOTTEN


@rule()
def probe_answered(m: np.ndarray, faults: int, broker: int) -> int:
    """The probe succeeded: the broker is reachable; 1 if it was not. A failed probe changes nothing."""
    item = item_of(faults, broker)
    if m[item + PRESENT] == 0 or m[item + REACHABLE]:
        return 0
    m[item + REACHABLE] = 1
    return 1


@rule()
def detect_by_one_round(
    m: np.ndarray,
    faults: int,
    now_ms: int,
    interval_ms: int,
    has_master: np.ndarray,
    answers: np.ndarray,
    probed: np.ndarray,
) -> int:
    """A whole round at one moment; how many brokers were probed.

    `has_master` and `answers` are int64 by broker: 1 if the client knows a master's address, 1 if a probe
    succeeds. The brokers probed are written to `probed` in the order of the table.
    """
    count = 0
    place = listing_of(m, faults)
    while place < listing_of(m, faults) + m[faults + ITEM_COUNT]:
        broker = m[place]
        step = begin_probe(m, faults, now_ms, broker, has_master[broker], interval_ms)
        if step == PROBE:
            probed[count] = broker
            count += 1
            if answers[broker]:
                probe_answered(m, faults, broker)
        if step != FORGOTTEN:
            place += 1
    return count
