"""The detector of 5.1.4 and later: one round over the fault table, every DETECT_PERIOD_MS.

Source: rocketmq 5.1.4-5.3.3, LatencyFaultToleranceImpl.detectByOneRound and startDetector.
"""

from __future__ import annotations

from simulator.client.faults.fault_item import FaultTable
from simulator.client.faults.item_listing import remove_item
from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Ms

DETECT_PERIOD_MS = 3000  # between rounds, and before the first
DETECT_INTERVAL_MS = 2000  # default: an item probed less than this ago is left out of a round
DETECT_TIMEOUT_MS = 200  # of one probe, default

NOT_DUE = 0
PROBE = 1  # send the probe, then `probe_answered`
FORGOTTEN = 2  # the broker has no master address: its item was removed


@rule()
def begin_probe(faults: FaultTable, now_ms: Ms, broker: int, has_master: int, interval_ms: Ms) -> int:
    """NOT_DUE, PROBE or FORGOTTEN for that broker's item; a due item is due again after `interval_ms`."""
    item = faults.items[broker]
    if item.present == 0 or now_ms < item.check_stamp:
        return NOT_DUE
    item.check_stamp = now_ms + interval_ms
    if has_master:
        return PROBE
    remove_item(faults, broker)
    return FORGOTTEN


@rule()
def probe_answered(faults: FaultTable, broker: int) -> int:
    """The probe succeeded: the broker is reachable; 1 if it was not. A failed probe changes nothing."""
    item = faults.items[broker]
    if item.present == 0 or item.reachable:
        return 0
    item.reachable = 1
    return 1


@rule()
def detect_by_one_round(
    faults: FaultTable, now_ms: Ms, interval_ms: Ms, has_master: Cells, answers: Cells, probed: Cells
) -> int:
    """A whole round at one moment; how many brokers were probed.

    `has_master` and `answers` are by broker: 1 if the client knows a master's address, 1 if a probe
    succeeds. The brokers probed are written to `probed` in the order of the table.
    """
    count = 0
    place = 0
    while place < faults.item_count:
        broker = faults.items[place].listed
        step = begin_probe(faults, now_ms, broker, has_master[broker], interval_ms)
        if step == PROBE:
            probed[count] = broker
            count += 1
            if answers[broker]:
                probe_answered(faults, broker)
        if step != FORGOTTEN:
            place += 1
    return count
