"""A broker.conf as RocketMQ reads it, and what getBrokerConfig prints of masters and slaves."""

from __future__ import annotations

import pytest

from simulator.scenario.texts.reading_texts import ReadingTexts
from streaming.errors import InputError
from tests.says import Says, raises
from tests.streaming.asked import ask
from tests.streaming.init.asked import init_scenario, saved, words_of


def conf(folder, name, *lines):
    return saved(folder, name, "".join(f"{line}\n" for line in lines))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("sendMessageThreadPoolNums=16;", ReadingTexts.NO_WHOLE_NUMBER_TO_ROCKETMQ(value="16;")),
        ("waitTimeMillsInSendQueue=400ms", ReadingTexts.NO_WHOLE_NUMBER_TO_ROCKETMQ(value="400ms")),
        ("fileReservedTime=72 ", ReadingTexts.NO_WHOLE_NUMBER_TO_ROCKETMQ(value="72 ")),
        (
            "flushDiskType = SYNC_FLSH",
            ReadingTexts.NO_NAME_TO_ROCKETMQ(value="SYNC_FLSH", names="ASYNC_FLUSH, SYNC_FLUSH"),
        ),
        ("transientStorePoolEnable=yes", ReadingTexts.ANYTHING_BUT_TRUE(value="yes")),
    ],
)
def test_what_rocketmq_ignores_is_ignored_with_its_line(tmp_path, line, said):
    file = saved(tmp_path, "broker.conf", f"# mqadmin updateBrokerConfig was run\nbrokerName=broker-a\n{line}\n")
    key = line.partition("=")[0].strip()
    assert f"broker.conf:3: {key}: {said}" in words_of(file)
    ordinary = init_scenario(conf(tmp_path, "b.conf", "brokerName=broker-a"))
    assert init_scenario(file).brokers == ordinary.brokers


def test_java_separators_and_continued_lines_are_read(tmp_path):
    file = conf(
        tmp_path, "broker.conf", "brokerName: broker-a", "sendMessageThreadPoolNums 16", "deleteWhen=0\\", "  5"
    )
    broker = init_scenario(file).brokers["broker-a"]
    assert (broker.send_threads, str(broker.delete_when)) == (16, "05")


def test_a_master_s_role_makes_a_master_whatever_the_id(tmp_path):
    file = conf(tmp_path, "broker.conf", "brokerName=broker-a", "brokerId=1", "brokerRole=ASYNC_MASTER")
    assert init_scenario(file).brokers["broker-a"].slaves == 0
    assert Says("init-note.not-a-slave", place="broker.conf:2", number="1") in words_of(file)


def test_a_slave_is_counted_once_however_many_files_show_it(tmp_path):
    head = "#ClusterName  #BrokerName  #BrokerAddrs  #ReadQueue  #WriteQueue  #Perm\n"
    saved(tmp_path, "topicRoute-pay.txt", head + "c  broker-a  {0=192.0.2.1:10911, 1=192.0.2.2:10911}  4  4  6\n")
    conf(tmp_path, "slave.conf", "brokerName=broker-a", "brokerId=1", "brokerRole=SLAVE")
    assert init_scenario(tmp_path).brokers["broker-a"].slaves == 1


def test_slaves_that_get_broker_config_prints_are_not_their_master(tmp_path):
    lines = [
        "brokerName      =  broker-a",
        "brokerId     =  {}",
        "brokerRole  =  {}",
        "sendMessageThreadPoolNums   =  {}",
    ]
    text = "$ mqadmin getBrokerConfig -c D\n"
    for head, values in (
        ("Master: 192.0.2.1:10911", (0, "SYNC_MASTER", 16)),
        ("My Master: 192.0.2.1:10911=====Slave: 192.0.2.2:10911", (1, "SLAVE", 4)),
    ):
        text += f"============{head}============\n" + "\n".join(lines).format(*values) + "\n\n"
    broker = init_scenario(saved(tmp_path, "brokers.txt", text)).brokers["broker-a"]
    assert (broker.slaves, broker.send_threads, broker.role) == (1, 16, "sync_master")


def test_peers_of_dledger_are_counted_once(tmp_path):
    for i in range(3):
        conf(tmp_path, f"n{i}.conf", "brokerName=R", f"listenPort=309{i}1", "enableDLegerCommitLog=true",
             "dLegerPeers=n0-x:1;n1-x:2;n2-x:3", f"dLegerSelfId=n{i}")  # fmt: skip
    found = {name: (one.replicas, one.mode) for name, one in init_scenario(tmp_path).brokers.items()}
    assert found == {"R": (3, "dledger")}


def test_brokers_of_a_controller_are_one_set_that_elects_its_master(tmp_path):
    for i in range(3):
        conf(tmp_path, f"b{i}.conf", "brokerName=broker-a", "brokerId=-1", f"listenPort=309{i}1", "brokerRole=SLAVE",
             "enableControllerMode=true", "inSyncReplicas=2", "minInSyncReplicas=2",
             "allAckInSyncStateSet=true")  # fmt: skip
    (found,) = init_scenario(tmp_path).brokers.values()
    assert (found.replicas, found.mode, found.slaves) == (3, "controller", 2)
    assert (found.in_sync_replicas, found.min_in_sync_replicas, found.all_ack_in_sync_state_set) == (2, 2, True)


def test_a_value_that_no_scenario_can_have_is_named_by_its_own_file(monkeypatch, capsys, tmp_path):
    file = conf(tmp_path, "broker.conf", "brokerName=broker-a", "", "messageDelayLevel=1x 5s")
    code, said = ask(monkeypatch, capsys, "init", file, "--out", tmp_path / "mine.yaml")
    assert code == 2
    assert "as it is: broker.conf:3: messageDelayLevel: brokers.broker-a.message_delay_level: expected delays" in said
    assert "mine.yaml" not in said


def test_a_master_and_its_slave_without_addresses_are_one_set(tmp_path):
    own = ("brokerClusterName=DefaultCluster", "brokerName=broker-a")
    conf(tmp_path, "broker-a.properties", *own, "brokerId=0", "brokerRole=ASYNC_MASTER")
    conf(tmp_path, "broker-a-s.properties", *own, "brokerId=1", "brokerRole=SLAVE")
    brokers = init_scenario(tmp_path).brokers
    assert {name: broker.slaves for name, broker in brokers.items()} == {"broker-a": 1}


@pytest.mark.parametrize(
    ("key", "others"), [("consumeEnable", "a consumer group"), ("writeQueueNums", "a topic")]
)  # fmt: skip
def test_settings_of_a_group_or_a_topic_are_none_of_a_broker(tmp_path, key, others):
    file = conf(tmp_path, "settings.txt", "=====DefaultCluster:broker-a=====", f"{key}  =  1", "brokerId  =  0")
    with raises(InputError, Says("init.setting-of-others", ".../settings.txt:2", other=key, others=others)):
        init_scenario(file)
