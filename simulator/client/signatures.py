"""Types of the functions through which the event loop reaches a client; arguments and results are int64.

Times are whole ms of the client's clock, brokers indexes into the cluster (-1 = null), booleans 0 or 1.
"""

from __future__ import annotations

from numba import types

from simulator.compiled.jit import MEMORY

INT = types.int64

# (m, view, now_ms, last_broker, reset_index) -> packed queue or NO_QUEUE; writes PICK_REASON and SWALLOWED
SELECT = INT(MEMORY, INT, INT, INT, INT)
# (m, faults, now_ms, broker, latency_ms, isolation, reachable) -> 1 if the item's content changed
UPDATE = INT(MEMORY, INT, INT, INT, INT, INT, INT)
# (m, faults, now_ms, broker) -> 1 if the strategy calls the broker available
AVAILABLE = INT(MEMORY, INT, INT, INT)
# (send_msg_timeout_ms, elapsed_ms) -> 1 if the message's budget is used up and no further attempt is made
OVER_BUDGET = INT(INT, INT)
# (send_msg_timeout_ms, elapsed_ms, max_timeout_per_request_ms or -1, is_last_attempt) -> its timeout, ms
ATTEMPT_TIMEOUT = INT(INT, INT, INT, INT)
# (attempt_timeout_ms, connect_ms) -> ms left for the response, or GIVEN_UP (RESPONSE_TIMEOUT once connected)
RESPONSE_WAIT = INT(INT, INT)
# (outcome) -> isolation for the update
IS_ISOLATED = INT(INT)
# (outcome, detector_enabled) -> reachable for the update
IS_REACHABLE = INT(INT, INT)
# (outcome, response_code, code_is_retryable, retry_another_broker_when_not_store_ok) -> codes.RETRY ... THROW
AFTER_ATTEMPT = INT(INT, INT, INT, INT)

# The asynchronous send path; how they go together: `async_send`, ASYNC_LEFT: `async_admission`.
# (send_msg_timeout_ms, waited_ms) -> budget once that was waited, or NOTHING_LEFT
ASYNC_LEFT = INT(INT, INT)
# (attempt_timeout_ms, connect_ms) -> ms from the connection to the response's deadline, or REFUSED
ASYNC_WAIT = INT(INT, INT)
# (outcome) -> 1 if the call to the transport throws it, 0 if the callback gets it
IS_THROWN = INT(INT)
# (outcome, is_thrown, attempt from 1) -> CHARGED_*: the broker that is updated
ASYNC_CHARGED = INT(INT, INT, INT)
# (is_thrown, attempt, ms since the call to the transport, ms since the connection stood) -> latency charged
ASYNC_LATENCY = INT(INT, INT, INT, INT)
# (outcome, is_thrown) -> reachable for the update
ASYNC_REACHABLE = INT(INT, INT)
# (attempt_timeout_ms, ms since the call to the transport, is_thrown) -> timeout of a retry, may be negative
RETRY_TIMEOUT = INT(INT, INT, INT)
# (outcome, is_thrown, attempt, attempts_total, RETRY_TIMEOUT) -> codes.RETRY ... THROW
AFTER_ASYNC = INT(INT, INT, INT, INT, INT)
# (outcome, is_thrown) of the first attempt -> 1 if its broker is updated after the call has returned
HANDS_OVER = INT(INT, INT)
# (outcome, is_thrown, attempt) -> outcome whose exception the callback gets
ASYNC_EXCEPTION = INT(INT, INT, INT)
# (outcome, response_code, is_thrown, attempt) -> response code of that exception, or NO_CODE
ASYNC_CODE = INT(INT, INT, INT, INT)
# (hashCode of the selector's argument, queues) -> place of the queue in the list, or selectors.NO_PLACE
HASH_PLACE = INT(INT, INT)
# (offset of the queue list, offset of the message's record) -> the same, of a selector of the user's own
OWN_PLACE = INT(INT, INT)
