"""RocketMQ's own client log: which attempts it tells of, in the layouts of its releases."""

from __future__ import annotations

import pytest

from streaming.importing.client_log_format import read_client_log
from streaming.importing.log_part import text_parts
from streaming.importing.log_rows import LogNotes
from streaming.importing.texts.times import TimeRule
from streaming.texts.import_texts import ImportTexts

ZONE = TimeRule(zone="Asia/Shanghai")
END_US = 1_795_241_400_123_000  # 2026-11-21 14:10:00.123 in China
QUEUE = "MessageQueue [topic=orders, brokerName=broker-b, queueId=3]"
FAILED = f"sendKernelImpl exception, resend at once, InvokeID: -42, RT: 3001ms, Broker: {QUEUE}"
BARE = "sendKernelImpl exception, resend at once, InvokeID: %s, RT: %sms, Broker: %s"
REMOTING = "org.apache.rocketmq.remoting.exception."
TIMEOUT = f"{REMOTING}RemotingTimeoutException: wait response on the channel <10.0.0.2:10911> timeout, 2999(ms)"
FRAMES = (
    "\tat org.apache.rocketmq.remoting.netty.NettyRemotingAbstract.invokeSyncImpl(NettyRemotingAbstract.java:433)\n"
    "\tat example.IllegalStateException.of(Example.java:1)"
)
OF_4_9 = "2026-11-21 14:10:00,123 WARN RocketmqClient - "
OF_5_3 = "2026-11-21 14:10:00.123 WARN  [4711] [sender-3] [o.a.r.c.i.p.DefaultMQProducerImpl#sendDefaultImpl:811] - "
OF_4_2 = "2026-11-21 14:10:00 WARN sender-3 - "


def read(tmp_path, *events, rule=ZONE, hosts=None):
    file = tmp_path / "rocketmq_client.log"
    file.write_text("\r\n".join(events) + "\r\n")
    (part,) = text_parts([file], b"\n", cut=False)
    notes = LogNotes()
    blocks = list(read_client_log(part, hosts or {}, rule, notes))
    rows, rejects = ([row for block in blocks for row in block[which].to_pylist()] for which in (0, 1))
    return rows, rejects, notes


@pytest.mark.parametrize(
    ("layout", "rule", "producer"),
    [(OF_4_9, ZONE, "rocketmq_client"), (OF_5_3, TimeRule(), "rocketmq_client#4711")],
)
def test_a_warning_is_an_attempt_that_ended_then(tmp_path, layout, rule, producer):
    (row,), rejects, _ = read(tmp_path, f"{layout}{FAILED}\n{TIMEOUT}\n{FRAMES}", rule=rule)
    assert rejects == []
    assert (row["begin_us"], row["latency_us"]) == (END_US - 3_001_000, 3_001_000)
    assert (row["producer"], row["topic"], row["broker"], row["queue_id"]) == (producer, "orders", "broker-b", 3)
    assert (row["outcome"], row["message"], row["line"]) == ("RemotingTimeoutException", "-42", 1)


def test_4_2_0_logs_whole_seconds_in_its_own_zone(tmp_path):
    (row,), _, notes = read(tmp_path, f"{OF_4_2}{FAILED}\n{TIMEOUT}", rule=TimeRule())
    assert row["begin_us"] == END_US - 123_000 - 3_001_000
    assert dict(notes.forms) == {"GMT+8, in which this release logs": 1}


def test_a_layout_in_the_zone_of_its_machine_needs_that_zone(tmp_path):
    _, (reject,), _ = read(tmp_path, f"{OF_4_9}{FAILED}\n{TIMEOUT}", rule=TimeRule())
    assert reject["reason"] == ImportTexts.NO_ZONE()


@pytest.mark.parametrize(
    ("exception", "outcome", "code"),
    [
        (f"{REMOTING}RemotingConnectException: connect to 10.0.0.2:10911 failed", "RemotingConnectException", None),
        (
            f"{REMOTING}RemotingSendRequestException: send request to <10.0.0.2:10911> failed\n{FRAMES}\n"
            "Caused by: java.lang.IllegalStateException: closed\n\t... 9 more",
            *("RemotingSendRequestException", None),
        ),
        ("org.apache.rocketmq.client.exception.MQBrokerException: CODE: 2  DESC: busy", "MQBrokerException", 2),
        (
            "org.apache.rocketmq.client.exception.MQClientException: The broker[broker-b] not exist\nFor more "
            "information, please visit the url, https://x",
            *("MQClientException", None),
        ),
    ],
)
def test_the_exception_behind_it_is_its_outcome(tmp_path, exception, outcome, code):
    (row,), _, _ = read(tmp_path, f"{OF_5_3}{FAILED}\n{exception}\n{FRAMES}")
    assert (row["outcome"], row["response_code"]) == (outcome, code)


def test_releases_that_print_no_values_leave_what_the_exception_says(tmp_path):
    hosts = {"10.0.0.2:10911": "broker-b"}
    (row,), _, _ = read(tmp_path, f"{OF_5_3}{BARE}\n{TIMEOUT}", hosts=hosts)
    assert (row["latency_us"], row["broker"], row["topic"]) == (2_999_000, "broker-b", "not-in-the-log")
    refused = f"{REMOTING}RemotingConnectException: connect to 10.0.0.2:10911 failed"
    _, (reject,), _ = read(tmp_path, f"{OF_5_3}{BARE}\n{refused}")
    assert reject["reason"] == ImportTexts.NO_LATENCY()


def test_an_asynchronous_retry_tells_of_the_attempt_before_it(tmp_path):
    again = "async send msg by retry 1 times. topic=orders, brokerAddr=10.0.0.3:10911, brokerName=broker-c"
    why = f"org.apache.rocketmq.client.exception.MQClientException: wait response timeout, cost=3003\n{FRAMES}\n"
    why += "Caused by: "
    (row,), _, _ = read(tmp_path, f"{OF_5_3}{again}\n{why}{TIMEOUT}", hosts={"10.0.0.2": "broker-b"})
    assert (row["broker"], row["topic"], row["outcome"]) == ("broker-b", "orders", "RemotingTimeoutException")
    assert row["latency_us"] == 3_003_000


def test_other_events_are_counted_and_nothing_is_made_of_them(tmp_path):
    other = "invokeSync: wait response timeout exception, the channel[10.0.0.2:10911]"
    message = "Message{topic='orders', flag=0, body=[1, 2]}"
    rows, rejects, notes = read(tmp_path, "the end of another event", OF_4_9 + other, OF_4_9 + message)
    assert (rows, rejects, notes.passed["other events"]) == ([], [], 2)


def test_a_warning_without_its_exception_is_rejected(tmp_path):
    again = "async send msg by retry 1 times. topic=orders, brokerAddr=a:1, brokerName=b"
    _, rejects, _ = read(tmp_path, OF_4_9 + FAILED, OF_4_9 + again)
    assert [reject["position"][-6:] for reject in rejects] == ["line 1", "line 2"]
    assert {reject["reason"] for reject in rejects} == {ImportTexts.NO_EXCEPTION()}
