"""Why attempts failed: a fault of their own broker, measured against what other brokers and times show, or the load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from streaming.clock import clock
from streaming.report.collected.fact_rows import FactRows
from streaming.report.collected.facts import Facts
from streaming.report.fault_times import ReportFault
from streaming.report.findings.cause import NO_CAUSE, Cause, fault_cause
from streaming.report.findings.load import Load

S = 1_000_000
NO_ANSWER = ("RemotingTimeoutException", "RemotingSendRequestException", "RemotingTooMuchRequestException",
             "RemotingConnectException")  # fmt: skip
BUSY = "MQBrokerException SYSTEM_BUSY"
AWAY = (*NO_ANSWER, "MQClientException", "IllegalStateException", "MQBrokerException GO_AWAY",
        "MQBrokerException SERVICE_NOT_AVAILABLE")  # fmt: skip
ROUTE = ("MQClientException", "IllegalStateException", "MQBrokerException NO_PERMISSION",
         "MQBrokerException TOPIC_NOT_EXIST", "MQBrokerException INVALID_PARAMETER",
         "MQBrokerException SYSTEM_ERROR")  # fmt: skip
SLAVE = ("SLAVE_NOT_AVAILABLE", "FLUSH_SLAVE_TIMEOUT", "MQBrokerException", *NO_ANSWER)
# What an attempt to a broker can end with because of a fault there: the begins of those names.
ENDS_WITH = {
    "hang": (*NO_ANSWER, BUSY, "FLUSH"),
    "pause": (*NO_ANSWER, BUSY, "FLUSH"),
    "slow": (*NO_ANSWER, BUSY),
    "disk_stall": (*NO_ANSWER, BUSY, "FLUSH", "MQBrokerException"),
    "kill": AWAY,
    "restart": AWAY,
    "rolling_restart": AWAY,
    "master_lost": AWAY,
    "silent_death": AWAY,
    "power_loss": AWAY,
    "disk_loss": AWAY,
    "partition": (*NO_ANSWER, "MQClientException"),
    "packet_loss": NO_ANSWER,
    "slow_link": NO_ANSWER,
    "refuse": ("RemotingConnectException", "RemotingSendRequestException", "MQClientException"),
    "slave_lost": SLAVE,
    "slave_lag": SLAVE,
    "wipe_permission": ROUTE,
    "read_only": ROUTE,
    "queues": ROUTE,
    "scale_in": (*AWAY, *ROUTE),
    "scale_out": AWAY,
    "name_server_down": ROUTE,
    "name_server_hang": ROUTE,
    "name_server_slow": ROUTE,
    "name_server_cut": ROUTE,
    "controller_down": AWAY,
}
# These leave a broker at work: that attempts fail meanwhile must be shown to be more than elsewhere and before.
PARTIAL = ("slow", "pause", "disk_stall", "packet_loss", "slow_link", "slave_lag", "slave_lost")
LOSING = ("power_loss", "disk_loss", "kill", "restart", "rolling_restart", "silent_death", "master_lost")
GAP_US = 2 * S  # failures further apart than this are not of one aftermath
AFTERMATH_US = 45 * S
LIFT = 2.0


@dataclass
class Causes:
    """Causes of the kept failed attempts, one for each row: a number in `every`."""

    every: list[Cause] = field(default_factory=lambda: [NO_CAUSE])
    of_attempt: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def number(self, cause: Cause) -> int:
        """The number of a cause."""
        for place, known in enumerate(self.every):
            if known.key == cause.key:
                return place
        self.every.append(cause)
        return len(self.every) - 1


def can_end_with(fault: ReportFault, outcome: str) -> bool:
    """Whether an attempt can end so because of such a fault at its broker."""
    if fault.kind == "code":
        return outcome.startswith("MQBrokerException") and fault.text.endswith(
            outcome.removeprefix("MQBrokerException ")
        )
    if fault.kind == "status":
        return fault.text.endswith(outcome)
    return outcome.startswith(ENDS_WITH.get(fault.kind, ("",)))


def causes_of(facts: Facts, faults: Sequence[ReportFault], load: Load) -> Causes:
    """The cause of every failed attempt."""
    rows, found = facts.attempts, Causes()
    found.of_attempt = np.zeros(len(rows), dtype=np.int64)
    if not len(rows):
        return found
    begin, end = rows["begin_us"], rows["end_us"]
    best = np.full(len(rows), -np.inf)
    for fault in faults:
        fits = np.array([can_end_with(fault, name) for name in facts.outcomes])
        own = fits[rows["outcome"]] & load.is_of(rows["broker"], rows["group"], fault)
        if not own.any() or (fault.kind in PARTIAL and not _lifts(facts, load, fault, own)):
            continue
        tied, since = _tied(begin, end, rows["broker"], own, fault, load)
        # An attempt that began in a fault is that fault's before it is another one's aftermath; what stops a broker
        # comes before what only slows it down; then the later one.
        inside = tied & (begin < since[1])
        score = np.where(inside, 2.0, 0.0) + (0.0 if fault.kind in PARTIAL else 1.0) + since[0] / 1e15
        better = tied & (score > best)
        best[better] = score[better]
        found.of_attempt[better] = found.number(fault_cause(fault))
    _by_load(facts, found, load)
    return found


Stretch = tuple[np.ndarray, np.ndarray]


def _tied(
    begin: np.ndarray, end: np.ndarray, broker: np.ndarray, own: np.ndarray, fault: ReportFault, load: Load
) -> tuple[np.ndarray, Stretch]:
    """Which attempts lie in a fault, or in the unbroken run of failures after it; begin and end of their stretch."""
    begins, ends = (np.array(edge, dtype=np.int64) for edge in zip(*fault.stretches, strict=True))
    place = np.maximum(np.searchsorted(begins, end, side="right") - 1, 0)
    at, until = begins[place], ends[place]
    tied = own & (end > at) & (begin < until)
    for one in np.unique(broker[own]):
        rows = np.flatnonzero(own & (broker == one))
        rows = rows[np.argsort(begin[rows], kind="stable")]
        reached = np.maximum.accumulate(np.where(tied[rows], np.maximum(end[rows], until[rows]), end[rows]))
        fresh = np.r_[True, begin[rows][1:] > reached[:-1] + GAP_US]
        chain = np.cumsum(fresh)
        with_fault = np.isin(chain, chain[tied[rows]])
        limit = np.minimum(until[rows] + AFTERMATH_US, load.next_change_us(until[rows]))
        after = with_fault & (begin[rows] >= until[rows]) & (begin[rows] < limit)
        tied[rows] |= after
    return tied, (at, until)


def _lifts(facts: Facts, load: Load, fault: ReportFault, own: np.ndarray) -> bool:
    """Whether attempts to the fault's brokers fail more often in it than before it, and than those to other brokers."""
    bins = load.bins_in(fault.stretches)
    struck = load.numbers(fault.brokers)
    others = [number for number in range(facts.count.shape[1]) if number not in struck]
    counts = facts.count.sum(axis=0)
    failed = np.zeros_like(counts)
    rows = facts.attempts
    same = np.isin(rows["outcome"], np.unique(rows["outcome"][own]))
    picked = rows.of(same & (rows["broker"] >= 0))
    place = np.minimum(picked["begin_us"] // facts.bin_us, counts.shape[1] - 1)
    np.add.at(failed, (picked["broker"], place), facts.modulus)
    before = np.flatnonzero(bins)[:1]
    earlier = np.arange(counts.shape[1]) < (before[0] if len(before) else 0)
    inside = _ratio(failed[struck][:, bins], counts[struck][:, bins])
    if inside <= LIFT * _ratio(failed[struck][:, earlier], counts[struck][:, earlier]):
        return False
    return inside > LIFT * _ratio(failed[others][:, bins], counts[others][:, bins]) if others else True


def _ratio(part: np.ndarray, whole: np.ndarray) -> float:
    return float(part.sum()) / max(float(whole.sum()), 1.0)


def _by_load(facts: Facts, found: Causes, load: Load) -> None:
    """What no fault explains: runs of failures of one kind at a broker, explained by its load where that shows it."""
    rows = facts.attempts
    left = np.flatnonzero((found.of_attempt == 0) & (rows["broker"] >= 0))
    if not len(left):
        return
    rows = rows.of(left).having(row=left).in_order("broker", "outcome", "begin_us")
    fresh = np.diff(rows["begin_us"]) > 5 * S
    fresh |= (np.diff(rows["broker"]) != 0) | (np.diff(rows["outcome"]) != 0)
    for places in np.split(np.arange(len(rows)), np.flatnonzero(fresh) + 1):
        run = rows.of(places)
        cause = load.cause((int(run["broker"][0]),), int(run["begin_us"].min()), int(run["end_us"].max()))
        if cause is not None:
            found.of_attempt[run["row"]] = found.number(cause)


def fault_that_lost(faults: Sequence[ReportFault], broker: str, end_us: int) -> ReportFault | None:
    """The fault that took a copy which `broker` acknowledged at `end_us`: the first loss of what is not flushed soon
    after, or else the first loss of its disk."""
    later = [
        (at_us, fault)
        for fault in faults
        if fault.kind in LOSING and broker in fault.brokers
        for at_us, until_us in fault.stretches
        if until_us > end_us
    ]
    later.sort(key=lambda item: item[0])
    near = [fault for at_us, fault in later if at_us - end_us <= 15 * S]
    disks = [fault for _, fault in later if fault.kind == "disk_loss"]
    chosen = near or disks
    return chosen[0] if chosen else None


def times(rows: FactRows) -> str:
    """From the first intended send time to the last result, to a tenth of a second."""
    return f"{tenths(int(rows['arrival_us'].min()))} to {tenths(int(rows['end_us'].max()))}"


def tenths(us: int) -> str:
    """Virtual time as m:ss.t."""
    return f"{clock(us)}.{us // 100_000 % 10}"
