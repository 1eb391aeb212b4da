"""What consumers print of themselves: formats of ConsumerRunningInfo.formatString and ConsumerStatusSubCommand."""

from __future__ import annotations

import pytest

from streaming.errors import InputError
from tests.says import Says, raises
from tests.streaming.init.asked import init_scenario, init_text, saved

SETTINGS = {
    "consumerGroup": "billing", "messageModel": "CLUSTERING", "consumeFromWhere": "CONSUME_FROM_LAST_OFFSET",
    "consumeThreadMin": "8", "consumeThreadMax": "20", "consumeTimeout": "15", "maxReconsumeTimes": "-1",
    "consumeMessageBatchMaxSize": "1", "pullBatchSize": "32", "popInvisibleTime": "30000", "popBatchNums": "16",
    "popThresholdForQueue": "96", "clientRebalance": "false", "PROP_CONSUMEORDERLY": "false",
    "PROP_THREADPOOL_CORE_SIZE": "8", "PROP_CONSUME_TYPE": "CONSUME_PASSIVELY", "PROP_CLIENT_VERSION": "V5_3_3",
    "PROP_NAMESERVER_ADDR": "192.0.2.1:9876;", "PROP_CONSUMER_START_TIMESTAMP": "1764230400000",
}  # fmt: skip
POP = "PopProcessQueueInfo [waitAckCount:2, droped:false, lastPopTimestamp:1764230460000]"
QUEUE = "%-64s  %-32s  %-4s  %-20s\n"
RATES = "%-64s  %14s %14s %14s %14s %18s %25s\n"


def info(rt="12.50", tps="40.00", pops=True, **settings):
    """What an instance of 5.3.3 prints of itself."""
    lines = "".join(f"{key:<40}: {value}\n" for key, value in (SETTINGS | settings).items())
    own = QUEUE % ("orders", "broker-a", -1, POP) if pops else ""
    pulled = "" if pops else QUEUE % ("orders", "broker-a", 0, "ProcessQueueInfo [commitOffset=7, droped=false]")
    subscribed = "%03d Topic: %-40s ClassFilter: %-8s SubExpression: %s\n"
    head = ("#Topic", "#Broker Name", "#QID")
    return (
        f"#Consumer Properties#\n{lines}\n\n#Consumer Subscription#\n"
        + subscribed % (1, "%RETRY%billing", "false", "*") + subscribed % (2, "orders", "false", "paid || new")
        + "\n\n#Consumer Offset#\n" + QUEUE % (*head, "#Consumer Offset")
        + "\n\n#Consumer MQ Detail#\n" + QUEUE % (*head, "#ProcessQueueInfo") + pulled
        + "\n\n#Consumer Pop Detail#\n" + QUEUE % (*head, "#ProcessQueueInfo") + own
        + "\n\n#Consumer RT&TPS#\n"
        + RATES % ("#Topic", "#Pull RT", "#Pull TPS", "#Consume RT", "#ConsumeOK TPS", "#ConsumeFailed TPS",
                   "#ConsumeFailedMsgsInHour")
        + RATES % ("orders", "3.00", tps, rt, tps, "0.00", "0")
    )  # fmt: skip


def instances(folder, *texts):
    """The files that consumerStatus -g saves."""
    own = folder / "1764230461000"
    own.mkdir()
    for number, text in enumerate(texts, 1):
        saved(own, f"192.0.2.{30 + number}@7#1234", text)
    return own


def test_a_group_that_pops_has_its_invisible_time_threads_and_service_time(tmp_path):
    group = init_scenario(instances(tmp_path, info(), info(rt="22,50", tps="40,00"))).consumers["billing"]
    assert (group.consume_mode, group.count, group.threads, group.release) == ("POP", 2, 8, "5.3.3")
    assert (group.pop_invisible_time_us, group.pop_batch_nums) == (30_000_000, 16)
    assert group.service.service_table_us()[0] == 17_500
    assert group.readings["orders"].tags == "paid || new"


def test_a_group_pops_though_brokers_list_it_as_one_that_is_pushed_to(tmp_path):
    listed = "%-64s  %-6s  %-24s %-5s  %-14s  %-7s  %s\n"
    heads = listed % ("#Group", "#Count", "#Version", "#Type", "#Model", "#TPS", "#Diff Total")
    all_groups = saved(tmp_path, "groups.txt", heads + listed % ("billing", 1, "V5_3_3", "PUSH", "CLUSTERING", 12, 3))
    connection = saved(tmp_path, "consumerConnection-billing.txt", CONNECTION)
    group = init_scenario(all_groups, connection, instances(tmp_path, info())).consumers["billing"]
    assert (group.consume_mode, group.pop_invisible_time_us) == ("POP", 30_000_000)


def test_one_that_pulls_has_no_settings_of_pop(tmp_path):
    group = init_scenario(instances(tmp_path, info(pops=False))).consumers["billing"]
    assert (group.consume_mode, group.pop_invisible_time_us) == ("CONCURRENTLY", 60_000_000)


def test_an_orderly_one_is_orderly(tmp_path):
    file = instances(tmp_path, info(pops=False, PROP_CONSUMEORDERLY="true"))
    assert init_scenario(file).consumers["billing"].consume_mode == "ORDERLY"


def test_the_time_of_a_batch_is_not_that_of_a_message(tmp_path):
    assert "#Consume RT" not in init_text(instances(tmp_path, info(consumeMessageBatchMaxSize="8")))


def test_infos_below_their_commands_are_instances_of_their_own(tmp_path):
    text = "".join(f"$ mqadmin consumerStatus -g billing -i {one}\n{info()}" for one in ("a@1", "b@1"))
    assert init_scenario(saved(tmp_path, "groups.txt", text)).consumers["billing"].count == 2


ROWS = {
    "4.9.8": "001  192.0.2.31@7#1234                        V4_9_8               1764230461000/192.0.2.31@7#1234\n",
    "5.3.3": "#Index     #ClientId                                #Version             #ConsumerRunningInfoFile\n"
    "1          192.0.2.31@7#1234                        V5_3_3               1764230461000/192.0.2.31@7#1234\n",
}  # fmt: skip


@pytest.mark.parametrize("release", ROWS)
def test_what_is_printed_beside_the_files_counts_instances(tmp_path, release):
    ends = "\n\nSame subscription in the same group of consumer\n\nRebalance OK\n"
    file = saved(tmp_path, "consumerStatus-billing.txt", ROWS[release] + ends)
    route = saved(tmp_path, "consumerConnection-billing.txt", CONNECTION)
    group = init_scenario(file, route).consumers["billing"]
    assert (group.count, group.release) == (1, "5.3.3")


CONNECTION = """#ClientId                            #ClientAddr            #Language  #Version
192.0.2.31@7#1234                    192.0.2.31:50110       JAVA       V5_3_3

Below is subscription:
#Topic               #SubExpression
orders               *

ConsumeType: CONSUME_PASSIVELY
MessageModel: CLUSTERING
ConsumeFromWhere: CONSUME_FROM_LAST_OFFSET
"""


@pytest.mark.parametrize("cut", ["#Consumer RT&TPS#", "consumerGroup"])
def test_a_file_that_is_cut_off_is_refused(tmp_path, cut):
    text = info().replace("consumerGroup", "group") if cut == "consumerGroup" else info().partition(cut)[0]
    with raises(InputError, Says("init.running-info-cut")):
        init_text(instances(tmp_path, text))


def test_a_status_without_its_group_is_refused(tmp_path):
    with raises(InputError, Says("init.status-without-group")):
        init_text(saved(tmp_path, "status.txt", ROWS["4.9.8"]))
