"""Recorded transactions: what is read of the messages' keys, measured of both, and predicted."""

import pytest

from streaming.proof.consumers.consumer_recording import load_consumer_recording
from streaming.proof.consumers.group_prediction import predicted_figures
from streaming.proof.consumers.recorded_set_up import scenario_of_group
from streaming.proof.consumers.recorded_transactions import read_key
from streaming.proof.consumers.transaction_figures import (
    MessageSeen,
    TransactionsSeen,
    transaction_figures,
    transactions_in,
)

SCENARIO = "conf/scenarios/live/consumers.yaml"


@pytest.fixture
def recorded(root):
    def load(name):
        return load_consumer_recording(root / "conf/traces/consumers" / name)

    return load


def figures(seen):
    return {one.name: one.value for one in transaction_figures(seen)}


def test_a_key_says_outcome_number_and_local_time():
    assert read_key("later-46-200") == ("later", 46, 200)
    with pytest.raises(ValueError, match="expected one of commit, rollback, later, never, got latr"):
        read_key("latr-46-200")


def test_the_recording_says_outcomes_local_times_and_who_only_answers(recorded, root):
    found, _ = scenario_of_group(recorded("tx-kill-r1"), "gC498", root / SCENARIO, {})
    own = found.producers[0]
    assert own.transaction.outcome == {"commit": 20, "rollback": 20, "unknown": 20, "never": 20}
    assert (own.count, own.transaction.idle, found.client.release) == (2, 1, "4.9.8")
    assert sorted(set(own.transaction.local.service_table_us())) == [0, 200_000]
    assert {(one.broker, one.kind) for one in found.fault_periods()} == {("broker-a", "kill"), ("", "scale_out")}


def test_a_killed_producer_stays_away(recorded, root):
    found, _ = scenario_of_group(recorded("tx-ab-r1"), "gB533", root / SCENARIO, {})
    (killed,) = [one for one in found.fault_periods() if one.kind == "kill"]
    assert killed.details["producer"] == "producers-1"
    assert killed.until_us == found.duration_us


def test_of_a_hang_are_reported_what_came_twice_and_what_came_though_its_send_failed(recorded):
    found = figures(transactions_in(recorded("tx-stop-r1"), "gC533"))
    assert found["delivered twice"] == 4
    assert found["delivered though the send failed"] == 2
    assert found["rolled back and checked"] == 1
    assert (found["checks that tp1-C533 was asked"], found["checks that tp2-C533 was asked"]) == (80, 87)
    assert found["readable after the local end, p50"] == 0.016


def test_what_was_committed_and_never_read_is_counted():
    lost = MessageSeen(0, True, 10, is_committed=True)
    failed = MessageSeen(0, False, None, is_committed=True)
    found = figures(TransactionsSeen([lost, failed], {"tp1": 3}))
    assert found["committed and never delivered"] == 1
    assert found["checks"] == 3


@pytest.mark.parametrize("group", ["gC533", "gC498"])
def test_a_hang_delivers_twice_and_delivers_what_failed(recorded, root, group):
    found = {
        one.typical.figure: one for one in predicted_figures(recorded("tx-stop-r1"), group, root / SCENARIO, {}, 20)
    }
    twice = found["delivered twice"]
    assert 1 < twice.typical.predicted < 4
    assert not twice.is_missed
    assert found["delivered though the send failed"].greatest >= 2
    assert not any(one.is_missed for name, one in found.items() if name.startswith(("checks", "readable")))


def test_all_checks_after_a_kill_go_to_the_other_producer(recorded, root):
    found = predicted_figures(recorded("tx-ab-r1"), "gB533", root / SCENARIO, {}, 10)
    by_name = {one.typical.figure: one.typical.predicted for one in found}
    assert by_name["checks that tp1-B533 was asked"] < 4
    assert by_name["checks that tp2-B533 was asked"] > 60
