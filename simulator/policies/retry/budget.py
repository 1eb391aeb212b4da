"""A budget of retries: a part of the requests, and a reserve that is always there.

Source: finagle 24.2.0, RetryBudget (20 %, 10 a second, 10 s). What is taken expires like what is paid in. The reserve
of the defaults lets 100 retries pass at once.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Ms, Record, Within
from simulator.policies.rolling_sum import RollingSum, add, start_sum, total

TTL_MS = 10_000
MIN_RETRIES_PER_S = 10
PERCENT_CAN_RETRY = 0.2  # a part of 1
SCALE = 1_000
SLICES = 10


class Budget(Record):
    """What requests pay in, what a retry costs, and the balance of the last `ttl`."""

    deposit: int
    cost: int
    reserve: int
    balance: Within[RollingSum]


@rule()
def start_budget(state: Budget, ttl_ms: Ms, min_per_s: int, percent: float, now_ms: Ms) -> None:
    """Set up an empty budget; the reserve counts whole seconds of the time only. All 0: no retry ever."""
    state.deposit = SCALE if percent > 0 else 0
    state.cost = int(SCALE / percent) if percent > 0 else 1
    state.reserve = min_per_s * (ttl_ms // 1_000) * state.cost
    start_sum(state.balance, ttl_ms, SLICES, now_ms)


@rule()
def deposit(state: Budget, now_ms: Ms) -> None:
    """A request that is no retry pays in."""
    add(state.balance, state.deposit, now_ms)


@rule()
def withdraw(state: Budget, now_ms: Ms) -> bool:
    """Take what a retry costs; whether there was enough."""
    if total(state.balance, now_ms) + state.reserve < state.cost:
        return False
    add(state.balance, -state.cost, now_ms)
    return True


@rule()
def retries_left(state: Budget, now_ms: Ms) -> int:
    """The balance in retries, rounded toward 0."""
    return int((total(state.balance, now_ms) + state.reserve) / state.cost)
