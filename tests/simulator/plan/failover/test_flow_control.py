"""haFlowControlEnable: how much a master sends to each slave a second, maxHaTransferByteInSecond."""

from __future__ import annotations

import pytest

from simulator import simulate
from simulator.plan.failover.failover_effects import set_histories
from simulator.plan.failover.replica_states import replica_states
from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.plan.failover.test_slow_copying import (
    KILL,
    SLOW,
    S,
    history_of,
    left_and_back,
    lost_of,
    scenario_of,
)

LAG = {"at": "20s", "for": "20s", "broker": "a", "kind": "slave_lag", "replica": 2}


def limited(rate):
    return {"ha_flow_control_enable": True, "max_ha_transfer_byte_in_second": rate}


def test_by_default_there_is_none_and_with_the_key_alone_100_mib_a_second():
    assert scenario_of().brokers["a"].copied_bytes_per_s == 0
    assert scenario_of(ha_flow_control_enable=True).brokers["a"].copied_bytes_per_s == 100 * 1024 * 1024


def test_its_own_spelling_is_read_in_bytes():
    own = scenario_of(haFlowControlEnable="true", maxHaTransferByteInSecond=1048576)
    assert own.brokers["a"].copied_bytes_per_s == 1024 * 1024


def test_a_limit_above_what_is_stored_changes_no_row():
    tables = [simulate(scenario_of(KILL, **own), tables=("attempts",)).tables for own in ({}, limited("100MiB"))]
    assert tables[0]["attempts"].equals(tables[1]["attempts"])


def test_slaves_that_are_sent_less_than_is_stored_leave_the_sync_set_and_lose_the_rest():
    history = history_of(**limited("20KiB"))
    assert history.sync[-1][1] == {1}
    assert 15 <= history.sync[-1][0] / S < 20
    count, _ = lost_of(KILL | {"at": "10s"}, replicas=2, **limited("20KiB"))
    assert 280 <= count <= 310  # it has 200 KiB of 500


def test_what_a_slave_lacks_as_its_lag_ends_takes_its_time():
    """It lacks 1,000 KiB at 40 s, and gains 50 KiB a second."""
    left_s, back_s = left_and_back(history_of(LAG, **limited("100KiB")), 2)
    assert 35 <= left_s < 40
    assert 60 <= back_s < 66
    assert left_and_back(history_of(LAG), 2)[1] < 46


def test_the_table_says_up_to_when_it_has_copied_meanwhile():
    scenario = scenario_of(LAG, **limited("100KiB"))
    rows = {
        row.at_us // S: row.lacks_since_us
        for row in replica_states(scenario, set_histories(scenario))
        if row.machine == 2
    }
    assert rows[20] == 20 * S
    assert rows[50] == pytest.approx(40 * S, abs=2)


def test_a_machine_that_is_back_joins_once_it_has_what_was_stored_meanwhile():
    """60 s at 50 KiB a second and those until it copies: above 3,000 KiB, of which it gains 100 a second."""
    joined = {rate: history_of(KILL, duration="200s", **limited(rate)).sync[-1][0] / S for rate in ("100MiB", "150KiB")}
    assert 95 <= joined["100MiB"] < 96
    assert 126 <= joined["150KiB"] < 130


@pytest.mark.parametrize("all_ack", [False, True])
@pytest.mark.parametrize(("kind", "joins_s"), [("slave_lost", 80.8), ("slave_lag", 76.7)])
def test_a_slave_that_is_in_the_sync_set_again_has_all_and_loses_nothing_as_it_is_elected(kind, joins_s, all_ack):
    """It lacks 1,500 KiB at 50 s, 5.4 s more if it starts first, and gains 70 KiB a second; the kill is at 90 s."""
    away, killed = {"at": "20s", "for": "30s", "broker": "a", "kind": kind}, KILL | {"at": "90s"}
    keys = {"replicas": 2, "all_ack_in_sync_state_set": all_ack, "threads": 300, **limited("120KiB")}
    assert left_and_back(history_of(away, killed, **keys), 2)[1] == pytest.approx(joins_s, abs=0.5)
    run = simulate(scenario_of(away, killed, **keys), tables=("sends",))
    assert run.column("sends", "lost").sum() <= 2
    begin_s, end_s = (run.column("sends", name) / S for name in ("begin_us", "end_us"))
    assert max((end_s - begin_s)[(begin_s > joins_s + 1) & (begin_s < 89)]) < 0.1


def test_the_slower_of_a_lag_and_the_limit_counts():
    slow = history_of({**SLOW, "replica": 2}, **limited("1MiB"))
    assert left_and_back(slow, 2)[0] < 40
    assert lost_of(SLOW, KILL, replicas=2, **limited("1MiB"))[0] == lost_of(SLOW, KILL, replicas=2)[0]


def test_sends_wait_for_what_a_slave_lacks_as_its_lag_ends():
    """With acknowledgement of all, a second after the end of 10 s of lag: 450 KiB are left at 100 KiB a second."""
    keys = {"mode": "master_slave", "replicas": 1, "slaves": 1, "role": "sync_master", "in_sync_replicas": 2}
    lag = {"at": "20s", "for": "2s", "broker": "a", "kind": "slave_lag"}
    took = {}
    for rate in ("100MiB", "100KiB"):
        scenario = scenario_of(lag, threads=300, slave_timeout="10s", **keys, **limited(rate))
        rows = simulate(scenario, tables=("attempts",)).tables["attempts"].to_pylist()
        took[rate] = max((row["end_us"] - row["begin_us"]) / S for row in rows if 22 < row["begin_us"] / S < 23)
    assert took["100MiB"] < 0.1
    assert took["100KiB"] > 0.5


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"mode": "dledger"}, Says("broker.flow-of-dledger", "...brokers.a.ha_flow_control_enable")),
        (
            {"mode": "master_slave", "replicas": 1, "slaves": 1, "release": "4.9.8"},
            Says("broker.not-before-5", release="4.9.8"),
        ),
        ({"max_ha_transfer_byte_in_second": "0B"}, Says("field.expected")),
    ],
)
def test_what_cannot_be_limited_is_refused(changes, says):
    with raises(ScenarioError, says):
        scenario_of(**{"ha_flow_control_enable": True} | changes)
