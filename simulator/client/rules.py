"""The rules of the client: each declared once, with its type, the first release's function and what releases change.

The event loop and the replays ask each at one place, most in the steps of `sending/sync_steps` and
`sending/async_steps`, by name: `rules.over_budget(...)`. Booleans are 0 or 1, brokers numbers
in the cluster (-1 = null). How those of the asynchronous path go together: `sending.async_send`, AsyncLeft:
`sending.async_admission`. Source: rocketmq tags rocketmq-all-4.2.0 to rocketmq-all-5.3.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from simulator.client.by_release import since
from simulator.client.faults import fault_table
from simulator.client.faults.fault_item import FaultTable
from simulator.client.selection import (
    selection_4_2_0,
    selection_4_8_0,
    selection_4_9_0,
    selection_4_9_4,
    selection_4_9_8,
    selection_5_0_0,
    selection_5_1_0,
    selection_5_1_1,
    selection_5_1_4,
    selectors,
)
from simulator.client.sending import async_admission, async_send, send_loop
from simulator.client.view import QueueList, View
from simulator.compiled.records import Directory, Ms, layout_of


class Select(Protocol):
    """The packed queue that is chosen, or NO_QUEUE; writes the view's pick_reason and swallowed."""

    def __call__(self, view: View, now_ms: Ms, last_broker: int, reset_index: int, /) -> int: ...


class Update(Protocol):
    """1 if the content of the broker's item changed."""

    def __call__(
        self, faults: FaultTable, now_ms: Ms, broker: int, latency_ms: Ms, isolation: int, reachable: int, /
    ) -> int: ...


class Available(Protocol):
    """1 if the strategy calls the broker available."""

    def __call__(self, faults: FaultTable, now_ms: Ms, broker: int, /) -> int: ...


class OverBudget(Protocol):
    """1 if the message's budget is used up and no further attempt is made."""

    def __call__(self, send_msg_timeout_ms: Ms, elapsed_ms: Ms, /) -> int: ...


class AttemptTimeout(Protocol):
    """The timeout of an attempt, ms; max_ms: sendMsgMaxTimeoutPerRequest or -1."""

    def __call__(self, send_msg_timeout_ms: Ms, elapsed_ms: Ms, max_ms: Ms, is_last: int, /) -> int: ...


class ResponseWait(Protocol):
    """Milliseconds left for the response, or GIVEN_UP (RESPONSE_TIMEOUT once connected)."""

    def __call__(self, timeout_ms: Ms, connect_ms: Ms, /) -> int: ...


class IsIsolated(Protocol):
    """Isolation for the update."""

    def __call__(self, outcome: int, /) -> int: ...


class IsReachable(Protocol):
    """Reachable for the update."""

    def __call__(self, outcome: int, detector_enabled: int, /) -> int: ...


class AfterAttempt(Protocol):
    """codes.RETRY, RETURN or THROW."""

    def __call__(self, outcome: int, response_code: int, code_is_retryable: int, retry_not_store_ok: int, /) -> int: ...


class AsyncLeft(Protocol):
    """The budget once that was waited, or NOTHING_LEFT."""

    def __call__(self, send_msg_timeout_ms: Ms, waited_ms: Ms, /) -> int: ...


class AsyncWait(Protocol):
    """Milliseconds from the connection to the response's deadline, or REFUSED."""

    def __call__(self, timeout_ms: Ms, connect_ms: Ms, /) -> int: ...


class IsThrown(Protocol):
    """1 if the call to the transport throws it, 0 if the callback gets it."""

    def __call__(self, outcome: int, /) -> int: ...


class AsyncCharged(Protocol):
    """CHARGED_*: the broker that is updated; attempt: from 1."""

    def __call__(self, outcome: int, is_thrown: int, attempt: int, /) -> int: ...


class AsyncLatency(Protocol):
    """The latency charged."""

    def __call__(self, is_thrown: int, attempt: int, since_call_ms: Ms, since_connected_ms: Ms, /) -> int: ...


class AsyncReachable(Protocol):
    """Reachable for the update."""

    def __call__(self, outcome: int, is_thrown: int, /) -> int: ...


class RetryTimeout(Protocol):
    """The timeout of a retry, may be negative; cost_ms: since the call to the transport."""

    def __call__(self, timeout_ms: Ms, cost_ms: Ms, is_thrown: int, /) -> int: ...


class AfterAsync(Protocol):
    """codes.RETRY, RETURN or THROW; attempt: async_send.counted; rest_ms: a RetryTimeout."""

    def __call__(self, outcome: int, is_thrown: int, attempt: int, attempts_total: int, rest_ms: Ms, /) -> int: ...


class HandsOver(Protocol):
    """1 if the first attempt's broker is updated after the call has returned."""

    def __call__(self, outcome: int, is_thrown: int, /) -> int: ...


class AsyncException(Protocol):
    """The outcome whose exception the callback gets."""

    def __call__(self, outcome: int, is_thrown: int, attempt: int, /) -> int: ...


class AsyncCode(Protocol):
    """The response code of that exception, or NO_CODE."""

    def __call__(self, outcome: int, response_code: int, is_thrown: int, attempt: int, /) -> int: ...


class HashPlace(Protocol):
    """Place of the queue in the list, or selectors.NO_PLACE; hash_code: of the selector's argument."""

    def __call__(self, hash_code: int, queues: int, /) -> int: ...


class OwnPlace(Protocol):
    """The same, of a selector of the user's own; record: number of the message's in world.sends."""

    def __call__(self, queues: QueueList, record: int, /) -> int: ...


@dataclass(frozen=True, kw_only=True)
class SendRules:
    """Choosing, the fault table and the synchronous send path."""

    select_off: Select = since(
        selection_4_2_0.select_off,
        {
            "4.8.0": selection_4_8_0.select_off,
            "4.9.0": selection_4_9_0.select_off,
            "4.9.4": selection_4_9_4.select_off,
            "5.0.0": selection_5_0_0.select_off,
        },
    )
    select_on: Select = since(
        selection_4_2_0.select_on,
        {
            "4.8.0": selection_4_8_0.select_on,
            "4.9.0": selection_4_9_0.select_on,
            "4.9.4": selection_4_9_4.select_on,
            "4.9.8": selection_4_9_8.select_on,
            "5.0.0": selection_5_0_0.select_on,
            "5.1.0": selection_5_1_0.select_on,
            "5.1.1": selection_5_1_1.select_on,
            "5.1.4": selection_5_1_4.select_on_5_1_4,
            "5.2.0": selection_5_1_4.select_on_5_2_0,
        },
    )
    update: Update = since(fault_table.update_4_2_0, {"5.1.4": fault_table.update_5_1_4})
    is_available: Available = since(
        fault_table.is_available_4_2_0,
        {"5.1.4": fault_table.is_available_5_1_4, "5.2.0": fault_table.is_available_4_2_0},
    )
    over_budget: OverBudget = since(send_loop.over_budget_4_2_0, {"4.3.0": send_loop.over_budget_4_3_0})
    attempt_timeout: AttemptTimeout = since(
        send_loop.attempt_timeout_4_2_0,
        {"4.3.0": send_loop.attempt_timeout_4_3_0, "5.3.3": send_loop.attempt_timeout_5_3_3},
    )
    response_wait: ResponseWait = since(
        send_loop.response_wait_4_2_0, {"4.3.0": send_loop.response_wait_4_3_0, "5.1.4": send_loop.response_wait_5_1_4}
    )
    is_isolated: IsIsolated = since(send_loop.is_isolated_4_2_0, {"5.1.4": send_loop.is_isolated_5_1_4})
    is_reachable: IsReachable = since(send_loop.is_reachable_5_1_4)
    after_attempt: AfterAttempt = since(send_loop.after_attempt)
    hash_place: HashPlace = since(selectors.hash_place_4_2_0, {"4.8.0": selectors.hash_place_4_8_0})


@dataclass(frozen=True, kw_only=True)
class AsyncRules:
    """The asynchronous send path."""

    async_left: AsyncLeft = since(async_admission.async_left_4_2_0, {"4.3.0": async_admission.async_left_4_3_0})
    async_wait: AsyncWait = since(async_send.async_wait_4_2_0, {"4.3.0": async_send.async_wait_4_3_0})
    is_thrown: IsThrown = since(async_send.is_thrown_4_2_0, {"5.3.0": async_send.is_thrown_5_3_0})
    async_charged: AsyncCharged = since(async_send.async_charged_4_2_0, {"4.9.3": async_send.async_charged_4_9_3})
    async_latency: AsyncLatency = since(
        async_send.async_latency_4_2_0,
        {"4.9.3": async_send.async_latency_4_9_3, "5.2.0": async_send.async_latency_5_2_0},
    )
    async_reachable: AsyncReachable = since(async_send.async_reachable_5_1_4)
    retry_timeout: RetryTimeout = since(
        async_send.retry_timeout_4_2_0,
        {"4.7.0": async_send.retry_timeout_4_7_0, "4.9.3": async_send.retry_timeout_4_9_3},
    )
    after_async: AfterAsync = since(
        async_send.after_async_4_2_0,
        {
            "4.9.3": async_send.after_async_4_9_3,
            "5.3.0": async_send.after_async_5_3_0,
            "5.3.2": async_send.after_async_5_3_2,
        },
    )
    hands_over: HandsOver = since(async_send.hands_over_4_2_0, {"4.9.3": async_send.hands_over_4_9_3})
    async_exception: AsyncException = since(
        async_send.async_exception_4_2_0, {"4.9.3": async_send.async_exception_4_9_3}
    )
    async_code: AsyncCode = since(async_send.async_code_4_2_0, {"4.9.3": async_send.async_code_4_9_3})


@dataclass(frozen=True, kw_only=True)
class ClientRules(SendRules, AsyncRules):
    """The rules of a client."""


class Rules(Directory, ClientRules):
    """What the event loop and the replays are handed: the rules of one client, with those that a run chooses."""

    select: Select  # select_on or select_off
    own_place: OwnPlace


def fill_rules(rules: Rules, client: ClientRules, *, strategy_on: bool, own_place: OwnPlace) -> None:
    """Fill `rules` with those of a client and of a selector of the user's own."""
    chosen = {"select": client.select_on if strategy_on else client.select_off, "own_place": own_place}
    for name in layout_of(Rules).fields:
        setattr(rules, name, chosen[name] if name in chosen else getattr(client, name))
