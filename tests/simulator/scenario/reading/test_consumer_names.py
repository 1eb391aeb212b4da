"""Consumers and name servers in RocketMQ's own words, and settings of RocketMQ that are not modelled."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError, changed, parse_scenario
from simulator.scenario.keys import keys_at
from simulator.scenario.loading.scenario_file import effectless_of, notes_of
from tests.says import Said, Says, raises

TEXT = """
name: names of the consumer
duration: 1m
client: {release: 4.9.8}
producers: {count: 1, rate: 5/s}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}}}
consumers: {billing: {topic: orders, service: 1ms, KEYS}}
"""
AS_REPORTED = (
    "consumeThreadMin: 20, consumeThreadMax: 64, consumeFromWhere: CONSUME_FROM_FIRST_OFFSET, "
    "messageModel: CLUSTERING, pullBatchSize: 16, maxReconsumeTimes: 3, pullThresholdForQueue: 500, "
    "consumeMessageBatchMaxSize: 2"
)
A_SLAVE = "a slave is no broker of its own here: give its master slaves: 1"


def text_with(keys):
    return TEXT.replace("KEYS", keys)


def group_with(keys):
    return parse_scenario(text_with(keys)).consumers["billing"]


def refused(text, **changes):
    with pytest.raises(ScenarioError) as error:
        parse_scenario(text, source="s.yaml", overrides=changes)
    return Said(error.value)


def sentence_of(path, key):
    """What is said of a key at a path such as consumers.billing."""
    return refused(text_with("count: 1"), **{f"{path}.{key}".lstrip("."): "1"})


def test_the_consumers_own_names_mean_the_keys_here():
    group = group_with(AS_REPORTED)
    assert (group.threads, group.consume_from_where, group.message_model) == (
        *(20, "CONSUME_FROM_FIRST_OFFSET", "CLUSTERING"),
    )
    assert (group.pull_batch_size, group.max_reconsume_times) == (16, 3)
    assert (group.pull_threshold_for_queue, group.consume_message_batch_max_size) == (500, 2)


def test_a_name_servers_names_mean_the_keys_here():
    names = "name_servers: {count: 1, needWaitForService: true, waitSecondsForService: 20}\n"
    own = parse_scenario(text_with(AS_REPORTED) + names).name_servers
    assert (own.need_wait_for_service, own.wait_for_service_us) == (True, 20_000_000)


@pytest.mark.parametrize(
    ("keys", "read"),
    [
        ("consumeTimeout: 5", lambda g: g.consume_timeout_us == 300_000_000),
        ("pullInterval: 50", lambda g: g.pull_interval_ms == 50),
        ("suspendCurrentQueueTimeMillis: 3000", lambda g: g.suspend_current_queue_time_ms == 3_000),
        ("maxReconsumeTimes: '-1'", lambda g: g.max_reconsume_times == -1),
        ("consumeConcurrentlyMaxSpan: 100", lambda g: g.consume_concurrently_max_span == 100),
        ("pullThresholdSizeForQueue: 10", lambda g: g.pull_threshold_size_for_queue == 10),
        (
            "allocateMessageQueueStrategy: AllocateMessageQueueAveragelyByCircle",
            lambda g: g.strategy == "AVG_BY_CIRCLE",
        ),
        ("messageListener: MessageListenerOrderly", lambda g: g.mode.in_order),
        ("messageModel: MessageModel.BROADCASTING", lambda g: g.is_broadcasting),
        ("consumeThreadNumber: 7", lambda g: g.threads == 7),
    ],
)
def test_values_are_read_as_rocketmq_spells_them(keys, read):
    assert read(group_with(keys))


def test_a_change_takes_the_same_names_and_replaces_the_key_of_here():
    assert (
        parse_scenario(text_with("threads: 4"), overrides={"consumers.billing.consumeThreadMin": 8})
        .consumers["billing"]
        .threads
        == 8
    )
    scenario = parse_scenario(text_with("threads: 4"))
    assert changed(scenario, {"consumers.billing.maxReconsumeTimes": 2}).consumers["billing"].max_reconsume_times == 2


def test_the_most_consume_threads_have_no_effect_and_that_is_said(tmp_path):
    file = tmp_path / "s.yaml"
    file.write_text(text_with("consumeThreadMin: 20, consumeThreadMax: 64"))
    (found,) = effectless_of(file)
    assert found == Says("reading.has-no-effect", key="consumers.billing.consumeThreadMax")
    here = Says("reading.name-here", key="consumers.billing.consumeThreadMin", name="threads")
    assert notes_of(file) == [here, found]
    assert len(effectless_of(file, {"consumers.billing.adjustThreadPoolNumsThreshold": 5})) == 2


def test_a_consumer_with_fewer_threads_at_most_does_not_start():
    said = refused(text_with("consumeThreadMin: 20, consumeThreadMax: 8"))
    assert said == (
        Says("reading.threads-min-above-max", "s.yaml:8: consumers.billing.consumeThreadMax", least=20, got=8)
    )


def test_a_wrong_value_is_named_as_it_was_written():
    assert Says("field.expected", "...billing.pullBatchSize", got=2000, low=1, high=1024) in refused(
        text_with("pullBatchSize: 2000")
    )
    assert Says("reading.time-without-date", "...consumeTimestamp") in refused(
        text_with("consumeTimestamp: 20260101120000")
    )


@pytest.mark.parametrize(
    ("path", "key"),
    [
        *(("consumers.billing", key) for key in ("clientRebalance", "client_rebalance")),
        *(("consumers.billing", key) for key in ("vipChannelEnabled", "pullThresholdForTopic", "unitMode")),
        *(("client", key) for key in ("vipChannelEnabled", "compressLevel", "namesrvAddr", "vip-channel-enabled")),
        *(("brokers.broker-a", key) for key in ("enableAutoInSyncReplicas", "maxMessageSize")),
        *(("name_servers", key) for key in ("scanNotActiveBrokerInterval", "returnOrderTopicConfigToBroker")),
        ("producers", "vipChannelEnabled"),
        ("", "enableAutoInSyncReplicas"),
    ],
)
def test_what_is_not_modelled_is_named_as_such(path, key):
    assert sentence_of(path, key) == Says("reading.known-to-rocketmq")


def test_what_has_the_default_of_the_release_is_named_as_such():
    said = Says("reading.known-as-default")
    assert sentence_of("brokers.broker-a", "transactionTimeOut") == said
    assert sentence_of("consumers.billing", "persistConsumerOffsetInterval") == said


@pytest.mark.parametrize(
    ("path", "key", "said"),
    [
        ("client", "consumeThreadMin", Says("reading.unknown-here", key="threads")),
        ("consumers.billing", "sendMsgTimeout", Says("reading.unknown-here")),
        ("producers", "sendMsgTimeout", Says("reading.unknown-here")),
        ("consumers.billing", "consume_thread_min", Says("reading.unknown-meant", near="threads")),
        ("consumers.billing", "consumeThreadMn", Says("reading.unknown-meant", near="consumeThreadMin")),
        ("consumers.billing", "consumeThreadMx", Says("reading.unknown-meant", near="consumeThreadMax")),
        ("consumers.billing", "consumerGroup", Says("reading.unknown-instead")),
        (
            "brokers.broker-a",
            "enableControllerMode",
            Says("reading.unknown-instead"),
        ),
        (
            "brokers.broker-a",
            "brokerId",
            Says("reading.unknown-instead", instead=A_SLAVE),
        ),
        (
            "brokers.broker-a",
            "enableAutoInSyncReplica",
            Says("reading.unknown-meant-not-modelled", near="enableAutoInSyncReplicas"),
        ),
    ],
)
def test_a_key_of_another_place_or_a_misspelt_one_leads_to_the_right_one(path, key, said):
    assert sentence_of(path, key) == said


def test_keys_are_found_under_rocketmqs_names():
    assert keys_at("consumers.consumeThreadMin")[0].path == "consumers.NAME.threads"
    assert keys_at("consumers.billing.maxReconsumeTimes")[0].path == "consumers.NAME.max_reconsume_times"
    with raises(ScenarioError, Says("reading.known-to-rocketmq")):
        keys_at("client.vipChannelEnabled")


def test_a_misspelt_group_is_named_with_the_nearest():
    said = refused(text_with("count: 1"), **{"consumers.biling.count": 3})
    assert said == (
        Says(
            "reading.not-known",
            "--set consumers.biling.count",
            what="consumer group",
            name="biling",
            known="billing",
            near="billing",
        )
    )


@pytest.mark.parametrize(
    ("path", "key", "near"),
    [
        *(("consumers.billing", key, "consume_mode") for key in ("mode", "pop", "orderly")),
        *(("consumers.billing", key, "count") for key in ("instances", "replicas")),
        ("consumers.billing", "consumptionThreadCount", "threads"),
        ("consumers.billing", "selectorExpression", "topics"),
        ("consumers.billing", "offset", "consume_from_where"),
        ("consumers.billing", "retryMaxTimes", "max_reconsume_times"),
        ("client", "timeout", "send_msg_timeout"),
        ("client", "retries", "retry_times_when_send_failed"),
        ("producers", "tps", "rate"),
        ("topics.orders", "partitions", "queues"),
    ],
)
def test_a_usual_word_leads_to_the_key_that_means_it(path, key, near):
    assert sentence_of(path, key) == Says("reading.unknown-meant", near=near)


def test_what_is_not_modelled_is_meant_by_a_slip_alone():
    meant = Says("reading.unknown-meant-not-modelled", near="unitMode")
    assert sentence_of("consumers.billing", "unitMod") == meant
    assert sentence_of("consumers.billing", "unit") != meant
