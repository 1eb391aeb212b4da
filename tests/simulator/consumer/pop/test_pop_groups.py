"""A POP group: nobody owns a queue, and what is not acknowledged comes again after its invisible time."""

from __future__ import annotations

import collections

import pytest

from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.small import fault, ran_tables, rows, scenario_of

GROUP = {"topic": "orders", "count": 3, "threads": 4, "service": "10ms", "consume_mode": "POP"}


def billing(duration="20s", faults=(), client="5.3.3", broker="5.3.3", rate="20/s", brokers=None, **keys):
    """A run of a POP group of three instances with these keys, on two brokers."""
    own = {"latency": {"constant": "1ms"}, "release": broker} | (brokers or {})
    return ran_tables(
        duration=duration, client={"release": client}, producers={"rate": rate, "threads": 4},
        brokers={"a": own, "b": {"like": "a"}}, topics={"orders": {"queues": 4}},
        consumers={"billing": GROUP | keys}, faults=list(faults),
    )  # fmt: skip


def struck(kind, consumer, at, length):
    return {"at": at, "for": length, "consumer": consumer, "kind": kind}


def again(run):
    """Deliveries that came through the retry topic."""
    return [row for row in rows(run, "consumed") if row["reconsume_times"] > 0]


def after_s(row):
    return (row["begin_us"] - row["arrival_us"]) / 1e6


def test_each_instance_pops_at_each_broker_and_gets_messages_of_every_queue():
    run = billing()
    held = {(row["instance"], row["broker"], row["queue_id"]) for row in rows(run, "assignments")}
    assert held == {(f"billing-{n}", broker, -1) for n in (1, 2, 3) for broker in "ab"}
    queues = collections.defaultdict(set)
    for row in rows(run, "consumed"):
        queues[row["instance"]].add((row["broker"], row["queue_id"]))
    assert [len(own) for own in queues.values()] == [8, 8, 8]


def test_every_message_is_handled_once_and_nobody_owns_a_queue():
    run = billing()
    assert len(rows(run, "consumed")) >= 395
    assert {(row["result"], row["times"]) for row in rows(run, "consumed")} == {("handled", 1)}
    assert {(row["unowned_us"], row["double_owned_us"]) for row in rows(run, "consumer_windows")} == {(0, 0)}


def test_the_offset_of_a_queue_moves_at_the_pop():
    run = billing(service="5s", threads=1, duration="4s")
    committed = [row["committed_offset"] or 0 for row in rows(run, "stored", window_start_us=3_000_000)]
    assert sum(committed) > 70
    assert rows(run, "consumed") == []


def test_what_a_frozen_instance_popped_comes_again_two_to_five_seconds_after_its_invisible_time():
    run = billing(faults=[struck("hang", "billing-2", "5s", "60s")], duration="40s",
                  pop_invisible_time="20s")  # fmt: skip
    found = again(run)
    assert 2 <= len(found) <= 4
    assert all(22 < after_s(row) < 25 and row["instance"] != "billing-2" for row in found)


def test_a_frozen_instance_holds_up_no_queue():
    run = billing(faults=[struck("hang", "billing-2", "5s", "60s")], duration="20s")
    waits = [row["begin_us"] - row["stored_us"] for row in rows(run, "consumed")]
    assert max(waits) < 100_000


def test_an_instance_that_goes_on_passes_over_what_is_too_late():
    run = billing(faults=[struck("hang", "billing-2", "5s", "20s")], duration="40s",
                  pop_invisible_time="10s")  # fmt: skip
    handled = collections.Counter(
        (row["sender"], row["send_seq"]) for row in rows(run, "consumed") if row["result"] == "handled"
    )
    assert set(handled.values()) == {1}
    assert len(handled) >= 795


def test_what_a_killed_instance_had_comes_again():
    run = billing(faults=[struck("kill", "billing-1", "5s", "60s")], duration="30s",
                  pop_invisible_time="10s", service="500ms", threads=20)  # fmt: skip
    assert len(again(run)) > 2
    assert all(12 < after_s(row) < 15 for row in again(run))


def test_a_listener_that_takes_longer_than_the_invisible_time_has_its_messages_come_again():
    run = billing(duration="30s", service="6s", threads=20, rate="4/s", pop_invisible_time="5s")
    assert {row["result"] for row in rows(run, "consumed")} == {"too late to acknowledge"}
    assert len(again(run)) > 10


def test_a_failure_has_the_message_invisible_for_10_s_then_30_s():
    run = billing(duration="60s", fails_always=0.999999, rate="8/s", threads=20)
    first, second, third = (
        {(row["sender"], row["send_seq"]): row for row in rows(run, "consumed", reconsume_times=times)}
        for times in range(3)
    )
    waits = [(row["begin_us"] - first[message]["end_us"]) / 1e6 for message, row in second.items()]
    later = [(row["begin_us"] - second[message]["end_us"]) / 1e6 for message, row in third.items()]
    assert {row["result"] for row in second.values()} == {"invisible again"}
    assert 12 < min(waits) < max(waits) < 15
    assert 32 < min(later) < max(later) < 36


@pytest.mark.parametrize(("release", "woken"), [("5.1.4", True), ("5.2.0", False), ("5.3.3", False), ("5.4.0", True)])
def test_only_some_releases_wake_a_waiting_pop_for_what_comes_again(release, woken):
    producers = {"rate": "2/s", "rate_changes": {"3s": "0.001/s"}}
    run = ran_tables(
        duration="40s", client={"release": "5.3.3"}, producers=producers,
        brokers={"a": {"latency": {"constant": "1ms"}, "release": release}}, topics={"orders": {"queues": 4}},
        consumers={"billing": GROUP | {"pop_invisible_time": "10s"}},
        faults=[struck("hang", "billing-1", "1s", "60s")],
    )  # fmt: skip
    waits = [(row["begin_us"] - row["stored_us"]) / 1e6 for row in again(run)]
    assert waits
    assert (max(waits) < 0.1) == woken


@pytest.mark.parametrize(("release", "consumed"), [("5.1.0", True), ("5.1.1", False), ("5.3.3", False)])
def test_a_broker_without_its_timer_wheel_refuses_every_pop_from_5_1_1_on(release, consumed):
    run = billing(broker=release, brokers={"timer_wheel_enable": False}, duration="5s")
    assert bool(rows(run, "consumed")) == consumed


def test_up_to_5_1_0_nothing_comes_again_without_the_timer_wheel():
    keys = {"brokers": {"timer_wheel_enable": False}, "pop_invisible_time": "5s", "service": "6s", "threads": 20}
    assert again(billing(broker="5.1.0", duration="30s", rate="4/s", **keys)) == []
    assert again(billing(broker="5.1.0", duration="30s", rate="4/s", **keys | {"brokers": {}})) != []


def test_an_acknowledgement_to_a_killed_broker_is_lost_and_the_message_comes_again():
    faults = [fault("kill", "5s", "3s", "a")]
    run = billing(faults=faults, duration="60s", pop_invisible_time="10s", service="1s", threads=20)
    lost = rows(run, "consumed", result="not acknowledged")
    assert lost
    assert {row["broker"] for row in lost} == {"a"}
    twice = {(row["sender"], row["send_seq"]) for row in again(run)}
    assert {(row["sender"], row["send_seq"]) for row in lost} <= twice
    assert run.column("consumer_windows", "failed").sum() == 0  # its listener handled it


def test_a_message_that_failed_too_often_before_it_is_10_s_old_is_neither_acknowledged_nor_put_off():
    run = billing(duration="40s", fails_always=0.999999, rate="4/s", pop_invisible_time="15s", max_reconsume_times=0)
    assert {row["result"] for row in rows(run, "consumed")} == {"failed, not acknowledged"}
    assert again(run) == []
    assert rows(run, "stored", topic="%RETRY%billing_orders")[-1]["max_offset"] > 30
    assert rows(run, "consumer_windows")[-1]["lag"] < 8  # it was retried too often, and is acknowledged as it comes


def test_where_a_broker_knows_no_pop_the_group_pulls():
    run = billing(broker="4.9.8", duration="30s")
    assert {row["queue_id"] for row in rows(run, "assignments")} == {0, 1, 2, 3}


def test_an_instance_pops_no_more_than_popThresholdForQueue_before_it_acknowledges():
    run = billing(count=1, threads=1, service="10s", rate="200/s", duration="10s", pop_threshold_for_queue=40)
    cached = [row["cached"] for row in rows(run, "consumer_windows")]
    assert 2 * 40 < max(cached) <= 2 * (40 + 32)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"release": "4.9.8"}, Says("consumer.release-without-pop", "...billing.consume_mode", release="4.9.8")),
        ({"message_model": "BROADCASTING"}, Says("consumer.broadcast-pop", "...consume_mode")),
        ({"pop_invisible_time": "1s"}, Says("field.expected", low="5s", high="5m")),
        ({"pop_batch_nums": 33}, Says("field.expected", low=1, high=32, got=33)),
        ({"delay_level_when_next_consume": -1}, Says("consumer.pop-level")),
    ],
)
def test_wrong_input_is_refused(keys, says):
    with raises(ScenarioError, says):
        scenario_of(client={"release": "5.3.3"}, consumers={"billing": GROUP | keys})


def test_a_reset_of_a_group_that_pops_is_refused():
    reset = {"at": "5s", "to": "1s", "consumer": "billing", "kind": "reset_offset"}
    with raises(ScenarioError, Says("consumer.pop-reset", "...faults[0].consumer", group="billing")):
        scenario_of(client={"release": "5.3.3"}, consumers={"billing": GROUP}, faults=[reset])


def counts(run, *names):
    return [sum(row[name] for row in rows(run, "pops")) for name in names]


def test_the_table_counts_what_is_popped_and_how_it_ends():
    run = billing()
    popped, acknowledged, revived, refused = counts(run, "popped", "acknowledged", "revived", "refused")
    left = sum(row["invisible"] for row in rows(run, "pops", window_start_us=19_000_000))
    assert popped == acknowledged + left >= 395
    assert (revived, refused) == (0, 0)


def test_the_table_says_why_messages_come_again():
    run = billing(duration="30s", fails_always=0.3, rate="10/s", threads=20)
    assert counts(run, "revived") == counts(run, "revived_failed") != [0]
    killed = billing(faults=[fault("kill", "5s", "3s", "a")], duration="30s", pop_invisible_time="10s", service="1s",
                     threads=20)  # fmt: skip
    unheard = len(rows(killed, "consumed", result="not acknowledged"))
    assert counts(killed, "revived_unheard") == [unheard] != [0]


def test_what_comes_again_from_a_running_instance_was_too_slow():
    slow = billing(duration="30s", service="9s", threads=20, rate="5/s", pop_invisible_time="6s")
    assert counts(slow, "revived") == counts(slow, "revived_slow") != [0]


def test_messages_that_wait_for_a_thread_for_too_long_were_too_slow():
    waiting = billing(duration="30s", service="3s", threads=1, rate="5/s", pop_invisible_time="6s")
    assert counts(waiting, "revived") == counts(waiting, "revived_slow") != [0]


@pytest.mark.parametrize(("kind", "length"), [("hang", "13s"), ("hang", "30s"), ("kill", "5s")])
def test_what_comes_again_from_an_instance_that_is_gone_or_stands_still_was_not_too_slow(kind, length):
    gone = billing(duration="40s", pop_invisible_time="12s", faults=[struck(kind, "billing-2", "5s", length)],
                   service="500ms")  # fmt: skip
    assert counts(gone, "revived", "revived_slow")[0] > 0
    assert counts(gone, "revived_slow") == [0]


def test_what_is_refused_is_counted_once_a_second_for_each_instance_and_broker():
    (refused,) = counts(billing(brokers={"timer_wheel_enable": False}, duration="10s"), "refused")
    assert refused == pytest.approx(60, abs=6)


def test_a_scenario_without_pop_has_no_rows_of_it():
    assert rows(billing(consume_mode="CONCURRENTLY", duration="2s"), "pops") == []


@pytest.mark.parametrize(
    ("count", "share", "queues"), [(4, 0, {-1}), (4, 1, {0, 1, 2, 3}), (4, 3, {-1}), (10, 1, {0, 1, 2, 3})]
)
def test_brokers_share_queues_out_by_popShareQueueNum(count, share, queues):
    run = billing(count=count, pop_share_queue_num=share, duration="5s")
    held = [(row["broker"], row["queue_id"]) for row in rows(run, "assignments")]
    assert {queue for _, queue in held} == queues
    each = collections.Counter(row["instance"] for row in rows(run, "assignments"))
    assert set(each.values()) == {2 if queues == {-1} else 4 if count == 4 else 1}
    assert len(rows(run, "consumed")) >= 95


def test_a_queue_that_is_shared_with_one_goes_to_two_instances():
    run = billing(count=4, pop_share_queue_num=1, duration="10s")
    readers = collections.defaultdict(set)
    for row in rows(run, "assignments"):
        readers[row["broker"], row["queue_id"]].add(row["instance"])
    assert {len(instances) for instances in readers.values()} == {2}


def test_queues_are_shared_out_again_when_an_instance_joins():
    joins = {"at": "3s", "consumer": "billing-4", "kind": "scale_out"}
    run = billing(count=4, pop_share_queue_num=1, duration="10s", faults=[joins])
    before = {row["instance"] for row in rows(run, "assignments") if row["from_us"] < 1_000_000}
    open_ = collections.Counter(row["instance"] for row in rows(run, "assignments", open=True))
    assert before == {"billing-1", "billing-2", "billing-3"}
    assert set(open_.values()) == {4}
    assert len(open_) == 4


@pytest.mark.parametrize(("release", "first"), [("5.1.0", "the last"), ("5.3.3", 0)])
def test_a_new_group_begins_at_0_while_that_is_in_memory_or_at_the_last_message(release, first):
    joins = [struck("scale_out", f"billing-{n}", "5s", "60s") for n in (1, 2, 3)]
    run = billing(broker=release, new_group=True, duration="10s", faults=joins)
    least = min(row["queue_offset"] for row in rows(run, "consumed") if row["broker"] == "a" and row["queue_id"] == 0)
    assert least == 0 if first == 0 else 12 <= least <= 18
