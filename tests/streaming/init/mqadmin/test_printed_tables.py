"""A table is what its command says, however it was pasted; a row that says nothing is no figure."""

from __future__ import annotations

import pytest

from streaming.errors import InputError
from tests.says import Said, Says, raises
from tests.streaming.init.asked import init_scenario, init_text, saved, words_of
from tests.streaming.init.mqadmin.printed import (
    CLUSTER_5,
    COLUMNS_5,
    GROUPS_4_2,
    GROUPS_COLUMNS,
    PROGRESS_4_2,
    PROGRESS_COLUMNS,
    STATS_4_9,
    STATS_COLUMNS,
    cluster_list,
    member,
    table,
    wrapped,
)

PAIR = cluster_list(member("broker-a", 0, "192.0.2.1:10911", 321.5), member("broker-a", 1, "192.0.2.2:10911", 0.0))
STATS = table(
    STATS_4_9,
    STATS_COLUMNS,
    ("orders", "billing", 13, "75.42", "75.42", 10, 10),
    ("refunds", "", 0, "2.10", "", 3400, "NO_CONSUMER"),
    ("BenchmarkTest", "", 0, "0.00", "", 0, "NO_CONSUMER"),
)
EXCEPTION = (
    "org.apache.rocketmq.remoting.exception.RemotingConnectException: connect to <192.0.2.3:10911> failed\n"
    "\tat org.apache.rocketmq.remoting.netty.NettyRemotingClient.invokeSync(NettyRemotingClient.java:394)\n"
)


def rate_of(scenario):
    return sum(float(one.rate_per_s) * one.count for one in scenario.producers)


@pytest.mark.parametrize("width", [80, 100, 132])
def test_rows_that_a_terminal_wrapped_are_whole(tmp_path, width):
    scenario = init_scenario(saved(tmp_path, "list.txt", wrapped(PAIR, width)))
    assert (rate_of(scenario), scenario.brokers["broker-a"].slaves) == (321.5, 1)


@pytest.mark.parametrize("between", ["\t", " ", "   "])
def test_columns_may_be_apart_by_anything_blank(tmp_path, between):
    lines = [
        between.join(line.replace(" Name", "_Name").split()).replace("_Name", " Name") for line in PAIR.splitlines()
    ]
    scenario = init_scenario(saved(tmp_path, "list.txt", "\n".join(lines)))
    assert (rate_of(scenario), scenario.brokers["broker-a"].slaves) == (321.5, 1)


def test_comments_are_no_rows(tmp_path):
    head, first, second = PAIR.splitlines()
    text = "\n".join(["# saved on Monday", head, first, "# the slave", second, "// end"])
    assert init_scenario(saved(tmp_path, "list.txt", text)).brokers["broker-a"].slaves == 1


def test_an_exception_between_rows_ends_no_table(tmp_path):
    head, *rows = cluster_list(
        member("broker-a", 0, "192.0.2.1:10911", 100.0),
        member("broker-b", 0, "192.0.2.3:10911", 0.0, version=""),
        member("broker-c", 0, "192.0.2.4:10911", 50.0),
    ).splitlines(keepends=True)
    file = saved(tmp_path, "list.txt", f"$ mqadmin clusterList\n{head}{rows[0]}{EXCEPTION}{rows[1]}{rows[2]}")
    assert (sorted(init_scenario(file).brokers), rate_of(init_scenario(file))) == (
        ["broker-a", "broker-b", "broker-c"],
        150,
    )
    assert Says("init-note.did-not-answer", place="list.txt:6", broker="broker-b") in words_of(file)


def test_a_broker_of_5_x_that_did_not_answer_has_no_load(tmp_path):
    row = ("D", "broker-b", 0, "192.0.2.2:10911", "", "     0.00(,ms)", "     0.00(,ms|,ms)", "0-0(0.0w, 0.0, 0.0)", "",
           "0.00", "0.0000", "false")  # fmt: skip
    words = words_of(saved(tmp_path, "list.txt", table(CLUSTER_5, COLUMNS_5, row)))
    assert Says("init-note.did-not-answer", place="list.txt:2", broker="broker-b") in words
    assert "it stored" not in words


@pytest.mark.parametrize(
    ("echo", "text", "sentence"),
    [
        ("statsAll", PAIR, Says("init.other-command", echoed="statsAll", looks="clusterList")),
        ("topicList -c", STATS, Says("init.other-command", echoed="topicList", looks="statsAll")),
        ("clusterRT", PAIR, "mqadmin clusterRT is not read; expected"),
        ("brokerConsumeStats -b x", PAIR, "mqadmin brokerConsumeStats is not read; expected"),
        ("getNamesrvConfig", "listenPort = 9876\n", "mqadmin getNamesrvConfig is not read; expected"),
    ],
)
def test_the_command_above_a_table_decides(tmp_path, echo, text, sentence):
    with pytest.raises(InputError, match=r"list\.txt:2: ") as found:
        init_text(saved(tmp_path, "list.txt", f"$ mqadmin {echo}\n{text}"))
    assert sentence in Said(found.value)


def test_columns_of_a_command_that_is_not_read_are_refused_by_its_name(tmp_path):
    head = "#Topic  #Group  #Broker Name  #QID  #Broker Offset  #Consumer Offset  #Diff  #LastTime"
    text = f"{head}\norders g a 0 9 4 5 N/A\n"
    with raises(InputError, Says("init.columns-of")):
        init_text(saved(tmp_path, "s.txt", text))


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        ("listenPort=9876\nkvConfigPath=/kv.json\n", "a name server"),
        ("controllerDLegerPeers=n0-x:9878\n", "a controller"),
    ],
)
def test_settings_of_other_programs_are_refused(tmp_path, text, whose):
    with raises(InputError, Says("init.setting-of-others", others=whose)):
        init_text(saved(tmp_path, "x.conf", text))


def test_stats_all_of_4_9_has_its_own_topics_and_their_groups(tmp_path):
    scenario = init_scenario(saved(tmp_path, "stats.txt", STATS))
    assert (sorted(scenario.topics), list(scenario.consumers)) == (["orders", "refunds"], ["billing"])
    assert rate_of(scenario) == pytest.approx(77.52)


def test_a_decimal_comma_is_a_point(tmp_path):
    scenario = init_scenario(saved(tmp_path, "stats.txt", STATS.replace("75.42", "75,42").replace("2.10", "2,10")))
    assert rate_of(scenario) == pytest.approx(77.52)


def test_a_broker_name_in_two_clusters_is_a_sentence(tmp_path):
    rows = [member("broker-a", 0, f"192.0.2.{i}:10911", 1.0, cluster=name) for i, name in ((1, "one"), (2, "two"))]
    with raises(InputError, Says("init.in-two-clusters")):
        init_text(saved(tmp_path, "list.txt", cluster_list(*rows)))


def test_slaves_alone_are_no_cluster(tmp_path):
    text = cluster_list(member("broker-a", 1, "192.0.2.2:10911", 0.0))
    with raises(InputError, Says("init.slaves-alone", brokers="broker-a")):
        init_text(saved(tmp_path, "list.txt", text))


def test_a_group_of_a_cut_name_is_the_one_that_begins_so(tmp_path):
    name = "mobile_notification_settlement_consumer_group"
    text = (
        "$ mqadmin consumerProgress\n"
        + table(GROUPS_4_2, GROUPS_COLUMNS, (name[:32], 2, "V4_2_0_SNAPSHOT", "PUSH", "CLUSTERING", 5, 7))
        + f"$ mqadmin consumerProgress -g {name}\n"
        + table(PROGRESS_4_2, PROGRESS_COLUMNS, ("orders", "broker-a", 0, 10, 3, "N/A", 7, "N/A"))
    )
    consumers = init_scenario(saved(tmp_path, "groups.txt", text)).consumers
    assert {own: group.count for own, group in consumers.items()} == {name: 2}


def test_a_cut_topic_that_two_begin_with_is_a_sentence(tmp_path):
    name = "order_payment_settlement_notification"
    route = '{"brokerDatas":[],"queueDatas":[{"brokerName":"a","perm":6,"readQueueNums":2,"writeQueueNums":2}]}'
    for end in "ab":
        saved(tmp_path, f"topicRoute-{name}_{end}.txt", route)
    row = (name[:32], "broker-a", 0, 10, 3, "N/A", 7, "N/A")
    saved(tmp_path, "consumerProgress-billing.txt", table(PROGRESS_4_2, PROGRESS_COLUMNS, row))
    with raises(InputError, Says("init.name-cut", length=32)):
        init_text(tmp_path)


def test_the_table_of_4_2_with_client_addresses_is_read(tmp_path):
    rows = [("%RETRY%billing", "broker-a", 0, 0, 0, "NA", 0, "1970-01-01 08:00:00"),
            ("orders", "broker-a", 0, 100, 90, "192.0.2.31", 10, "2026-01-01 10:00:00"),
            ("orders", "broker-b", 0, 100, 95, "NA", 5, "")]  # fmt: skip
    file = saved(tmp_path, "progress.txt", table(PROGRESS_4_2, PROGRESS_COLUMNS, *rows))
    assert "it was 15 messages behind" in words_of(file)
    assert sorted(init_scenario(file).brokers) == ["broker-a", "broker-b"]
