"""Each scenario of conf/scenarios that is about a kind of fault shows the effect that its comment promises."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from simulator.compiled.records import size_of
from simulator.compiled.region_store import columns
from simulator.engine.memory.broker_state import Broker
from simulator.run.simulate import Result, simulate
from simulator.scenario import load_scenario, parse_scenario
from simulator.scenario.faults.fault_kinds import KINDS
from tests.simulator.flush_thread import flushed_by

FOLDER = Path(__file__).parents[3] / "conf" / "scenarios"
STALE_S = 30  # a producer's next poll


@cache
def ran(name: str) -> Result:
    return simulate(FOLDER / f"{name}.yaml", tables=("attempts", "sends", "windows"))


def begins_s(name, broker, outcome=None):
    """Sorted begins of the attempts on a broker, in seconds."""
    run = ran(name)
    chosen = run.column("attempts", "broker") == f"broker-{broker}"
    if outcome is not None:
        chosen &= run.column("attempts", "outcome") == outcome
    return np.sort(run.column("attempts", "begin_us")[chosen]) / 1e6


def share(name, broker, from_s, until_s):
    """Part of the attempts between two moments that went to a broker."""
    begin = ran(name).column("attempts", "begin_us")
    own = ran(name).column("attempts", "broker") == f"broker-{broker}"
    during = (begin >= from_s * 1e6) & (begin < until_s * 1e6)
    return (own & during).sum() / during.sum()


def results(name):
    return Counter(ran(name).column("sends", "result"))


def test_every_kind_has_a_scenario_that_can_be_run():
    shown = {fault.kind for path in FOLDER.glob("*.yaml") for fault in load_scenario(path).faults}
    assert shown == set(KINDS)


@pytest.mark.parametrize("name", ["killed", "master-lost"])
def test_a_closed_connection_is_heard_of_at_the_next_poll(name):
    refused = begins_s(name, "b", "RemotingConnectException")
    assert 30 <= refused[0] < 31
    assert 45 < refused[-1] < 30 + STALE_S
    assert 0.3 < share(name, "b", 155, 240) < 0.37  # back at the poll after its return
    assert set(results(name)) == {"SEND_OK"}


def test_a_silent_death_is_heard_of_after_two_minutes_and_a_scan_and_a_poll():
    begins = begins_s("silent-death", "b")
    assert 120 < begins[-1] < 30 + 120 + 10 + STALE_S
    assert results("silent-death")["RemotingTooMuchRequestException"] > 300


def test_without_name_servers_nobody_hears_of_a_death_until_one_is_back():
    assert begins_s("name-servers-down", "b", "RemotingConnectException")[-1] > 150
    assert begins_s("name-servers-down", "b")[-1] < 150 + STALE_S + STALE_S


def test_a_graceful_restart_loses_nothing():
    assert set(results("graceful-restart")) == {"SEND_OK"}
    assert len(begins_s("graceful-restart", "b", "RemotingConnectException")) > 20


@pytest.mark.parametrize("name", ["scale-in", "wiped-permission", "scale-out", "more-queues", "read-only-topic"])
def test_a_change_through_the_name_server_alone_fails_no_attempt(name):
    assert set(ran(name).column("attempts", "outcome")) == {"SEND_OK"}


def test_load_follows_the_route_within_a_poll():
    assert share("scale-in", "c", 90.1, 240) == 0
    assert share("wiped-permission", "b", 90.1, 150) == 0
    assert share("scale-out", "d", 0, 60) == 0
    assert share("scale-out", "d", 91, 180) == pytest.approx(1 / 4, abs=0.02)
    assert share("more-queues", "b", 91, 180) == pytest.approx(16 / 24, abs=0.02)
    assert share("read-only-topic", "b", 91, 150) == pytest.approx(1 / 6, abs=0.02)


def test_a_topic_created_by_few_first_sends_lives_on_few_brokers():
    used = set(ran("auto-created-topic").column("attempts", "broker"))
    assert len(used) == 1
    assert len(load_scenario(FOLDER / "auto-created-topic.yaml").brokers) == 6


def test_a_partition_concerns_its_group_alone():
    run = ran("partition")
    failed = run.column("attempts", "producer")[run.column("attempts", "outcome") != "SEND_OK"]
    assert len(failed) > 0
    assert failed.max() < 10


def test_a_refused_code_fails_messages_of_4_9_8():
    assert results("busy-answers")["MQBrokerException"] > 300


@pytest.mark.parametrize("name", ["status-answers", "slave-lost"])
def test_a_message_that_is_stored_but_not_ok_is_stored_twice(name):
    copies = ran(name).column("sends", "copies_stored")
    assert set(copies) == {1, 2}


@pytest.mark.parametrize(("name", "least"), [("pauses", 0.2), ("slower-and-slower", 0.2), ("packet-loss", 0.29)])
def test_what_is_only_slow_is_avoided_for_a_part_of_the_time(name, least):
    assert least < share(name, "b", 30, 180) < 0.333
    assert results(name)["SEND_OK"] > 0.99 * results(name).total()


@pytest.mark.parametrize("name", ["power-loss", "disk-loss"])
def test_a_machine_that_is_gone_costs_nearly_each_producer_a_time_out(name):
    ended = results(name)["RemotingTooMuchRequestException"], len(begins_s(name, "b", "RemotingSendRequestException"))
    assert 16 <= ended[0] <= 40
    assert 1 <= ended[1] <= 10  # a heartbeat closed the connection before


def test_a_stalled_disk_lets_all_puts_wait():
    latency = ran("disk-stall").column("sends", "latency_us")
    assert latency.max() > 1_000_000


def test_a_lagging_slave_costs_the_messages_the_time_out():
    assert sum(n for result, n in results("slave-lags").items() if result != "SEND_OK") > 10


def test_in_a_rolling_update_the_last_one_carries_the_load():
    assert share("rolling-update", "a", 60, 90) < 0.01
    assert share("rolling-update", "c", 120, 150) > 0.95


def test_refused_connections_change_no_route():
    assert ran("refused").plan.cells[0].known_routes.size == 0
    assert len(begins_s("refused", "b", "RemotingConnectException")) == 20  # each producer once


def test_a_created_topic_follows_the_brokers_that_hold_it():
    name = "created-topic-follows"
    assert share(name, "b", 31, 60) == pytest.approx(1 / 4, abs=0.03)
    assert share(name, "b", 90.1, 180) == share(name, "e", 0, 180) == 0
    assert share(name, "c", 91, 180) == pytest.approx(1 / 3, abs=0.03)
    assert set(results(name)) == {"SEND_OK"}


def test_a_message_under_way_is_not_rescued_by_a_broker_that_its_route_does_not_name():
    poll_us = 30_010_000
    sends = ran("rescue-broker").tables["sends"].to_pandas()
    under_way = sends[(sends.begin_us < poll_us) & (sends.end_us > poll_us)]
    after = sends[(sends.begin_us > poll_us) & (sends.begin_us < 50e6)]
    assert (len(under_way), set(under_way.result)) == (80, {"MQClientException"})
    assert set(after.result) == {"SEND_OK"}
    assert len(after) > 500


def test_queues_that_are_gone_fail_messages_until_each_producers_next_poll():
    sends = ran("fewer-queues").tables["sends"].to_pandas()
    failed = sends[sends.result == "MQBrokerException"]
    assert set(failed.response_code) == {29}
    assert failed.begin_us.between(60e6, (60 + STALE_S) * 1e6).all()
    # Producers poll 15 s later on average, and two of twelve queues are gone.
    assert len(failed) == pytest.approx(20 * 2 * 15 / 6, rel=0.3)


def test_a_time_out_frees_the_other_threads_of_a_producer_since_4_9_1():
    """In 40 s of hang each of 10 producers has a time-out every 3 s; up to 4.9.0 each of 16 threads has its own."""
    text = (FOLDER / "shared-connection.yaml").read_text()
    failed = {}
    for release in ("4.9.0", "4.9.8"):
        run = simulate(parse_scenario(text.replace("release: 4.9.8", f"release: {release}")), tables=("sends",))
        failed[release] = (run.column("sends", "result") == "RemotingTooMuchRequestException").sum()
    assert failed["4.9.8"] == pytest.approx(10 * 40 / 3, rel=0.25)
    assert failed["4.9.0"] > 5 * failed["4.9.8"]


def test_a_power_loss_takes_what_the_flush_thread_has_not_reached_and_no_other_message():
    sends = ran("power-loss").tables["sends"].to_pandas()
    on_b = sends[(sends.broker == "broker-b") & (sends.end_us < 60e6)].sort_values("begin_us")
    assert on_b.acknowledged.all()
    brokers = ran("power-loss").plan.cells[0].cluster["brokers"].reshape(-1, size_of(Broker))
    phase_us = int(brokers[1, columns(Broker)["scan_phase_us"]])
    flushed = flushed_by(list(on_b.begin_us), 1024, 60_000_000, phase_us, timed=True, flush_us=1_000)
    assert list(on_b.lost) == [False] * flushed + [True] * (len(on_b) - flushed)
    assert sends[sends.acknowledged & sends.lost].broker.eq("broker-b").sum() == len(on_b) - flushed == 13
