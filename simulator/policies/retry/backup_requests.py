"""Hedging: a second request when the first takes longer than nearly all did lately.

Source: finagle 24.2.0, BackupRequestFilter and WindowedPercentileHistogram: after the percentile 1 - `extra` of the
latencies of the last three full buckets of 10 s, looked up every 3 s, at least 1 ms, never from 2 s on. A budget of its
own lets no more than the part `extra` of the requests be sent twice. Successes and time-outs are counted. Until the
first bucket is full the wait is 1 ms. Whole milliseconds; above 64 they are counted to 3 %.
"""

from __future__ import annotations

from typing import Annotated

from simulator import codes
from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Cells, Ms, Record, Us, Within, several
from simulator.policies.parameter_texts import ParameterTexts
from simulator.policies.policy import NO_HEDGE, NO_RETRY, PolicyPart, has_failed
from simulator.policies.retry import budget
from simulator.policies.retry.budget import Budget, deposit, start_budget, withdraw

EXTRA_LOAD = 0.01
LEAST_MS, HIGHEST_MS = 1, 2_000
BUCKETS, BUCKET_MS, REFRESH_MS = 3, 10_000, 3_000
EXACT_MS, STEPS = 64, 32  # cells of 1 ms below that, then so many for each doubling
CELLS = EXACT_MS + 5 * STEPS
US_PER_MS = 1_000


class Backups(Record):
    """The budget, and the latencies: an open bucket and the full ones."""

    attempts: int
    extra: float  # a part of 1
    least_ms: Ms
    after_ms: Ms
    percentile_ms: Ms  # of the full buckets
    fills_ms: Ms  # when the open bucket is full
    refreshes_ms: Ms
    next_bucket: int
    own: Within[Budget]
    open: Annotated[Cells, several(CELLS)]
    full: Annotated[Cells, several(BUCKETS * CELLS)]


@rule()
def cell_of_ms(latency_ms: Ms) -> int:
    """The cell that counts a latency."""
    left, cell = min(latency_ms, HIGHEST_MS), 0
    while left >= EXACT_MS:
        left >>= 1
        cell += STEPS
    return cell + left


@rule()
def least_ms_of(cell: int) -> Ms:
    """The shortest latency of a cell."""
    doublings = max(cell - STEPS, 0) // STEPS
    return (cell - doublings * STEPS) << doublings


@rule()
def fill_bucket(state: Backups) -> None:
    """The open bucket replaces the oldest full one; the percentile is computed again."""
    first, total = state.next_bucket * CELLS, 0
    for cell in range(CELLS):
        state.full[first + cell] = state.open[cell]
        state.open[cell] = 0
    for place in range(BUCKETS * CELLS):
        total += state.full[place]
    state.next_bucket = (state.next_bucket + 1) % BUCKETS
    wanted, seen, cell = max(int((1.0 - state.extra) * total + 0.5), 1), 0, -1
    while seen < wanted and cell < CELLS - 1:
        cell += 1
        for bucket in range(BUCKETS):
            seen += state.full[bucket * CELLS + cell]
    state.percentile_ms = least_ms_of(cell) if total > 0 else 0


@rule()
def catch_up(state: Backups, now_ms: Ms) -> None:
    """Fill buckets and look the percentile up, as often as it was time for it."""
    while state.fills_ms <= now_ms or state.refreshes_ms <= now_ms:
        if state.fills_ms <= state.refreshes_ms:
            fill_bucket(state)
            state.fills_ms += BUCKET_MS
        else:
            state.after_ms = max(state.least_ms, state.percentile_ms)
            state.refreshes_ms += REFRESH_MS


@entry
def pay_for_backups(state: Backups, broker: int, attempt: int, now_us: Us) -> int:
    """The first request of a message pays in."""
    if attempt == 1:
        deposit(state.own, now_us // US_PER_MS)
    return 0


@entry
def count_latency(state: Backups, broker: int, attempt: int, now_us: Us, latency_us: Us, outcome: int) -> int:
    """Failures other than time-outs are fast, and would shorten the wait."""
    catch_up(state, now_us // US_PER_MS)
    if not has_failed(outcome) or outcome == codes.RESPONSE_TIMEOUT:
        state.open[cell_of_ms(latency_us // US_PER_MS)] += 1
    return 0


@entry
def backup_after(state: Backups, attempt: int, now_us: Us) -> int:
    """Of the first request only."""
    catch_up(state, now_us // US_PER_MS)
    goes = attempt == 1 and cell_of_ms(state.after_ms) < cell_of_ms(HIGHEST_MS)
    return state.after_ms * US_PER_MS if goes else NO_HEDGE


@entry
def take_backup(state: Backups, attempt: int, now_us: Us) -> int:
    """1 if the budget has what a backup costs."""
    return 1 if withdraw(state.own, now_us // US_PER_MS) else 0


@entry
def retry_hedged(state: Backups, attempt: int, broker: int, outcome: int, now_us: Us, word: int) -> int:
    """At once until the attempts are used up, once every request of the message has failed."""
    return 0 if attempt < state.attempts else NO_RETRY


def start(state: Backups, brokers: int, attempts: int, extra: float, least_us: int) -> None:
    """No latencies, an empty budget. Raises ValueError for a part that is none."""
    if not 0 < extra < 1:
        raise ValueError(ParameterTexts.OUTSIDE_0_TO_1())
    state.attempts, state.extra, state.least_ms = attempts, extra, max(least_us // US_PER_MS, LEAST_MS)
    state.after_ms, state.fills_ms, state.refreshes_ms = HIGHEST_MS, BUCKET_MS, REFRESH_MS
    start_budget(state.own, budget.TTL_MS, 0, extra, 0)


PART = PolicyPart(
    Backups,
    start,
    {
        "retry": retry_hedged,
        "sent": pay_for_backups,
        "ended": count_latency,
        "hedge": backup_after,
        "may_hedge": take_backup,
    },
    {"attempts": 3, "extra": EXTRA_LOAD, "least_us": LEAST_MS * US_PER_MS},
)
