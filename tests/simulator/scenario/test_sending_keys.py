"""Ways of sending and messages that do not fit together are refused with a sentence that says what is wrong."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError, parse_scenario
from tests.simulator.small import fault, scenario_of

BATCHING = {"release": "5.3.3", "auto_batch": True}
ORDERED = {"queues": 2, "keys": {"count": 3}, "check_order": True}


def said(**changes):
    with pytest.raises(ScenarioError) as error:
        scenario_of(**changes)
    return str(error.value)


@pytest.mark.parametrize(
    ("producers", "sentence"),
    [
        ({"mode": "oneway", "batch": 3}, "batch: the client sends no batch one-way; expected mode sync or async"),
        ({"selector": "hash"}, "the messages of topic orders have none; give the topic keys"),
        ({"batch": 2, "selector": "random"}, "a batch has no selector in the client; expected none, got random"),
        (
            {"selector": "hsh"},
            "selector: expected one of none, hash, random, machine_room, or {function: my_sel",
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
            "release 4.9.8 does not have it; the first that has it is 5.1.4",
        ),
        ({"client": BATCHING | {"batch_max_delay": "31s"}}, "client.batch_max_delay: expected"),
        ({"client": BATCHING | {"enable_backpressure_for_async_mode": True}}, "are not modelled with back-pressure"),
        ({"client": BATCHING, "topics": {"orders": ORDERED}}, "check_order: the order is not followed through"),
        ({"client": BATCHING, "faults": [fault("power_loss", "1s", "1s")]}, "what a power loss takes"),
    ],
)
def test_batches_that_the_client_makes(changes, sentence):
    assert sentence in said(**changes)


LOOP = {"arrivals": "closed", "rate": None}


@pytest.mark.parametrize(
    ("producers", "sentence"),
    [
        ({"arrivals": "closed", "think": "5ms"}, "rate: a closed loop has no rate, it sends as fast as answers come"),
        (LOOP, "think: missing; expected what a closed loop waits for between two sends, such as 5ms"),
        ({"rate": None}, "rate: missing; expected a rate such as 100/s, or arrivals: closed with a think time"),
        ({"think": "5ms"}, "think: only a closed loop thinks; expected arrivals closed and no rate, got arrivals ste"),
        (LOOP | {"think": {"exponental": {}}}, "think.exponental: unknown key; did you mean exponential?"),
        (LOOP | {"think": "0ms", "mode": "oneway"}, "think: with mode oneway a send returns at once; expected a think"),
        (LOOP | {"think": {"uniform": {"min": "0ms", "max": "0ms"}}, "mode": "async"}, "think: with mode async a send"),
        (
            LOOP | {"think": {}},
            "think: expected exactly one of constant, uniform, exponential, lognormal, table, got no",
        ),
        (LOOP | {"think": "1ms", "when_blocked": "skip"}, "when_blocked: in a closed loop no message arrives while"),
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
        ({}, "open arrivals, hand-off queue 10,000"),
        ({"when_blocked": "skip"}, "open arrivals, skipped while the thread is blocked"),
        (LOOP | {"think": "5ms"}, "closed loop: each thread waits for the end of its send, thinks (5ms), sends again"),
        (LOOP | {"think": {"uniform": {"min": "1ms", "max": "5ms"}}, "mode": "async"}, "(uniform min 1ms max 5ms)"),
    ],
)
def test_the_result_says_whether_the_loop_is_closed(producers, expected):
    assert expected in scenario_of(producers=producers).producers[0].blocking


@pytest.mark.parametrize(
    ("topic", "sentence"),
    [
        ({"check_order": True}, "check_order: the order is that of messages with one key; expected keys as well"),
        ({"keys": {"count": 0}}, "keys.count: expected a whole number from 1 to 1000000, got 0"),
        ({"keys": {"count": 9, "skew": "zip 1"}}, 'keys.skew: expected uniform or a skew such as "zipf 1.1"'),
        ({"keys": {"count": 9, "skw": "uniform"}}, "keys.skw: unknown key; did you mean skew?"),
        ({"compress_ratio": 2}, "compress_ratio: expected a ratio above 0 and at most 1, got 2"),
        ({"message_bytes": {"uniform": {"min": "2KiB", "max": "1KiB"}}}, "expected at least min, 2KiB, got 1KiB"),
        ({"message_bytes": {"lognormal": {"p50": "2KiB", "p99": "1KiB"}}}, "expected above p50, 2KiB"),
        ({"message_bytes": {}}, "message_bytes: expected a size such as 1KiB, or exactly one of constant, uniform"),
    ],
)
def test_topics(topic, sentence):
    assert sentence in said(topics={"orders": topic})


def test_back_pressure_is_for_releases_that_have_it():
    text = said(client={"release": "4.9.8", "enable_backpressure_for_async_mode": True})
    assert "release 4.9.8 does not have it; the first that has it is 5.0.0" in text


def test_asynchronous_batches_are_for_releases_that_have_them():
    text = said(client={"release": "4.7.1"}, producers={"mode": "async", "batch": 3})
    assert text.endswith("producers.batch: release 4.7.1 sends no batch with a callback; the first that does is 4.8.0")


def test_a_scenario_of_every_way_reads_back_what_it_writes():
    topic = {"keys": {"count": 9, "skew": "zipf 1.1"}, "check_order": True, "compress_ratio": 0.25}
    topic["message_bytes"] = {"lognormal": {"p50": "2KiB", "p99": "64KiB"}}
    scenario = scenario_of(producers={"mode": "async", "selector": "hash"}, topics={"orders": topic})
    assert parse_scenario(scenario.to_yaml()).digest() == scenario.digest()


@pytest.mark.parametrize(
    ("client", "sentence"),
    [
        ({"releas": "5.3.3"}, "producers.client.releas: unknown key; did you mean release?"),
        ({"policy": {"choose": "p2c"}}, "producers.client.policy: it is the same for all producers; set it in client"),
        ({"release": "5.9.9"}, 'producers.client.release: no release "5.9.9"; known: 4.2.0 to'),
        (
            {"auto_batch": True},
            "producers.client.auto_batch: release 4.9.8 does not have it; the first that",
        ),
        ({"sendMsgTimeout": "x"}, "producers.client.sendMsgTimeout: expected a duration"),
    ],
)
def test_clients_of_a_group(client, sentence):
    assert sentence in said(producers={"client": client})


def test_releases_that_start_a_new_topic_from_other_ones():
    producers = [{"group": r, "count": 1, "rate": "1/s", "client": {"release": r}} for r in ("4.3.0", "4.9.8")]
    text = "start a new topic from different ones: AUTO_CREATE_TOPIC_KEY, TBW102"
    assert text in said(producers=producers, topics={"orders": {"auto_create": True}})
