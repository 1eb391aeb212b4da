"""The asynchronous send path, as the questions it asks around each attempt; `async_steps` asks them.

How they go together, all int64, times in whole ms of the client's clock:

1. send() hands the message to a sending thread (`async_admission`); that selects a queue and calls the transport with
   AttemptTimeout of the budget AsyncLeft, always as the last attempt. No master: the attempt ends with NO_MASTER.
2. The transport connects if it must, on that thread while `connect_blocks`, then waits AsyncWait ms from the moment
   the connection stands; REFUSED ends the attempt there and then with TOO_MUCH_REQUEST. A response is accepted until
   the scan throws the request out (`scan_at` of begin + wait + SCAN_GRACE_MS): only then is it RESPONSE_TIMEOUT.
3. An attempt that ended: IsThrown says whether the transport call itself threw it. Then AsyncCharged names the
   broker to update (CHARGED_NOBODY: no update), AsyncLatency, IsIsolated of `send_loop` and AsyncReachable the
   rest of the update. A stored message calls back before its update, everything else updates first.
4. AfterAsync, given RetryTimeout as rest: RETRY selects again on the same thread (last broker = the one that
   failed, resetIndex 0) and calls the transport with that rest as timeout. Only the broker of the selection is used:
   the request keeps the queue id of the first attempt. A send to a queue of the caller's choice retries on the same
   broker, without a selection. RETURN and THROW call back; AsyncException and AsyncCode say with what.
5. HandsOver, once the transport call of the first attempt has returned, thrown attempts and their retries included:
   an update of the first broker with the time since its selection, not isolated, reachable.

In 5.3.0 and later invokeAsync goes on after it has refused, so a refusal is reported `refusals_reported` times, the
second time at once. The first report is final and calls back. The second updates the same broker at the same moment,
which changes nothing, and either makes one more attempt (5.3.0 and 5.3.1, AfterAsync) or calls back once more. So the
callback runs 1 + refusals times, and each time the permits of back-pressure are returned. The client counts reports,
not attempts: `attempt` of AfterAsync is `counted` of the attempt.
Source: rocketmq, MQClientAPIImpl.sendMessageAsync and onExceptionImpl, DefaultMQProducerImpl.sendDefaultImpl,
NettyRemotingClient.invokeAsync, NettyRemotingAbstract.scanResponseTable of the release in the function's name and of
those after it until the next one.
"""

from __future__ import annotations

from simulator.client.sending.send_loop import final_code
from simulator.codes import (
    BROKER_ERROR,
    CONNECT_REFUSED,
    NO_CODE,
    NO_MASTER,
    RETRY,
    RETURN,
    STORED,
    THROW,
    TOO_MUCH_REQUEST,
)
from simulator.compiled.jit import entry, rule

REFUSED = -1  # an AsyncWait: RemotingTooMuchRequestException, nothing is sent

# When a client scans for time-outs, in ms: for the first time after its start, and from one to the next.
SCANS_MS_4_2_0 = (3000, 1000)  # java.util.Timer, at a fixed rate
SCANS_MS_5_1_1 = (3100, 1100)  # HashedWheelTimer: 1000 after the last one, at the end of a tick of 100
SCAN_GRACE_MS = 1000  # a request is thrown out this long after its deadline at the earliest

CHARGED_LATENCY_MS_4_2_0 = 3000  # charged to the broker before, for a retry that the transport call threw

# What an AsyncCharged says.
CHARGED_NOBODY = 0
CHARGED_OWN = 1  # the broker of the attempt
CHARGED_BEFORE = 2  # the broker of the attempt before it


@entry
def is_thrown_4_2_0(outcome: int) -> int:
    """4.2.0-5.2.0: connecting blocks, so its failure and a refusal are exceptions of the call itself."""
    return 1 if outcome in (CONNECT_REFUSED, TOO_MUCH_REQUEST, NO_MASTER) else 0


@entry
def is_thrown_5_3_0(outcome: int) -> int:
    """5.3.0 and later: both reach the callback; only a missing master is still an exception of the call."""
    return 1 if outcome == NO_MASTER else 0


@entry
def async_wait_4_2_0(timeout_ms: int, connect_ms: int) -> int:
    """4.2.0: connecting does not count."""
    return timeout_ms


@entry
def async_wait_4_3_0(timeout_ms: int, connect_ms: int) -> int:
    """4.3.0 and later: connecting counts; nothing left is still waited for, less than nothing is refused."""
    return timeout_ms - connect_ms if connect_ms <= timeout_ms else REFUSED


@rule()
def scan_at(expires: int, first: int, period: int) -> int:
    """All releases: the first scan at which a request is thrown out that expires then; any one unit of time."""
    return first + max(0, (expires - first + period - 1) // period * period)


@entry
def async_charged_4_2_0(outcome: int, is_thrown: int, attempt: int) -> int:
    """4.2.0-4.9.2: what a retry's call throws goes to the broker before; a refused retry to nobody."""
    if is_thrown and attempt > 1:
        return CHARGED_NOBODY if outcome == TOO_MUCH_REQUEST else CHARGED_BEFORE
    return CHARGED_OWN


@entry
def async_charged_4_9_3(outcome: int, is_thrown: int, attempt: int) -> int:
    """4.9.3 and later: always the broker of the attempt."""
    return CHARGED_OWN


@entry
def async_latency_4_2_0(is_thrown: int, attempt: int, since_call_ms: int, since_connected_ms: int) -> int:
    """4.2.0-4.9.2: from when the connection stood; a retry that was thrown costs 3000 ms."""
    if is_thrown:
        return CHARGED_LATENCY_MS_4_2_0 if attempt > 1 else since_call_ms
    return since_connected_ms


@entry
def async_latency_4_9_3(is_thrown: int, attempt: int, since_call_ms: int, since_connected_ms: int) -> int:
    """4.9.3-5.1.4: from when the connection stood; what was thrown, from the call."""
    return since_call_ms if is_thrown else since_connected_ms


@entry
def async_latency_5_2_0(is_thrown: int, attempt: int, since_call_ms: int, since_connected_ms: int) -> int:
    """5.2.0 and later: from the call, connecting included."""
    return since_call_ms


@entry
def async_reachable_5_1_4(outcome: int, is_thrown: int) -> int:
    """5.1.4 and later: not after what the call threw; a broker's error code leaves it reachable, unlike in sync."""
    return 0 if is_thrown and outcome != NO_MASTER else 1


@entry
def retry_timeout_4_2_0(timeout_ms: int, cost_ms: int, is_thrown: int) -> int:
    """4.2.0-4.6.1: none, so the next scan that may throws the retry out."""
    return 0


@entry
def retry_timeout_4_7_0(timeout_ms: int, cost_ms: int, is_thrown: int) -> int:
    """4.7.0-4.9.2: what is left, may be negative; what a retry's call threw costs nothing."""
    return timeout_ms if is_thrown else timeout_ms - cost_ms


@entry
def retry_timeout_4_9_3(timeout_ms: int, cost_ms: int, is_thrown: int) -> int:
    """4.9.3 and later: what is left, may be negative."""
    return timeout_ms - cost_ms


@rule(inlined=True)
def counted(attempt: int, refused_before: int, refusals_reported: int) -> int:
    """The attempt's number as the client counts, by reports: `refused_before` of those before it were refused."""
    return attempt + refused_before * (refusals_reported - 1)


@rule()
def _ends(outcome: int, attempt: int, attempts_total: int) -> int:
    """All releases: a broker's error code, a missing master and the last attempt are final."""
    return 1 if outcome in (BROKER_ERROR, NO_MASTER) or attempt >= attempts_total else 0


@entry
def after_async_4_2_0(outcome: int, is_thrown: int, attempt: int, attempts_total: int, rest_ms: int) -> int:
    """4.2.0-4.9.2: not what the first call throws, nor a refusal of a later one."""
    if outcome in STORED:
        return RETURN
    if is_thrown and (attempt == 1 or outcome == TOO_MUCH_REQUEST):
        return THROW
    return THROW if _ends(outcome, attempt, attempts_total) else RETRY


@entry
def after_async_4_9_3(outcome: int, is_thrown: int, attempt: int, attempts_total: int, rest_ms: int) -> int:
    """4.9.3-5.2.0: every failure of the transport, also with less than nothing left: that retry is refused."""
    if outcome in STORED:
        return RETURN
    return THROW if _ends(outcome, attempt, attempts_total) else RETRY


@entry
def after_async_5_3_0(outcome: int, is_thrown: int, attempt: int, attempts_total: int, rest_ms: int) -> int:
    """5.3.0 and 5.3.1: the same, except that a refusal's second report retries: the first is final, yet counts."""
    if outcome in STORED:
        return RETURN
    reported = attempt + 1 if outcome == TOO_MUCH_REQUEST else attempt
    return THROW if _ends(outcome, reported, attempts_total) else RETRY


@entry
def after_async_5_3_2(outcome: int, is_thrown: int, attempt: int, attempts_total: int, rest_ms: int) -> int:
    """5.3.2 and later: only while something is left."""
    if outcome in STORED:
        return RETURN
    return THROW if rest_ms <= 0 or _ends(outcome, attempt, attempts_total) else RETRY


@entry
def hands_over_4_2_0(outcome: int, is_thrown: int) -> int:
    """4.2.0-4.9.2: unless the first call threw."""
    return 0 if is_thrown else 1


@entry
def hands_over_4_9_3(outcome: int, is_thrown: int) -> int:
    """4.9.3 and later: also after it threw and was retried: up to 5.1.3 that ends the first broker's isolation."""
    return 0 if outcome == NO_MASTER else 1


@entry
def async_exception_4_2_0(outcome: int, is_thrown: int, attempt: int) -> int:
    """4.2.0-4.9.2: an MQClientException (NO_MASTER), except for an error code and what a retry's call threw."""
    if outcome == BROKER_ERROR or (is_thrown and attempt > 1):
        return outcome
    return NO_MASTER


@entry
def async_exception_4_9_3(outcome: int, is_thrown: int, attempt: int) -> int:
    """4.9.3 and later: an MQClientException (NO_MASTER), except for an error code and what any call threw."""
    return outcome if outcome == BROKER_ERROR or is_thrown else NO_MASTER


@entry
def async_code_4_2_0(outcome: int, response_code: int, is_thrown: int, attempt: int) -> int:
    """4.2.0-4.9.2: the broker's, or that of a synchronous send if the first call threw."""
    if outcome == BROKER_ERROR:
        return response_code
    return final_code(outcome, response_code) if is_thrown and attempt == 1 else NO_CODE


@entry
def async_code_4_9_3(outcome: int, response_code: int, is_thrown: int, attempt: int) -> int:
    """4.9.3 and later: the broker's, or that of a missing master."""
    return final_code(outcome, response_code) if outcome in (BROKER_ERROR, NO_MASTER) else NO_CODE
