"""Which topics a client refuses to send to, before any attempt.

Source: rocketmq, Validators.checkTopic and isNotAllowedSendTopic, TopicValidator; the refusal is an MQClientException
without a response code. Read at 4.2.0, 4.7.1, 4.8.0, 4.9.8 and 5.3.3.
"""

from __future__ import annotations

import re

LEGAL = re.compile(r"[%|a-zA-Z0-9_-]+")

LENGTH_MAX_4_2_0 = 255  # up to 4.6.0
LENGTH_MAX_4_6_1 = 127

RESERVED_4_2_0 = frozenset({"TBW102"})  # up to 4.7.0
RESERVED_4_7_1 = frozenset({"SCHEDULE_TOPIC_XXXX"})  # up to 4.8.0
RESERVED_4_9_0 = RESERVED_4_7_1 | {
    "RMQ_SYS_TRANS_HALF_TOPIC",
    "RMQ_SYS_TRANS_OP_HALF_TOPIC",
    "TRANS_CHECK_MAX_TIME_TOPIC",
    "SELF_TEST_TOPIC",
    "OFFSET_MOVED_EVENT",
}


def is_refused(topic: str, length_max: int, reserved: frozenset[str]) -> bool:
    """Whether every send to that topic is refused."""
    return LEGAL.fullmatch(topic) is None or len(topic) > length_max or topic in reserved
