"""Queue selection: what surprises, release by release."""

import pytest

from simulator import codes
from simulator.client.message_queue import broker_of, packed, queue_id_of

MAX = 2**31 - 1
THREE = {"a": 2, "b": 2, "c": 2}
OLD = ("4.2.0", "4.8.0", "4.9.3", "4.9.7", "4.9.8", "5.0.0", "5.1.0", "5.1.3")
REWRITING = ("4.2.0", "4.8.0", "4.9.3", "4.9.7", "5.0.0", "5.1.0", "5.1.3")


@pytest.mark.parametrize("release", [*OLD, "5.1.4", "5.3.3"])
@pytest.mark.parametrize("on", [True, False])
def test_first_attempts_go_round_the_list(producer, release, on):
    p = producer(release, THREE, start=5)
    assert [p.select(on=on) for _ in range(6)] == p.listed


@pytest.mark.parametrize("release", [*OLD, "5.1.4", "5.3.3"])
def test_strategy_off_a_retry_takes_another_broker(producer, release):
    p = producer(release, THREE, start=5)
    assert p.select(last="a", on=False) == ("b", 0)
    assert p.reason == codes.PICK_OTHER_BROKER


def test_strategy_off_4_2_0_takes_one_counter_step_a_selection_later_ones_one_a_probe(producer):
    steps = {}
    for release in ("4.2.0", "4.8.0"):
        p = producer(release, THREE, start=5)
        p.select(last="a", on=False)
        steps[release] = p.counter - 5
    assert steps == {"4.2.0": 1, "4.8.0": 3}


def test_strategy_off_with_one_broker_a_retry_stays_on_it(producer):
    assert producer("4.9.8", {"a": 2}).select(last="a", on=False)[0] == "a"


@pytest.mark.parametrize(
    ("release", "of_a", "of_b"),
    [("4.2.0", "b", "b"), ("4.8.0", "a", "b"), ("5.1.0", "a", "b"), ("5.1.3", "a", "c"), ("5.3.3", "a", "c")],
)
def test_where_a_retry_after_b_goes_when_the_next_queue_is_of_a_or_of_b(producer, release, of_a, of_b):
    assert producer(release, THREE, start=5).select(last="b")[0] == of_a
    assert producer(release, THREE, start=2).select(last="b")[0] == of_b


def test_unavailable_brokers_are_skipped(producer):
    p = producer("4.9.8", THREE, start=5)
    p.isolate("a", "b")
    assert [p.select()[0] for _ in range(3)] == ["c"] * 3


def test_up_to_5_1_3_a_long_scan_moves_the_counter_one_step(producer):
    p = producer("5.1.3", THREE, start=5)
    p.isolate("a", "b")
    p.select()
    assert p.counter == 6


def test_4_8_0_at_the_top_only_ever_finds_two_queues(producer):
    p = producer("4.8.0", {"a": 7}, start=MAX)
    assert len({p.select(on=False) for _ in range(20)}) == 2


@pytest.mark.parametrize("release", REWRITING)
def test_the_fallback_overwrites_the_shared_list(producer, release):
    p = producer(release, THREE, start=5)
    before = p.listed
    p.isolate("a", "b", "c")
    p.update("a", 1, isolate=1)
    p.update("b", 0, isolate=1)
    chosen = [p.select(now=1)[0] for _ in range(4)]
    assert len(set(chosen)) == 1
    assert p.listed != before
    assert p.view.queues.mutated > 0
    assert p.reason == codes.PICK_FROM_FAULT_TABLE


def test_4_9_8_leaves_the_shared_list_alone(producer):
    p = producer("4.9.8", THREE, start=5)
    before = p.listed
    p.isolate("a", "b", "c")
    for _ in range(8):
        p.select(now=1)
    assert p.listed == before


@pytest.mark.parametrize(("release", "broker"), [("4.9.7", "c"), ("4.9.8", "a")])
def test_only_4_9_8_does_not_fall_back_to_a_read_only_broker(producer, release, broker):
    p = producer(release, {"a": 2, "c": 2}, start=1, read_only=["c"])
    p.isolate("a")
    p.update("c", 0)
    assert p.select(now=1)[0] == broker


def test_the_fallback_forgets_a_broker_that_is_not_of_this_topic(producer):
    p = producer("4.9.8", {"a": 2}, foreign=["other"])
    p.update("a", 9, isolate=1)
    p.update("other", 1)
    p.select(now=1)
    assert "other" not in p.known
    assert p.reason == codes.PICK_FALLBACK


def test_4_2_0_an_empty_fault_table_ends_in_a_swallowed_error(producer):
    p = producer("4.2.0", {"a": 2}, foreign=["gone"])
    assert p.select(last="gone")[0] == "a"
    assert (p.swallowed, p.reason) == (1, codes.PICK_AFTER_ERROR)


@pytest.mark.parametrize(("release", "broker"), [("5.0.0", "c"), ("5.1.0", "a")])
def test_from_5_1_0_an_index_overflow_lets_an_unavailable_broker_through(producer, release, broker):
    p = producer(release, {"a": 1, "b": 1, "c": 1}, start=MAX - 1)
    p.isolate("a", "b")
    p.update("c", 0)
    first = p.select(now=1)
    assert (first[0], p.swallowed) == (broker, int(release == "5.1.0"))


def test_5_1_4_prefers_an_available_then_a_reachable_broker(producer):
    p = producer("5.1.4", THREE, start=5)
    p.isolate("a", reachable=0)
    p.isolate("b", "c")
    assert (p.select(now=1)[0], p.reason) == ("b", codes.PICK_REACHABLE)
    assert (p.select(now=20_000)[0], p.reason) == ("b", codes.PICK_AVAILABLE)


def test_5_1_4_with_nobody_reachable_takes_a_plain_step_after_two_rounds(producer):
    p = producer("5.1.4", THREE, start=5)
    p.isolate("a", "b", "c", reachable=0)
    p.select(now=1)
    assert (p.counter - 5, p.reason) == (13, codes.PICK_FALLBACK)


def test_reset_index_draws_only_with_the_strategy_on(producer):
    p = producer("5.3.3", THREE, start=5)
    p.select(on=False, reset=1)
    assert p.counter == 6
    p.select(reset=1)
    assert p.counter != 7


def test_a_negative_queue_id_survives_packing():
    queue = packed(3, -2)
    assert (broker_of(queue), queue_id_of(queue)) == (3, -2)
