"""Ways of sending and messages that do not fit together are refused with a sentence that says what is wrong."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError, parse_scenario
from tests.says import Said, Says
from tests.simulator.small import fault, scenario_of

BATCHING = {"release": "5.3.3", "auto_batch": True}
ORDERED = {"queues": 2, "keys": {"count": 3}, "check_order": True}


def said(**changes):
    with pytest.raises(ScenarioError) as error:
        scenario_of(**changes)
    return Said(error.value)


@pytest.mark.parametrize(
    ("producers", "sentence"),
    [
        ({"mode": "oneway", "batch": 3}, Says("producer.batch-one-way", "...batch")),
        ({"selector": "hash"}, Says("producer.topic-without-keys", topic="orders")),
        ({"batch": 2, "selector": "random"}, Says("producer.batch-selector", got="random")),
        (
            {"selector": "hsh"},
            Says("producer.selector-expected", "...selector"),
        ),
    ],
)
def test_producers(producers, sentence):
    assert sentence in said(producers=producers)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"client": {"auto_batch": True}},
            Says("client.not-in-release", release="4.9.8", first="5.1.4"),
        ),
        ({"client": BATCHING | {"batch_max_delay": "31s"}}, Says("field.expected", "...client.batch_max_delay")),
        ({"client": BATCHING | {"enable_backpressure_for_async_mode": True}}, Says("client.batches-with-backpressure")),
        (
            {"client": BATCHING, "topics": {"orders": ORDERED}},
            Says("producer.order-with-own-batches", "...check_order"),
        ),
        (
            {"client": BATCHING, "faults": [fault("power_loss", "1s", "1s")]},
            Says("producer.power-loss-with-own-batches"),
        ),
    ],
)
def test_batches_that_the_client_makes(changes, sentence):
    assert sentence in said(**changes)


LOOP = {"arrivals": "closed", "rate": None}


@pytest.mark.parametrize(
    ("producers", "sentence"),
    [
        ({"arrivals": "closed", "think": "5ms"}, Says("producer.loop-rate", "...rate")),
        (LOOP, Says("producer.think-missing", "...think")),
        ({"rate": None}, Says("producer.rate-missing", "...rate")),
        ({"think": "5ms"}, Says("producer.think-outside-a-loop", "...think")),
        (
            LOOP | {"think": {"exponental": {}}},
            Says("reading.unknown-meant", "...think.exponental", near="exponential"),
        ),
        (LOOP | {"think": "0ms", "mode": "oneway"}, Says("producer.no-think-time", "...think", mode="oneway")),
        (
            LOOP | {"think": {"uniform": {"min": "0ms", "max": "0ms"}}, "mode": "async"},
            Says("producer.no-think-time", "...think", mode="async"),
        ),
        (
            LOOP | {"think": {}},
            Says("message.exactly-one", "...think"),
        ),
        (LOOP | {"think": "1ms", "when_blocked": "skip"}, Says("producer.loop-skips", "...when_blocked")),
    ],
)
def test_what_does_not_make_a_closed_loop_is_reported(producers, sentence):
    assert sentence in said(producers=producers)


@pytest.mark.parametrize("think", ["0ms", {"lognormal": {"p50": "5ms", "p99": "40ms"}}])
def test_a_closed_loop_reads_back_what_it_writes(think):
    scenario = scenario_of(producers=LOOP | {"think": think})
    assert parse_scenario(scenario.to_yaml()).digest() == scenario.digest()


@pytest.mark.parametrize(
    ("producers", "expected"),
    [
        ({}, Says("producer.hand-off")),
        ({"when_blocked": "skip"}, Says("producer.skipping")),
        (LOOP | {"think": "5ms"}, Says("producer.closed-loop", returned="send", think="5ms")),
        (LOOP | {"think": {"uniform": {"min": "1ms", "max": "5ms"}}, "mode": "async"}, Says("producer.closed-loop")),
    ],
)
def test_the_result_says_whether_the_loop_is_closed(producers, expected):
    assert scenario_of(producers=producers).producers[0].blocking == expected


@pytest.mark.parametrize(
    ("topic", "sentence"),
    [
        ({"check_order": True}, Says("producer.order-without-keys", "...check_order")),
        ({"keys": {"count": 0}}, Says("field.expected", "...keys.count", got=0, low=1, high=1000000)),
        ({"keys": {"count": 9, "skew": "zip 1"}}, Says("message.skew-expected", "...keys.skew")),
        ({"keys": {"count": 9, "skw": "uniform"}}, Says("reading.unknown-meant", "...keys.skw", near="skew")),
        ({"compress_ratio": 2}, Says("field.expected", "...compress_ratio", got=2)),
        (
            {"message_bytes": {"uniform": {"min": "2KiB", "max": "1KiB"}}},
            Says("message.below-min", min="2KiB", got="1KiB"),
        ),
        (
            {"message_bytes": {"lognormal": {"p50": "2KiB", "p99": "1KiB"}}},
            Says("message.p99-out-of-range-of-size", p50="2KiB"),
        ),
        ({"message_bytes": {}}, Says("message.size-expected", "...message_bytes")),
    ],
)
def test_topics(topic, sentence):
    assert sentence in said(topics={"orders": topic})


def test_back_pressure_is_for_releases_that_have_it():
    text = said(client={"release": "4.9.8", "enable_backpressure_for_async_mode": True})
    assert Says("client.not-in-release", release="4.9.8", first="5.0.0") in text


def test_asynchronous_batches_are_for_releases_that_have_them():
    text = said(client={"release": "4.7.1"}, producers={"mode": "async", "batch": 3})
    assert text == Says("producer.no-async-batch", "...producers.batch", release="4.7.1", first="4.8.0")


def test_a_scenario_of_every_way_reads_back_what_it_writes():
    topic = {"keys": {"count": 9, "skew": "zipf 1.1"}, "check_order": True, "compress_ratio": 0.25}
    topic["message_bytes"] = {"lognormal": {"p50": "2KiB", "p99": "64KiB"}}
    scenario = scenario_of(producers={"mode": "async", "selector": "hash"}, topics={"orders": topic})
    assert parse_scenario(scenario.to_yaml()).digest() == scenario.digest()


@pytest.mark.parametrize(
    ("client", "sentence"),
    [
        ({"releas": "5.3.3"}, Says("reading.unknown-meant", "...producers.client.releas", near="release")),
        ({"policy": {"choose": "p2c"}}, Says("client.same-for-all", "...producers.client.policy")),
        ({"release": "5.9.9"}, Says("client.no-such-release", "...producers.client.release", got='"5.9.9"')),
        (
            {"auto_batch": True},
            Says("client.not-in-release", "...producers.client.auto_batch", release="4.9.8"),
        ),
        ({"sendMsgTimeout": "x"}, "producers.client.sendMsgTimeout: expected a duration"),
    ],
)
def test_clients_of_a_group(client, sentence):
    assert sentence in said(producers={"client": client})


def test_releases_that_start_a_new_topic_from_other_ones():
    producers = [{"group": r, "count": 1, "rate": "1/s", "client": {"release": r}} for r in ("4.3.0", "4.9.8")]
    text = Says("producer.unlike-starts")
    assert text in said(producers=producers, topics={"orders": {"auto_create": True}})
