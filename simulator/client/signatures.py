"""Types of the functions through which the event loop reaches a client; arguments and results are int64.

Times are whole ms of the client's clock, brokers indexes into the cluster (-1 = null), booleans 0 or 1.
"""

from __future__ import annotations

from numba import types

from simulator.jit import MEMORY

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
