"""Counter-based randomness: every number is a hash of what it is for, never of the order of calls.

The hash is the splitmix64 finaliser (Steele, Lea, Flood 2014) chained over the words of a key.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simulator.compiled.jit import rule

# What a number is for: the second word of every key. Each has one of its own.
ARRIVAL_COUNT = 1
ARRIVAL_TIME = 2
ARRIVAL_TOPIC = 3
ARRIVAL_LATENCY = 4
ARRIVAL_PHASE = 5
CLIENT_COUNTER = 6
CLIENT_FAULT_TABLE = 7
BROKER_PHASE = 8
MESSAGE_SIZE = 9
MESSAGE_KEY = 10
SELECTOR_RANDOM = 11
CLIENT_START = 12
THINK_TIME = 13
LOOP_PHASE = 14
POLL_PHASE = 20
FIRST_NAME_SERVER = 21
REGISTRATION_PHASE = 22
SCAN_PHASE = 23
POLICY = 24
START_RACE = 25
ELECTION = 26
CONSUME_TIME = 40
CONSUMER_TIMER = 41
MEMBER_LIST = 42
MESSAGE_TAG = 43
DEAD_CONNECTION = 44
NEW_CONNECTION = 45
LOCAL_OUTCOME = 46
CHECK_ANSWER = 47
CHECK_PHASE = 48
HANDLING_FAILS = 50
MESSAGE_FAILS = 51
RETRY_BROKER = 52
RETRY_TOPIC_BIRTH = 53
DELAY_LEVEL = 54
LOCAL_TIME = 55
KEY_NAME = 60
STORED_BEFORE = 61
POP_BEGINS = 62
MESSAGE_PROPERTY = 63
PROXY_ORDER = 70
PROXY_ROUTE_PHASE = 71
PROXY_REFRESH_PHASE = 72
HUNTED_SCHEDULE = 80
CONSUMER_PROXY = 73
PROXY_KNOWS_SINCE = 74
LOCAL_HEARTBEAT = 75
LOCAL_BALANCER = 76
PROXY_TRANSACTION_BEAT = 77
CONNECTION_RACE = 78
ESCAPED_TO = 79

# What a number of an attempt is for: `attempt_word`. Each has a range of its own for the number of the attempt.
ATTEMPT_SERVED = 0
ATTEMPT_RETRANSMITTED = 1
ATTEMPT_CONNECT_LATE = 2
ATTEMPT_READ = 3
ATTEMPT_REFUSED = 4
ATTEMPT_REQUEST_WAY = 5
ATTEMPT_ANSWER_WAY = 6
ATTEMPT_CONNECT_WAY = 7
ATTEMPT_CONNECTED_WAY = 8
ATTEMPT_PROXY_WAY = 9
ATTEMPT_PROXY_SCAN = 10
ATTEMPT_PROXY_QUEUE = 11
ATTEMPT_BITS = 40  # attempts of a message: more than a scenario allows

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S30, S27, S31 = np.uint64(30), np.uint64(27), np.uint64(31)


def _mixed(x: Any) -> Any:
    """Splitmix64 finaliser of a 64-bit word, as uint64."""
    # The ufuncs wrap without a warning where the rules run as plain Python.
    z = np.add(np.uint64(x), GOLDEN)
    z = np.multiply(z ^ (z >> S30), MIX_1)
    z = np.multiply(z ^ (z >> S27), MIX_2)
    return z ^ (z >> S31)


mix = rule(inlined=True)(_mixed)


@rule(inlined=True)
def signed(word: Any) -> int:
    """The int64 with the bits of a uint64."""
    return np.int64(word)  # type: ignore[return-value]


@rule()
def hash3(seed: Any, purpose: Any, a: Any) -> Any:
    """uint64 hash of a key of three words."""
    return mix(mix(np.uint64(seed) ^ mix(np.uint64(purpose))) ^ np.uint64(a))


@rule()
def hash4(seed: Any, purpose: Any, a: Any, b: Any) -> Any:
    """uint64 hash of a key of four words."""
    return mix(hash3(seed, purpose, a) ^ np.uint64(b))


@rule(inlined=True)
def attempt_word(draw: int, purpose: int, attempt: int) -> Any:
    """uint64 hash of what an attempt of a message needs a number for; `draw`: the message's own randomness."""
    return mix(np.add(np.uint64(draw), np.uint64((purpose << ATTEMPT_BITS) + attempt)))


@rule()
def below(word: Any, n: int) -> int:
    """An int64 in [0, n) from the high 32 bits of a uint64 word; n at most 2**31."""
    return signed((word >> np.uint64(32)) * np.uint64(n) >> np.uint64(32))


def words(seed: int, purpose: int, a: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """`hash3` of many keys at once, uint64[n]; not for compiled code."""
    start = _mixed(np.uint64(seed) ^ _mixed(np.uint64(purpose)))
    found: npt.NDArray[np.uint64] = _mixed(start ^ np.asarray(a, np.int64).astype(np.uint64))
    return found


def signed_words(seed: int, purpose: int, a: npt.ArrayLike, b: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """The int64 with the bits of `hash4` of many keys at once, int64[n]; not for compiled code."""
    other = np.asarray(b, np.int64).astype(np.uint64)
    found: npt.NDArray[np.int64] = _mixed(words(seed, purpose, a) ^ other).astype(np.int64)
    return found


def drawn(seed: int, purpose: int, number: int, n: int) -> int:
    """A number in [0, n) for the entity of that number; not for compiled code."""
    return int(drawn_each(seed, purpose, number, n))


def drawn_each(seed: int, purpose: int, numbers: npt.ArrayLike, n: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """The same of many entities, int64[numbers]; `n` is one for all or one each."""
    high = signed_words(seed, purpose, numbers, 0).astype(np.uint64) >> np.uint64(32)
    found: npt.NDArray[np.int64] = (high * np.asarray(n, np.int64).astype(np.uint64) >> np.uint64(32)).astype(np.int64)
    return found
