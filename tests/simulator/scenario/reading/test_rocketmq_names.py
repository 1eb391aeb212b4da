"""A scenario in RocketMQ's own words: names of broker.conf and of the producer's properties, and the file itself."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError, load_scenario, parse_scenario
from simulator.scenario.loading.scenario_file import notes_of
from simulator.scenario.reading.renaming import rename
from tests.says import Says, raises
from tests.simulator.small import text_of

CONF = """
# as it stands on the machine
brokerClusterName = DefaultCluster
brokerName=broker-x
sendMessageThreadPoolNums=16
flushDiskType = SYNC_FLUSH
brokerRole=SYNC_MASTER
waitTimeMillsInSendQueue=500
"""
X = {"latency": {"constant": "1ms"}}


def brokers(**keys):
    return {"a": X | keys}


def refused(text):
    with pytest.raises(ScenarioError) as error:
        parse_scenario(text, source="s.yaml")
    return error.value.sentences


def test_names_of_broker_conf_mean_the_keys_here():
    own = {"sendMessageThreadPoolNums": 16, "flushDiskType": "ASYNC_FLUSH", "brokerRole": "SYNC_MASTER"}
    broker = parse_scenario(text_of(brokers=brokers(**own, waitTimeMillsInSendQueue=500))).brokers["a"]
    assert (broker.send_threads, broker.flush, broker.role) == (16, "async", "sync_master")
    assert broker.wait_time_in_send_queue_ms == 500


def test_names_of_the_producers_properties_mean_the_keys_here():
    own = {"sendLatencyFaultEnable": False, "sendMsgTimeout": 2500, "retryTimesWhenSendFailed": 4}
    text = text_of(client=own).replace("  send_latency_fault_enable: true\n", "")
    client = parse_scenario(text).client
    assert (client.send_latency_fault_enable, client.send_msg_timeout_ms) == (False, 2500)
    assert client.retry_times_when_send_failed == 4


def test_a_wrong_value_is_reported_under_the_name_that_was_written():
    (found,) = refused(text_of(brokers=brokers(flushDiskType="SOMETIMES")))
    assert found == Says("field.expected", "s.yaml:19: brokers.a.flushDiskType")


def test_one_key_under_two_names_is_refused():
    (text,) = refused(text_of(brokers=brokers(sendMessageThreadPoolNums=8, send_threads=4)))
    assert text == Says("reading.both-spellings", "...brokers.a.sendMessageThreadPoolNums", key="send_threads")


@pytest.mark.parametrize(
    "named", [{"broker-x": X | {"like_file": "broker.conf"}}, {"like_file": "broker.conf", "broker-x": X}]
)
def test_a_brokers_own_file_says_what_the_scenario_does_not(tmp_path, named):
    (tmp_path / "broker.conf").write_text(CONF)
    (tmp_path / "s.yaml").write_text(text_of(brokers=named))
    broker = load_scenario(tmp_path / "s.yaml").brokers["broker-x"]
    assert (broker.threads, broker.flush, broker.role, broker.wait_time_in_send_queue_ms) == (
        16,
        "sync",
        "sync_master",
        500,
    )


def test_what_a_file_says_without_effect_is_reported_and_names_are_translated(tmp_path):
    (tmp_path / "broker.conf").write_text(CONF)
    own = X | {"like_file": "broker.conf", "brokerFastFailureEnable": False}
    (tmp_path / "s.yaml").write_text(text_of(brokers={"broker-x": own}))
    assert notes_of(tmp_path / "s.yaml") == [
        Says("reading.name-here", key="brokers.broker-x.brokerFastFailureEnable", name="fast_failure"),
        Says("reading.keys-without-effect", "broker.conf", count=1, keys="brokerClusterName"),
    ]


def test_a_file_that_is_not_there_is_reported_with_its_line(tmp_path):
    (tmp_path / "broker.conf").write_text(CONF)
    (tmp_path / "s.yaml").write_text(text_of(brokers={"a": X | {"like_file": "brokr.conf"}}))
    with raises(ScenarioError, Says("reading.no-such-file")):
        load_scenario(tmp_path / "s.yaml")


def test_the_same_error_of_six_brokers_is_reported_once():
    (found,) = refused(text_of(brokers={"b": X | {"count": 6, "send_threads": 0}}))
    assert found == Says("field.expected", "s.yaml:20: brokers.b.send_threads", got=0, low=1, high=1024)


@pytest.mark.parametrize("key", ["client.sendMsgTimeout", "client.send_msg_timeout"])
def test_a_change_replaces_the_key_under_either_name(key):
    for written in ("sendMsgTimeout", "send_msg_timeout"):
        text = text_of(client={written: "3s"})
        assert parse_scenario(text, overrides={key: "2s"}).client.send_msg_timeout_ms == 2_000


def test_a_broker_that_is_named_grpc_has_the_names_of_a_broker():
    data = {"brokers": {"grpc": {"flushDiskType": "SYNC_FLUSH"}}}
    rename(data)
    assert "flushDiskType" not in data["brokers"]["grpc"]
