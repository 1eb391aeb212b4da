"""The synchronous send loop, as the questions it asks around each attempt; `sync_steps` asks them.

before an attempt  OverBudget ends the loop, AttemptTimeout is what the transport gets, ResponseWait what
                   connecting leaves of it
after an attempt   IsIsolated and IsReachable go into the update, AfterAttempt says how to go on
after the loop     `final_result` and `final_code`
`elapsed_ms` counts from the start of the message. Source: rocketmq, DefaultMQProducerImpl.sendDefaultImpl and
NettyRemotingClient.invokeSync of the release in the function's name and of those after it until the next one.
"""

from __future__ import annotations

from simulator import codes
from simulator.compiled.jit import entry, rule

GIVEN_UP = -1  # a ResponseWait: RemotingTimeoutException as soon as the connection stands

# What send() ends with.
FINAL_SEND_RESULT = 0  # the SendResult of the last attempt that was stored, whatever happened since
FINAL_BROKER_EXCEPTION = 1  # the last attempt's MQBrokerException as it is
FINAL_TOO_MUCH_REQUEST = 2  # RemotingTooMuchRequestException: the budget is used up
FINAL_CLIENT_EXCEPTION = 3  # MQClientException with `final_code`


@entry
def over_budget_4_2_0(send_msg_timeout_ms: int, elapsed_ms: int) -> int:
    """4.2.0: a message has no budget, every attempt its own timeout."""
    return 0


@entry
def over_budget_4_3_0(send_msg_timeout_ms: int, elapsed_ms: int) -> int:
    """4.3.0 and later: more than sendMsgTimeout since the start; exactly that much still makes an attempt."""
    return 1 if send_msg_timeout_ms < elapsed_ms else 0


@entry
def attempt_timeout_4_2_0(send_msg_timeout_ms: int, elapsed_ms: int, max_ms: int, is_last: int) -> int:
    """4.2.0: sendMsgTimeout for each."""
    return send_msg_timeout_ms


@entry
def attempt_timeout_4_3_0(send_msg_timeout_ms: int, elapsed_ms: int, max_ms: int, is_last: int) -> int:
    """4.3.0-5.3.2: what is left of the budget, may be 0."""
    return send_msg_timeout_ms - elapsed_ms


@entry
def attempt_timeout_5_3_3(send_msg_timeout_ms: int, elapsed_ms: int, max_ms: int, is_last: int) -> int:
    """5.3.3: the same, but at most sendMsgMaxTimeoutPerRequest (-1: no such limit) except for the last."""
    left_ms = send_msg_timeout_ms - elapsed_ms
    if max_ms >= 0 and not is_last:
        return min(left_ms, max_ms)
    return left_ms


@entry
def response_wait_4_2_0(timeout_ms: int, connect_ms: int) -> int:
    """4.2.0: connecting does not count."""
    return timeout_ms


@entry
def response_wait_4_3_0(timeout_ms: int, connect_ms: int) -> int:
    """4.3.0-5.1.3: connecting counts; nothing left is still waited for."""
    return timeout_ms - connect_ms if connect_ms <= timeout_ms else GIVEN_UP


@entry
def response_wait_5_1_4(timeout_ms: int, connect_ms: int) -> int:
    """5.1.4 and later: connecting counts, and something must be left."""
    return timeout_ms - connect_ms if connect_ms < timeout_ms else GIVEN_UP


@entry
def is_isolated_4_2_0(outcome: int) -> int:
    """4.2.0-5.1.3: everything but a response that says stored."""
    return 0 if outcome in codes.STORED else 1


@entry
def is_isolated_5_1_4(outcome: int) -> int:
    """5.1.4 and later: the same, except that an MQClientException (no master) does not isolate."""
    return 0 if outcome in (codes.SEND_OK, codes.SEND_STATUS, codes.NO_MASTER) else 1


@entry
def is_reachable_5_1_4(outcome: int, detector_enabled: int) -> int:
    """5.1.4 and later: not after a broker's error code; after a RemotingException only without a detector."""
    if outcome in (codes.SEND_OK, codes.SEND_STATUS, codes.NO_MASTER):
        return 1
    return 0 if outcome == codes.BROKER_ERROR or detector_enabled else 1


@entry
def after_attempt(outcome: int, response_code: int, code_is_retryable: int, retry_not_store_ok: int) -> int:
    """All releases: on to the next attempt, or end with the SendResult or the exception."""
    if outcome == codes.SEND_OK:
        return codes.RETURN
    if outcome == codes.SEND_STATUS:
        return codes.RETRY if retry_not_store_ok else codes.RETURN
    if outcome == codes.BROKER_ERROR:
        return codes.RETRY if code_is_retryable else codes.THROW
    return codes.RETRY


@rule()
def final_result(has_send_result: int, thrown: int, is_over_budget: int) -> int:
    """All releases: FINAL_* by whether an attempt was stored, AfterAttempt said THROW, OverBudget held."""
    if has_send_result:
        return FINAL_SEND_RESULT
    if thrown:
        return FINAL_BROKER_EXCEPTION
    return FINAL_TOO_MUCH_REQUEST if is_over_budget else FINAL_CLIENT_EXCEPTION


@rule()
def final_code(outcome: int, response_code: int) -> int:
    """All releases: response code of the MQClientException, from how the last attempt ended."""
    if outcome == codes.BROKER_ERROR:
        return response_code
    if outcome == codes.CONNECT_REFUSED:
        return codes.CONNECT_BROKER_EXCEPTION
    if outcome == codes.RESPONSE_TIMEOUT:
        return codes.ACCESS_BROKER_TIMEOUT
    if outcome == codes.NO_MASTER:
        return codes.BROKER_NOT_EXIST_EXCEPTION
    return codes.NO_CODE
