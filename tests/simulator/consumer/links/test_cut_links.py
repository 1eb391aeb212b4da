"""A broker that consumers cannot reach: it dies silently, refuses connections, or the network between is cut."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.run.simulate import simulate
from simulator.scenario import ScenarioError, parse_scenario
from tests.says import Said, Says
from tests.simulator.small import fault, ran_tables, rows, scenario_of

BROKERS = {"a": {"latency": {"constant": "1ms"}}, "b": {"like": "a"}}
GROUP = {"topic": "orders", "count": 2, "threads": 4, "service": "10ms", "release": "5.3.3"}
NO_SLAVE = """
name: the master's network card is off and there is no slave
duration: 8m
client: {release: 4.9.2}
producers: {count: 1, threads: 8, rate: 500/s, rate_changes: {58s: 0/s}}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}, release: 4.9.2}}
consumers:
  billing: {topic: orders, service: {constant: 40ms}, threads: 2, pull_threshold_for_queue: 10, release: 4.9.2}
faults: [{at: 60s, for: 420s, broker: broker-a, kind: KIND}]
"""
DELAYED = """
name: delayed messages under a silent death
seed: 7
duration: 4m
client: {release: 5.3.3}
producers: {group: shop, count: 2, rate: 20/s, rate_changes: {58s: 0/s}, delay: {delay_time: 60s}}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}}}
consumers: {billing: {topic: orders, service: {constant: 1ms}}}
faults: [{at: 62s, for: 120s, broker: broker-a, kind: KIND}]
"""
TABLES = ("consumed", "consumer_windows")


def billing(*faults, duration="240s", release="5.3.3", client=(), **keys):
    """A run of a group of two instances on two brokers with these faults."""
    return ran_tables(
        duration=duration, client={"release": release} | dict(client), producers={"rate": "20/s", "threads": 8},
        brokers=BROKERS, topics={"orders": {"queues": 4}}, consumers={"billing": GROUP | keys | {"release": release}},
        faults=list(faults),
    )  # fmt: skip


def cut(consumer, at="30s", length="60s", **more):
    return fault("partition", at, length, more.pop("broker", "b"), consumer=consumer, **more)


def silence_s(run, instance):
    """From when until when an instance consumed nothing of broker b, at most."""
    begun = np.sort([row["begin_us"] for row in rows(run, "consumed", instance=instance, broker="b")])
    place = int(np.diff(begun).argmax())
    return begun[place] / 1e6, begun[place + 1] / 1e6


@pytest.mark.parametrize("kind", ["silent_death", "kill", "hang", "refuse", "power_loss"])
def test_of_a_broker_that_cannot_be_reached_a_group_consumes_what_it_has_cached(kind):
    run = simulate(parse_scenario(NO_SLAVE.replace("KIND", kind)), tables=TABLES)
    begun = run.column("consumed", "begin_us")
    assert len(begun) == 3_117
    assert begun.max() < 63e6
    assert rows(run, "consumer_windows")[-1]["lag_verdict"] == "STOP"


def test_consumers_that_are_cut_off_consume_what_they_have_cached():
    text = NO_SLAVE.replace("broker: broker-a, kind: KIND", "consumer: billing, kind: partition")
    run = simulate(parse_scenario(text), tables=TABLES)
    assert len(run.column("consumed", "begin_us")) == 3_117


@pytest.mark.parametrize("kind", ["silent_death", "hang", "refuse"])
def test_delayed_messages_of_a_broker_that_cannot_be_reached_come_when_it_is_back(kind):
    begun = simulate(parse_scenario(DELAYED.replace("KIND", kind)), tables=TABLES).column("consumed", "begin_us") / 1e6
    assert len(begun) == 2_368
    assert not ((begun > 62.1) & (begun < 182)).any()


@pytest.mark.parametrize("kind", ["silent_death", "refuse"])
def test_an_orderly_group_cannot_renew_locks_and_goes_on_when_the_broker_is_back(kind):
    run = billing(fault(kind, "30s", "60s"), consume_mode="ORDERLY", count=1)
    from_s, until_s = silence_s(run, "billing-1")
    assert 29 < from_s < 31
    assert 90 <= until_s < 127  # the next heartbeat, or the next renewal of its locks
    assert all(row["out_of_order"] == 0 for row in rows(run, "consumer_windows"))


def test_a_cut_between_one_instance_and_a_broker_stops_only_what_it_holds_there():
    run = billing(cut("billing-2"))
    from_s, until_s = silence_s(run, "billing-2")
    assert (29 < from_s < 31, 90 <= until_s < 100) == (True, True)
    assert max(np.diff(np.sort(run.column("consumed", "begin_us")[run.column("consumed", "broker") == "a"]))) < 2e6


def test_a_broker_that_hears_nothing_of_an_instance_for_two_minutes_gives_its_queues_away():
    run = billing(cut("billing-2", length="200s"), duration="300s")
    taken = [row["from_us"] / 1e6 for row in rows(run, "assignments", instance="billing-1", broker="b")]
    assert [at for at in taken if 149 - 30 < at < 165]  # silent for 120 s since a heartbeat of the 30 s before the cut
    assert {row["members"] for row in rows(run, "rebalances", instance="billing-2", broker="b")} >= {None, 2}


@pytest.mark.parametrize(("release", "most_s"), [("4.9.0", 0.1), ("4.9.8", 31), ("5.3.3", 6.1)])
def test_pulls_go_on_by_release_as_a_cut_ends(release, most_s):
    """4.9.0 keeps the connection; 4.9.8 closes it, and pulls over it wait for 30 s; those of 5.3.3 fail with it."""
    from_s, until_s = silence_s(billing(cut("billing", length="25s"), duration="120s", release=release), "billing-2")
    assert 29 < from_s < 31
    assert 55 <= until_s <= 55 + most_s


def test_offsets_cannot_be_committed_over_a_cut():
    run = billing(cut("billing", length="80s"), duration="100s")
    committed = [row["committed_offset"] for row in rows(run, "stored", broker="b") if row["window_start_us"] > 35e6]
    assert len(set(committed)) <= 4


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"consumer": "biling"}, Says("reading.not-known", "...consumer", what="consumer", name="biling")),
        ({"consumer": "billing", "producers": "default"}, Says("fault.cuts-one-side", "...producers")),
        (
            {"consumer": "billing", "kind": "slow_link", "delay": "1s"},
            Says("fault.link-only", "...consumer", kind="slow_link"),
        ),
        (
            {"consumer": "billing", "kind": "silent_death"},
            Says("fault.other-key", "...consumer", kind="silent_death", affected="broker", target="broker"),
        ),
    ],
)
def test_what_a_cut_names_is_checked(keys, sentence):
    with pytest.raises(ScenarioError) as error:
        scenario_of(consumers={"billing": GROUP}, faults=[cut("billing") | keys])
    assert sentence in Said(error.value)


def test_consumers_are_cut_off_from_every_broker_where_none_is_named():
    one = cut("billing-2", broker=None)
    periods = scenario_of(brokers=BROKERS, consumers={"billing": GROUP}, faults=[one], duration="60s").fault_periods()
    assert [(period.broker, period.title) for period in periods] == [
        (name, f"billing-2 is cut off from {name}") for name in BROKERS
    ]
