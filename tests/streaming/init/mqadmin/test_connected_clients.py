"""Clients that mqadmin lists: their releases, what they subscribe to, and how."""

from __future__ import annotations

from tests.says import Says
from tests.streaming.init.asked import init_scenario, saved, words_of

OLD = """$ mqadmin consumerConnection -g billing
001  192.0.2.31@1                     192.0.2.31:50110       JAVA     V4_6_0
002  192.0.2.32@7                     192.0.2.32:50110       JAVA     V4_2_0_SNAPSHOT

Below is subscription:001  Topic: %RETRY%billing                           SubExpression: *
002  Topic: orders                                   SubExpression: paid || new
ConsumeType: CONSUME_PASSIVELY
MessageModel: CLUSTERING
ConsumeFromWhere: CONSUME_FROM_FIRST_OFFSET
"""
NEW = """#ClientId                            #ClientAddr            #Language  #Version
192.0.2.31@1#262144                  192.0.2.31:50110       JAVA       V5_3_3
192.0.2.32@1#262144                  192.0.2.32:50110       GO         V4_1_0

Below is subscription:
#Topic               #SubExpression
orders               EXPRESSION
bills                *
%RETRY%billing       *

ConsumeType: CONSUME_PASSIVELY
MessageModel: CLUSTERING
ConsumeFromWhere: CONSUME_FROM_LAST_OFFSET
"""
PRODUCER = (
    "producer group ({}) instance : clientId={},remoteIP=192.0.2.3, language=JAVA, version=479, lastUpdateTimestamp=1\n"
)


def connection(folder, text):
    return saved(folder, "consumerConnection-billing.txt", text)


def test_what_releases_up_to_4_6_print_is_read(tmp_path):
    group = init_scenario(connection(tmp_path, OLD)).consumers["billing"]
    assert (group.count, group.release, group.consume_from_where) == (2, "4.2.0", "CONSUME_FROM_FIRST_OFFSET")
    assert "topics: {orders: paid || new}" in words_of(connection(tmp_path, OLD))


def test_one_filtered_topic_among_several_keeps_its_tags(tmp_path):
    assert 'topics: {bills: "*", orders: vip}' in words_of(connection(tmp_path, NEW.replace("EXPRESSION", "vip")))


def test_a_filter_by_properties_is_said_to_be_none(tmp_path):
    words = words_of(connection(tmp_path, NEW.replace("EXPRESSION", "a > 5 AND region = 'x'")))
    expression = "a > 5 AND region = 'x'"
    assert Says("init-note.filters-by-properties", group="billing", topic="orders", expression=expression) in words
    assert "topics: [bills, orders]" in words


def test_the_release_is_that_of_java_clients(tmp_path):
    file = connection(tmp_path, NEW)
    assert init_scenario(file).consumers["billing"].release == "5.3.3"
    assert Says("init-note.other-languages", group="billing", languages="GO") in words_of(file)


def test_a_group_that_pops_pops(tmp_path):
    group = init_scenario(connection(tmp_path, NEW.replace("CONSUME_PASSIVELY", "CONSUME_POP"))).consumers["billing"]
    assert (group.consume_mode, group.release) == ("POP", "5.3.3")
    assert init_scenario(connection(tmp_path, NEW)).consumers["billing"].consume_mode == "CONCURRENTLY"


def test_producers_of_a_broker_are_counted_by_group(tmp_path):
    text = "".join(PRODUCER.format(*own) for own in (("shop", "a"), ("shop", "b"), ("CLIENT_INNER_PRODUCER", "a")))
    producers = init_scenario(saved(tmp_path, "producers.txt", text)).producers
    assert [(one.group, one.count) for one in producers] == [("shop", 2)]
