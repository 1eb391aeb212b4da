"""What a gRPC client does after an attempt, and what its caller gets.

An attempt that fails is made again at once, whatever it failed with; only after TOO_MANY_REQUESTS the client waits. Its
maximum of attempts is the client's own, the times between them the proxy's (grpcClientProducerBackoff...). Source:
rocketmq-clients java 5.0.0-5.0.8, ProducerImpl.send0, ExponentialBackoffRetryPolicy.getNextAttemptDelay,
PublishingSettings.sync, StatusChecker.check; rocketmq 5.3.3, proxy ResponseBuilder, SendMessageActivity.
"""

from __future__ import annotations

from simulator import codes
from simulator.compiled.jit import rule

BACKOFF_FIRST_US = 10_000
BACKOFF_MOST_US = 1_000_000
BACKOFF_FACTOR = 2
# A channel whose addresses all refused connects again after 1 s, then 1.6 times as long each time (gRPC connection
# backoff; its jitter of a fifth is left out).
CONNECT_BACKOFF_FIRST_US = 1_000_000
CONNECT_BACKOFF_MOST_US = 120_000_000
ROUTE_REFRESH_US = 30_000_000  # ClientImpl.startUp
REQUEST_TIMEOUT_MS = 3_000
MAX_ATTEMPTS = 3
# where the attempts of a message go in local mode: to brokers in turn, all to one, or to the next queue each
BROKERS_IN_TURN, ONE_BROKER, NEXT_QUEUES = range(3)
ISOLATED_MAX = 62  # brokers that can be isolated, a bit each


@rule()
def is_throttled(outcome: int, code: int) -> bool:
    """Whether the proxy answers TOO_MANY_REQUESTS."""
    return outcome == codes.BROKER_ERROR and code == codes.SYSTEM_BUSY


@rule()
def delay_before_us(attempt: int, outcome: int, code: int) -> int:
    """Microseconds before attempt `attempt`, after one that ended so: 20 ms before the second if it was throttled."""
    if not is_throttled(outcome, code):
        return 0
    delay_us = BACKOFF_FIRST_US
    for _ in range(attempt - 1):
        delay_us = min(delay_us * BACKOFF_FACTOR, BACKOFF_MOST_US)
    return delay_us


@rule()
def next_connect_backoff_us(backoff_us: int) -> int:
    """How long a channel waits after another connect that failed; 0: it was the first."""
    if backoff_us == 0:
        return CONNECT_BACKOFF_FIRST_US
    return min(backoff_us * 16 // 10, CONNECT_BACKOFF_MOST_US)


@rule()
def result_of(outcome: int, code: int) -> int:
    """What the caller gets of a message whose last attempt ended so."""
    if outcome == codes.SEND_OK or outcome == codes.UNAVAILABLE or outcome == codes.DEADLINE_EXCEEDED:
        return outcome
    if is_throttled(outcome, code):
        return codes.TOO_MANY_REQUESTS
    if outcome == codes.RESPONSE_TIMEOUT or (outcome == codes.SEND_STATUS and code != codes.SLAVE_NOT_AVAILABLE):
        return codes.PROXY_TIMEOUT
    return codes.INTERNAL_ERROR
