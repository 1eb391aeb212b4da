"""The rules of the client: what each is asked and answers. Who has which: `simulator.releases.producer_release`.

The event loop and the replays ask each at one place, most in `steps/sync_steps` and
`steps/async_steps`, by name: `rules.over_budget(...)`. Booleans are 0 or 1, brokers numbers
in the cluster (-1 = null). How those of the asynchronous path go together: `sending.async_send`, AsyncLeft:
`sending.async_admission`. Source: rocketmq tags rocketmq-all-4.2.0 to rocketmq-all-5.3.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from simulator.client.faults.fault_item import FaultTable
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
    """The same, of a selector of the user's own; record: number of the message's in world.messages."""

    def __call__(self, queues: QueueList, record: int, /) -> int: ...


@dataclass(frozen=True, kw_only=True)
class SendRules:
    """Choosing, the fault table and the synchronous send path."""

    select_off: Select
    select_on: Select
    update: Update
    is_available: Available
    over_budget: OverBudget
    attempt_timeout: AttemptTimeout
    response_wait: ResponseWait
    is_isolated: IsIsolated
    is_reachable: IsReachable
    after_attempt: AfterAttempt
    hash_place: HashPlace


@dataclass(frozen=True, kw_only=True)
class AsyncRules:
    """The asynchronous send path."""

    async_left: AsyncLeft
    async_wait: AsyncWait
    is_thrown: IsThrown
    async_charged: AsyncCharged
    async_latency: AsyncLatency
    async_reachable: AsyncReachable
    retry_timeout: RetryTimeout
    after_async: AfterAsync
    hands_over: HandsOver
    async_exception: AsyncException
    async_code: AsyncCode


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
