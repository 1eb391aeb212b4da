"""The rules through which the event loop and the replays reach a client: one Protocol for each.

Booleans are 0 or 1, brokers numbers in the cluster (-1 = null). How those of the asynchronous path go together:
`sending.async_send`, AsyncLeft: `sending.async_admission`.
"""

from __future__ import annotations

from typing import Protocol

from simulator.client.faults.fault_item import FaultTable
from simulator.client.view import QueueList, View
from simulator.compiled.records import Directory, Ms


class Select(Protocol):
    def __call__(self, view: View, now_ms: Ms, last_broker: int, reset_index: int, /) -> int:
        """The packed queue that is chosen, or NO_QUEUE; writes the view's pick_reason and swallowed."""


class Update(Protocol):
    def __call__(
        self, faults: FaultTable, now_ms: Ms, broker: int, latency_ms: Ms, isolation: int, reachable: int, /
    ) -> int:
        """1 if the content of the broker's item changed."""


class Available(Protocol):
    def __call__(self, faults: FaultTable, now_ms: Ms, broker: int, /) -> int:
        """1 if the strategy calls the broker available."""


class OverBudget(Protocol):
    def __call__(self, send_msg_timeout_ms: Ms, elapsed_ms: Ms, /) -> int:
        """1 if the message's budget is used up and no further attempt is made."""


class AttemptTimeout(Protocol):
    def __call__(self, send_msg_timeout_ms: Ms, elapsed_ms: Ms, max_ms: Ms, is_last: int, /) -> int:
        """The timeout of an attempt, ms; max_ms: sendMsgMaxTimeoutPerRequest or -1."""


class ResponseWait(Protocol):
    def __call__(self, timeout_ms: Ms, connect_ms: Ms, /) -> int:
        """Milliseconds left for the response, or GIVEN_UP (RESPONSE_TIMEOUT once connected)."""


class IsIsolated(Protocol):
    def __call__(self, outcome: int, /) -> int:
        """Isolation for the update."""


class IsReachable(Protocol):
    def __call__(self, outcome: int, detector_enabled: int, /) -> int:
        """Reachable for the update."""


class AfterAttempt(Protocol):
    def __call__(self, outcome: int, response_code: int, code_is_retryable: int, retry_not_store_ok: int, /) -> int:
        """codes.RETRY, RETURN or THROW."""


class AsyncLeft(Protocol):
    def __call__(self, send_msg_timeout_ms: Ms, waited_ms: Ms, /) -> int:
        """The budget once that was waited, or NOTHING_LEFT."""


class AsyncWait(Protocol):
    def __call__(self, timeout_ms: Ms, connect_ms: Ms, /) -> int:
        """Milliseconds from the connection to the response's deadline, or REFUSED."""


class IsThrown(Protocol):
    def __call__(self, outcome: int, /) -> int:
        """1 if the call to the transport throws it, 0 if the callback gets it."""


class AsyncCharged(Protocol):
    def __call__(self, outcome: int, is_thrown: int, attempt: int, /) -> int:
        """CHARGED_*: the broker that is updated; attempt: from 1."""


class AsyncLatency(Protocol):
    def __call__(self, is_thrown: int, attempt: int, since_call_ms: Ms, since_connected_ms: Ms, /) -> int:
        """The latency charged."""


class AsyncReachable(Protocol):
    def __call__(self, outcome: int, is_thrown: int, /) -> int:
        """Reachable for the update."""


class RetryTimeout(Protocol):
    def __call__(self, timeout_ms: Ms, cost_ms: Ms, is_thrown: int, /) -> int:
        """The timeout of a retry, may be negative; cost_ms: since the call to the transport."""


class AfterAsync(Protocol):
    def __call__(self, outcome: int, is_thrown: int, attempt: int, attempts_total: int, rest_ms: Ms, /) -> int:
        """codes.RETRY, RETURN or THROW; rest_ms: a RetryTimeout."""


class HandsOver(Protocol):
    def __call__(self, outcome: int, is_thrown: int, /) -> int:
        """1 if the first attempt's broker is updated after the call has returned."""


class AsyncException(Protocol):
    def __call__(self, outcome: int, is_thrown: int, attempt: int, /) -> int:
        """The outcome whose exception the callback gets."""


class AsyncCode(Protocol):
    def __call__(self, outcome: int, response_code: int, is_thrown: int, attempt: int, /) -> int:
        """The response code of that exception, or NO_CODE."""


class HashPlace(Protocol):
    def __call__(self, hash_code: int, queues: int, /) -> int:
        """Place of the queue in the list, or selectors.NO_PLACE; hash_code: of the selector's argument."""


class OwnPlace(Protocol):
    def __call__(self, queues: QueueList, record: int, /) -> int:
        """The same, of a selector of the user's own; record: number of the message's in world.sends."""


class Rules(Directory):
    """The rules of one client, and the selector of those who have one of their own."""

    select: Select
    update: Update
    over_budget: OverBudget
    attempt_timeout: AttemptTimeout
    response_wait: ResponseWait
    is_isolated: IsIsolated
    is_reachable: IsReachable
    after_attempt: AfterAttempt
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
    hash_place: HashPlace
    own_place: OwnPlace
