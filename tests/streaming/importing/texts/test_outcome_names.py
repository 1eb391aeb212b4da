"""Outcomes of logs: statuses, and exceptions by their short, full and wrapped names."""

from __future__ import annotations

import pytest

from streaming.importing.texts.bad_value import BadValue
from streaming.importing.texts.outcome_names import SaidOutcome, outcome_of
from tests.says import Printed, Says

TIMEOUT = "RemotingTimeoutException"
REMOTING = "org.apache.rocketmq.remoting.exception."
SENT = "MQClientException: Send [3] times, still failed, cost [9012]ms, Topic: orders, BrokersSent: "


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("SEND_OK", "SEND_OK"),
        ("send_ok", "SEND_OK"),
        ("success", "SEND_OK"),
        ("SendResult [sendStatus=FLUSH_DISK_TIMEOUT, msgId=7F]", "FLUSH_DISK_TIMEOUT"),
        (TIMEOUT, TIMEOUT),
        (REMOTING + TIMEOUT, TIMEOUT),
        ("com.alibaba.rocketmq.remoting.exception." + TIMEOUT, TIMEOUT),
        (f"{REMOTING}{TIMEOUT}: wait response on the channel <10.0.0.2:10911> timeout, 3000(ms)", TIMEOUT),
        ("RemotingConnectException: connect to 10.0.0.2:10911 failed", "RemotingConnectException"),
        (f"org.springframework.messaging.MessagingException: x; nested exception is {REMOTING}{TIMEOUT}: x", TIMEOUT),
        ("MQClientException: The broker[broker-b] not exist", "MQClientException"),
    ],
)
def test_an_exception_is_known_by_any_of_its_names(text, name):
    assert outcome_of(text) == SaidOutcome(name)


def test_the_result_of_a_whole_send_is_that_of_its_last_attempt():
    text = f"{SENT}[broker-a, broker-b, broker-b]\nSee https://x; nested exception is {REMOTING}{TIMEOUT}: wait"
    assert outcome_of(text) == SaidOutcome(TIMEOUT, None, "broker-b", 3)
    assert outcome_of(f"{SENT}[broker-a, null, null]\nCaused by: {TIMEOUT}").broker == "broker-a"


@pytest.mark.parametrize(
    "text",
    ["MQBrokerException: CODE: 2  DESC: [TIMEOUT_CLEAN_QUEUE]broker busy, size of queue: 9", "SYSTEM_BUSY"],
)
def test_a_busy_broker_has_its_code(text):
    assert outcome_of(text) == SaidOutcome("MQBrokerException", 2)


def test_the_code_of_a_send_says_what_its_attempts_had():
    assert outcome_of("MQClientException: CODE: 10002  DESC: " + SENT).name == TIMEOUT


def test_a_send_that_failed_for_no_known_reason_is_not_guessed():
    with pytest.raises(BadValue) as caught:
        outcome_of(SENT + "[broker-a, broker-b, broker-b]")
    assert Says("import.no-failure-named") in Printed(caught.value)
    with pytest.raises(BadValue, match="unknown outcome: 'SENT_OK; did you mean SEND_OK"):
        outcome_of("SENT_OK")
