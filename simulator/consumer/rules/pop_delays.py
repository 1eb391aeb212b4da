"""How long a message that a POP client could not handle stays invisible.

Source: rocketmq 5.0.0-5.5.0, ConsumeMessagePopConcurrentlyService (DefaultMQPushConsumerImpl.popDelayLevel).
"""

from __future__ import annotations

import numpy as np

from simulator.compiled.jit import rule
from simulator.compiled.records import Us

POP_DELAYS_S = np.array([10, 30, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 1200, 1800, 3600, 7200])
LAST = len(POP_DELAYS_S) - 1
ACKNOWLEDGED = -1  # the message is given up
NO_DELAY = -2  # there is none: the client throws, and asks its broker nothing


@rule()
def pop_delay_us(asked: int, reconsume_times: int) -> Us:
    """The delay of that level (delayLevelWhenNextConsume), or with 0 the one of the next retry; with -1 NO_DELAY."""
    level = asked if asked != 0 else reconsume_times
    return int(POP_DELAYS_S[min(level, LAST)]) * 1_000_000 if level >= 0 else NO_DELAY


@rule()
def pop_delay_of_old_us(age_us: Us) -> Us:
    """The delay of a message that failed too often: by its age, ACKNOWLEDGED beyond twice the longest.

    One that is younger than the shortest delay has NO_DELAY. Source: checkNeedAckOrDelay.
    """
    if age_us > 2 * int(POP_DELAYS_S[LAST]) * 1_000_000:
        return ACKNOWLEDGED
    level = LAST
    while level >= 0 and age_us < int(POP_DELAYS_S[level]) * 1_000_000:
        level -= 1
    return pop_delay_us(level + 1, 0) if level >= 0 else NO_DELAY
