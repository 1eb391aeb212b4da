"""Burrow's verdict on a queue's lag, by its published rules, from the offsets that a group last committed.

Source: linkedin/Burrow, core/internal/evaluator/caching.go (calculatePartitionStatus), with its defaults: ten offsets
of a group (`intervals`), and ten of the broker, one every 10 s. An offset counts at most every
persistConsumerOffsetInterval (5 s), the client's own period: a pull commits one, too, and would shorten the time that
ten of them cover. `allowed-lag` is one pull: what an instance has pulled and not consumed is no backlog.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.memory.consumer_side import REPORTS_KEPT
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.shared.queue_progress import progress_of, progress_place

# Burrow's order: what is worse is larger, and a group is as bad as its worst queue
OK = 0
WARN = 1  # the lag does not fall: too slow
STOP = 2  # nothing is committed any more
STALL = 3  # offsets are committed and do not change
REWIND = 4  # an offset is smaller than the one before
RECENT_US = 90_000_000  # the oldest of ten broker offsets: until then a group that had no lag has not stopped


@rule()
def note_report(world: ConsumerWorld, subscription: int, log: int, offset: int, now_us: Us) -> None:
    """Remember a committed offset and the lag that it leaves."""
    progress = progress_of(world, subscription, log)
    persist_us = world.groups[world.subscriptions[subscription].group].persist_us
    if progress.reports > 0 and now_us - progress.reported_us < persist_us:
        return
    first = progress_place(world, subscription, log) * REPORTS_KEPT
    report = world.reports[first + progress.reports % REPORTS_KEPT]
    report.at_us = now_us
    report.offset = offset
    report.lag = max(world.logs[log].max_offset - offset, 0)
    progress.reports += 1
    progress.reported_us = now_us


@rule()
def lag_verdict(world: ConsumerWorld, subscription: int, log: int, oldest_us: Us, now_us: Us) -> int:
    """The verdict now; OK until there are REPORTS_KEPT reports, which Burrow calls incomplete.

    `oldest_us`: when the message at the committed offset was stored, -1 if there is none.
    """
    progress, allowed = progress_of(world, subscription, log), world.settings.transfer_count
    if progress.reports < REPORTS_KEPT or world.logs[log].max_offset - progress.committed <= allowed:
        return OK
    first = progress_place(world, subscription, log) * REPORTS_KEPT
    oldest = world.reports[first + progress.reports % REPORTS_KEPT]
    begin_us, offset, lag, most = oldest.at_us, oldest.offset, oldest.lag, oldest.offset
    has_stopped = now_us - progress.reported_us > progress.reported_us - begin_us
    if has_stopped and (oldest_us < 0 or now_us - oldest_us > RECENT_US):
        return STOP
    least, moved, falls, rewound = lag, 0, 0, 0
    for i in range(1, REPORTS_KEPT):
        report = world.reports[first + (progress.reports + i) % REPORTS_KEPT]
        least = min(least, report.lag)
        moved = 1 if report.offset != offset else moved
        falls = 1 if report.lag < lag else falls
        most = max(most, report.offset)
        rewound = 1 if report.offset < most else 0  # and has not come back since
        offset, lag = report.offset, report.lag
    if rewound == 1:
        return REWIND
    if least <= allowed:
        return OK
    if moved == 0:
        return STALL
    return WARN if falls == 0 else OK
