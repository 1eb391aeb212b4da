"""Two choices by peak EWMA, as Finagle's balancer makes them."""

import pytest

from simulator.policies.choose.p2c_peak_ewma import (
    BUSY,
    DECAY_NS,
    PENALTY,
    Node,
    begin,
    end,
    is_second_better,
    load_of,
    second_of,
)
from tests.simulator.policies.made import made


def node(**fields):
    return made(Node, decay_ns=DECAY_NS, **fields)


def test_a_longer_round_trip_sets_the_average_at_once():
    one = node(cost_ns=10, pending=1)
    end(one, 500, 0)
    assert one.cost_ns == 500


def test_a_shorter_one_only_lets_it_decay():
    one = node(cost_ns=1_000, pending=1)
    end(one, 0, DECAY_NS)
    assert one.cost_ns == pytest.approx(367.88, abs=0.01)


def test_the_load_counts_what_is_under_way_and_one_more():
    assert load_of(node(cost_ns=10, pending=2), 0) == 30


def test_a_node_without_latency_but_with_a_request_is_put_off():
    one = node()
    begin(one)
    assert load_of(one, 0) == PENALTY + 1


@pytest.mark.parametrize(("first", "second", "is_second"), [(10, 5, True), (5, 10, False), (5, 5, False)])
def test_the_lower_load_wins_and_a_tie_is_the_firsts(first, second, is_second):
    assert is_second_better(node(cost_ns=first), node(cost_ns=second), 0) == is_second


def test_the_better_status_wins_whatever_the_load():
    assert is_second_better(node(cost_ns=5, status=BUSY), node(cost_ns=10), 0)


def test_the_second_is_never_the_first():
    assert [second_of(1, drawn) for drawn in (0, 1, 2)] == [0, 2, 3]
