"""Half messages: when they become readable, who is asked about them and how often, what broken brokers do to them."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.small import fault, ran_tables, rows, scenario_of

READER = {"billing": {"topic": "orders", "threads": 20, "service": "1ms", "release": "5.3.3"}}


def sending(outcome="commit", release="5.3.3", rate="2/s", **changes):
    more = changes.pop("transaction", {})
    producers = {
        "count": changes.pop("count", 1), "threads": changes.pop("threads", 8), "rate": rate,
        "rate_changes": changes.pop("changes", {}), "transaction": {"local": "10ms", "outcome": outcome, **more},
    }  # fmt: skip
    brokers = {"a": {"latency": {"constant": "1ms"}, "release": release}}
    return ran_tables(**{"producers": producers, "brokers": brokers, "consumers": READER} | changes)


def test_a_commit_makes_a_message_readable_right_after_its_local_transaction():
    run = sending(duration="30s")
    ends, settled = run.column("transactions", "local_end_us"), run.column("transactions", "settled_us")
    assert len(settled) > 50
    assert np.nanmax(settled - ends) < 3_000
    assert not any(row["checks"] for row in rows(run, "transactions"))


def test_a_rollback_is_never_readable():
    run = sending("rollback", duration="30s")
    assert {row["fate"] for row in rows(run, "transactions")} <= {"rolled back", "open"}
    assert run.tables["consumed"].num_rows == 0


def test_the_thread_is_at_the_local_transaction():
    run = sending(rate="200/s", duration="5s", transaction={"local": "1s"})
    assert (run.column("sends", "begin_us") < 5e6).sum() <= 8 * 6


@pytest.mark.parametrize(("release", "interval_s"), [("4.9.7", 60), ("5.0.0", 60), ("5.1.0", 61), ("5.3.3", 31)])
def test_what_came_to_unknown_is_checked_in_rounds_from_6_s_on(release, interval_s):
    run = sending("unknown", release, rate="1/s", duration="200s")
    checks = [row["window_start_us"] / 1e6 for row in rows(run, "transaction_windows") if row["checks"]]
    assert set(np.diff(checks)) == {interval_s}
    waited = (run.column("transactions", "settled_us") - run.column("transactions", "stored_us"))[:100] / 1e6
    assert np.nanmin(waited) >= 6
    assert np.nanmax(waited) <= interval_s + 6.1


def test_a_round_that_reads_no_op_message_asks_at_once():
    """Before the first nothing is ended, and nothing after the third."""
    run = sending({"unknown": 1, "never": 1}, rate="1/s", changes={"40s": "0/s"}, duration="250s")
    checks = [row["window_start_us"] / 1e6 for row in rows(run, "transaction_windows") if row["checks"]]
    assert np.diff(checks).tolist() == [30, 31, 31, 30, 30, 30, 30, 30]


def test_messages_that_become_old_enough_while_a_round_sleeps_are_asked_about():
    run = sending("unknown", rate="20/s", duration="100s")
    waited = (run.column("transactions", "settled_us") - run.column("transactions", "stored_us"))[:1500] / 1e6
    assert 6 <= np.nanmin(waited) < 6.1


def _asked_at(run):
    """Seconds in which the broker asked."""
    return [row["window_start_us"] // 1_000_000 for row in rows(run, "transaction_windows") if row["checks"]]


def test_a_process_that_goes_while_a_round_sleeps_asks_nobody():
    """Rounds that sleep begin a second before they ask."""
    at_s = _asked_at(sending("unknown", rate="5/s", duration="60s"))[0]
    killed = [fault("kill", f"{at_s - 0.5}s", "20s", "a")]
    asked = _asked_at(sending("unknown", rate="5/s", duration="60s", faults=killed))
    assert not asked or min(asked) > at_s + 20


def test_a_round_that_is_due_in_a_hang_comes_as_the_broker_goes_on():
    """Nothing is ended here, so each round asks as it begins."""
    first_s, *_ = _asked_at(sending("never", rate="1/s", duration="60s"))
    hang = [fault("hang", f"{first_s + 25}s", "20s", "a")]
    asked = _asked_at(sending("never", rate="1/s", duration="150s", faults=hang))
    assert np.diff(asked)[:3].tolist() == [45, 30, 30]


def test_a_round_that_sleeps_as_its_broker_hangs_asks_as_that_goes_on():
    first_s, *_ = _asked_at(sending("unknown", rate="5/s", duration="60s"))
    hang = [fault("hang", f"{first_s - 0.5}s", "20s", "a")]
    asked = _asked_at(sending("unknown", rate="5/s", duration="100s", faults=hang))
    assert asked[0] == pytest.approx(first_s + 19.5, abs=1)
    assert asked[1] - asked[0] >= 30


@pytest.mark.parametrize(("release", "most"), [("4.3.0", 5), ("4.3.1", 15), ("5.3.3", 15)])
def test_what_stays_unknown_is_given_up_after_all_its_checks(release, most):
    run = sending("unknown", release, rate="0.1/s", duration="1100s", transaction={"check": "unknown"})
    given_up = rows(run, "transactions", fate="given up")
    assert given_up
    assert {row["checks"] for row in given_up} == {most}
    assert run.tables["consumed"].num_rows == 0


def test_what_comes_to_never_is_unknown_to_every_check():
    run = sending({"unknown": 1, "never": 1}, rate="1/s", duration="200s")
    by_fate = {fate: rows(run, "transactions", fate=fate) for fate in ("committed", "open")}
    assert {row["checks"] for row in by_fate["committed"]} == {1}
    assert max(row["checks"] for row in by_fate["open"]) == 7
    assert 70 < len(by_fate["committed"]) < 130


def test_an_idle_producer_sends_nothing_and_is_asked_about_what_others_sent():
    run = sending("unknown", count=2, rate="1/s", duration="100s", transaction={"idle": 1})
    assert set(run.column("sends", "producer")) == {0}
    asked = dict.fromkeys((0, 1), 0)
    for row in rows(run, "check_backs"):
        asked[row["producer"]] += row["checks"]
    assert asked[0] + asked[1] == sum(row["checks"] for row in rows(run, "transaction_windows"))
    assert abs(asked[0] - asked[1]) <= 2


def test_rounds_of_immunity_use_up_checks():
    run = sending(
        "unknown", rate="0.1/s", duration="700s", transaction={"check": "unknown", "check_immunity_time": "90s"}
    )
    asked = sum(row["checks"] for row in rows(run, "transaction_windows"))
    given_up = [row["checks"] for row in rows(run, "transactions", fate="given up")]
    assert set(given_up) == {15}
    assert asked < 13 * run.tables["transactions"].num_rows


def test_an_end_request_into_a_dead_broker_is_lost_and_a_check_ends_the_message():
    killed = [fault("kill", "20s", "10s", "a")]
    run = sending(rate="20/s", duration="120s", transaction={"local": "500ms"}, faults=killed)
    late = rows(run, "transactions", by_check=True)
    assert 5 <= len(late) <= 15
    assert {row["fate"] for row in late} == {"committed"}
    assert min(row["settled_us"] for row in late) >= 60e6


def test_an_end_request_to_a_broker_that_hangs_is_read_when_it_goes_on():
    hang = [fault("hang", "20s", "5s", "a")]
    run = sending(rate="20/s", duration="40s", transaction={"local": "500ms"}, faults=hang)
    settled = run.column("transactions", "settled_us")
    assert not ((settled > 20e6) & (settled < 25e6)).any()
    assert not any(row["by_check"] for row in rows(run, "transactions") if row["local_end_us"])


def test_a_send_that_failed_in_a_hang_is_delivered_by_its_check():
    hang = [fault("hang", "20s", "15s", "a")]
    run = sending(rate="4/s", duration="90s", faults=hang)
    failed = {(row["thread"], row["send_seq"]) for row in rows(run, "sends") if row["result"] != "SEND_OK"}
    orphans = [row for row in rows(run, "transactions", fate="committed") if row["local_end_us"] is None]
    assert failed
    assert failed <= {(row["sender"], row["send_seq"]) for row in orphans}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"mode": "async"}, Says("producer.transaction-mode")),
        ({"transaction": {"local": "1ms", "check": "never"}}, Says("field.expected")),
        ({"transaction": {"local": "1ms", "idle": 1}}, Says("producer.too-many-idle", count=1, got=1)),
        ({"batch": 4}, Says("producer.transaction-batch")),
        ({"transaction": {"local": "1ms", "outcome": "comit"}}, Says("field.expected")),
        ({"transaction": {"local": "1ms"}, "delay": {"level": 1}}, Says("producer.transaction-delay")),
    ],
)
def test_what_cannot_be_sent_in_a_transaction_is_refused(changes, says):
    producers = {"transaction": {"local": "1ms"}} | changes
    with raises(ScenarioError, says):
        scenario_of(producers=producers, consumers=READER)


def test_brokers_before_4_3_0_end_no_transactions():
    brokers = {"a": {"latency": {"constant": "1ms"}, "release": "4.2.0"}}
    with raises(ScenarioError, Says("producer.no-transactions")):
        scenario_of(producers={"transaction": {"local": "1ms"}}, brokers=brokers, consumers=READER)


def struck(kind, at="40s", length="100s", **changes):
    faults = [{"at": at, "for": length, "producer": "producers-1", "kind": kind}]
    return sending("unknown", count=3, rate="4/s", duration="200s", faults=faults, **changes)


def killed(at, length):
    return fault("kill", at, length, None, producer="producers-1")


def test_a_killed_producer_sends_nothing_and_others_of_its_group_answer_its_checks():
    run = struck("kill")
    own = [row for row in rows(run, "sends", producer=0) if 40e6 <= row["arrival_us"] < 140e6]
    assert not own
    ended = [row for row in rows(run, "transactions") if row["stored_us"] < 150e6]
    assert {row["fate"] for row in ended} == {"committed"}
    assert max(row["checks"] for row in ended) == 1


@pytest.mark.parametrize(("kind", "waited"), [("kill", False), ("hang", True)])
def test_threads_of_a_producer_that_is_away_or_frozen_take_no_message(kind, waited):
    """Ten messages a second wait for eight threads that are at each for a second; what waits is lost with a process."""
    struck = [fault(kind, "20s", "10s", None, producer="producers-1")]
    run = sending(rate="10/s", duration="60s", transaction={"local": "1s"}, faults=struck)
    sent = [(row["arrival_us"], row["begin_us"]) for row in rows(run, "sends")]
    assert not [begin_us for _, begin_us in sent if 20e6 < begin_us < 30e6]
    assert any(arrival_us < 20e6 and begin_us >= 30e6 for arrival_us, begin_us in sent) == waited
    assert any(arrival_us >= 30e6 for arrival_us, _ in sent)


def test_threads_of_a_killed_producer_are_free_when_it_is_back():
    faults = [killed("20s", "5s"), fault("kill", "22s", "60s", None, producer="producers-2")]
    more = {"local": "30s"}
    run = sending(count=2, threads=1, rate="2/s", duration="60s", transaction=more, faults=faults)
    sends = [row for row in rows(run, "sends", producer=0) if row["begin_us"] > 20e6]
    assert sends[0]["begin_us"] == sends[0]["arrival_us"] < 27e6
    assert min(row["begin_us"] for row in sends[1:]) > 55e6


def test_no_thread_runs_the_local_transaction_of_a_message_whose_answer_comes_while_its_producer_is_away():
    hung = fault("hang", "19s", "2s", "a")
    at, faults = {"1s": "0/s", "19s": "1/s"}, [hung, killed("20s", "5s")]
    run = sending(threads=1, rate="1/s", changes=at, duration="60s", transaction={"local": "9s"}, faults=faults)
    first, second = rows(run, "sends")[1:3]
    assert first["begin_us"] < 20e6 < first["end_us"] < 25e6
    assert second["begin_us"] == second["arrival_us"] < 27e6


def test_a_local_transaction_that_the_end_of_its_producer_cuts_short_ends_with_it():
    run = struck("kill", length="100s", transaction={"local": "30s"})
    begun = [row for row in rows(run, "transactions") if row["local_end_us"] == 40e6]
    assert begun
    assert {row["fate"] for row in begun} == {"committed"}
    assert min(row["settled_us"] for row in begun) > 40e6


def test_a_local_transaction_that_a_check_settled_ends_with_its_producer_too():
    more = {"local": "60s", "check_while_running": "commit"}
    run = sending(rate="1/s", duration="90s", transaction=more, faults=[killed("55s", "20s")])
    begun = [row for row in rows(run, "transactions") if row["stored_us"] < 55e6]
    assert min(row["settled_us"] for row in begun) < 10e6
    assert {row["local_end_us"] for row in begun} == {55e6}


def test_a_frozen_local_transaction_ends_as_its_process_is_killed():
    frozen = fault("hang", "12s", "30s", None, producer="producers-1")
    run = sending(rate="1/s", duration="60s", transaction={"local": "5s"}, faults=[frozen, killed("20s", "30s")])
    ends = [row["local_end_us"] for row in rows(run, "transactions") if 8e6 < row["stored_us"] < 12e6]
    assert set(ends) == {20e6}


def test_a_frozen_producer_swallows_its_share_of_the_checks_until_its_channel_expires():
    run = struck("hang", length="155s")
    again = [row["checks"] for row in rows(run, "transactions") if 40e6 < row["stored_us"] < 100e6]
    assert 0.2 < np.mean(np.array(again) > 1) < 0.45
    assert any(row["delivered"] > 1 for row in rows(run, "transactions"))


def test_a_producer_that_nobody_knows_is_refused():
    faults = [{"at": "1s", "for": "1s", "producer": "shop-9", "kind": "kill"}]
    with raises(ScenarioError, Says("fault.no-instance", what="transactional producer", target="shop-9")):
        scenario_of(faults=faults)


@pytest.mark.parametrize(("kind", "of"), [("silent_death", {}), ("refuse", {}), ("partition", {"producers": "all"})])
def test_checks_of_a_broker_that_is_cut_off_count_and_find_nobody(kind, of):
    run = sending("unknown", duration="200s", faults=[fault(kind, "20s", "150s", "a") | of])
    checked = [row for row in rows(run, "transaction_windows") if row["checks"] and row["window_start_us"] > 25e6]
    cut = [row for row in checked if row["window_start_us"] < 165e6]
    assert sum(row["checks"] for row in cut) > 100
    assert not any(row["committed"] + row["rolled_back"] for row in cut)
    assert max(row["unheard"] for row in cut) > 0  # it has heard of no producer for 120 s
    assert any(row["committed"] for row in checked if row["window_start_us"] > 170e6)


def test_an_end_request_that_the_network_loses_is_made_good_by_a_check():
    lost = fault("partition", "20s", "3s", "a", producers="all")
    run = sending(duration="80s", rate="20/s", transaction={"local": "1s"}, faults=[lost])
    ended = [row for row in rows(run, "transactions") if 20e6 < (row["local_end_us"] or 0) < 23e6]
    assert ended
    assert all(row["checks"] == 1 and row["settled_us"] > 23e6 for row in ended)
