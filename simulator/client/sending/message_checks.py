"""Which topics a client refuses to send to, before any attempt.

Source: rocketmq, Validators.checkTopic and isNotAllowedSendTopic, TopicValidator; the refusal is an MQClientException
without a response code. Asked of the classes of every release (tests/golden, rules).
"""

from __future__ import annotations

import re

LEGAL = re.compile(r"[%|a-zA-Z0-9_-]+")

LENGTH_MAX_4_2_0 = 255  # up to 4.6.0
LENGTH_MAX_4_6_1 = 127

RESERVED_4_2_0 = frozenset({"TBW102"})  # up to 4.7.0, except for
RESERVED_4_3_0 = frozenset({"AUTO_CREATE_TOPIC_KEY"})
RESERVED_4_7_1 = frozenset({"SCHEDULE_TOPIC_XXXX"})  # up to 4.9.3
RESERVED_4_9_4 = RESERVED_4_7_1 | {
    "RMQ_SYS_TRANS_HALF_TOPIC",
    "RMQ_SYS_TRANS_OP_HALF_TOPIC",
    "TRANS_CHECK_MAX_TIME_TOPIC",
    "SELF_TEST_TOPIC",
    "OFFSET_MOVED_EVENT",
}
RESERVED_5_4_0 = RESERVED_4_9_4 | {"RMQ_SYS_ROCKSDB_TRANS_HALF_TOPIC", "RMQ_SYS_ROCKSDB_TRANS_OP_HALF_TOPIC"}


def is_refused(topic: str, length_max: int, reserved: frozenset[str]) -> bool:
    """Whether every send to that topic is refused."""
    return LEGAL.fullmatch(topic) is None or len(topic) > length_max or topic in reserved
