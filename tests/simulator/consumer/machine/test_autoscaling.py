"""A group that is scaled by its lag."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.consumer.machine.autoscaling import capped, recommended
from simulator.run.simulate import simulate
from simulator.scenario import ScenarioError, parse_scenario
from tests.says import Says, raises
from tests.simulator.small import text_of

SCALED = {"threshold": 100, "poll": "10s", "cooldown": "30s", "least": 1, "most": 4}
GROUP = {"topic": "orders", "count": 1, "threads": 1, "service": "50ms", "release": "5.3.3"}
PEAK = {"count": 4, "rate": "2/s", "rate_changes": {"20s": "15/s", "90s": "2/s"}}


@pytest.mark.parametrize(
    ("lag", "running", "instances"),
    [(0, 3, 1), (250, 2, 3), (305, 3, 3), (331, 3, 4), (265, 3, 3), (9_000, 3, 8)],
)
def test_an_instance_for_every_threshold_of_lag_but_not_within_a_tenth(lag, running, instances):
    assert recommended(lag, 100, running, 1, 8) == instances


@pytest.mark.parametrize(("lag", "counted"), [(4_999, 4_999), (6_499, 6_499), (6_500, 6_400), (50_000, 6_400)])
def test_the_lag_that_counts_is_limited_once_it_asks_for_more_instances_than_queues(lag, counted):
    assert capped(lag, 100, 64) == counted


@pytest.fixture(scope="module")
def run():
    text = text_of(duration="200s", producers=PEAK, consumers={"billing": GROUP | {"autoscale": SCALED}})
    return simulate(parse_scenario(text), tables=("consumer_windows", "rebalances"))


def test_instances_start_at_a_poll_while_the_lag_is_large(run):
    instances = np.array(run.column("consumer_windows", "instances"))
    grew = np.flatnonzero(np.diff(instances) > 0) + 1
    assert (instances[0], instances.max()) == (1, 4)
    assert {int(at) % 10 for at in grew} <= {0}  # the window that begins with a poll


def test_they_stop_no_sooner_than_the_cooldown_and_down_to_the_least(run):
    instances = np.array(run.column("consumer_windows", "instances"))
    most = int(np.flatnonzero(instances == 4)[0])
    shrank = int(np.flatnonzero(np.diff(instances) < 0)[0]) + 1
    assert shrank - most >= 30
    assert instances[-1] == 1


def test_every_change_makes_the_group_balance(run):
    reasons = set(run.column("rebalances", "reason"))
    assert "group changed" in reasons


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"count": 9}, Says("consumer.outside-autoscale", "...count", least=1, most=4, got=9)),
        ({"autoscale": SCALED | {"least": 5}}, Says("consumer.least-above-most", "...autoscale.least", most=4, got=5)),
        (
            {"autoscale": SCALED | {"allow_idle_consumers": True, "limitToPartitionsWithLag": "true"}},
            Says("consumer.keda-refuses", "...autoscale.limitToPartitionsWithLag"),
        ),
        (
            {"autoscale": SCALED | {"lagThreshold": 5}},
            Says("reading.both-spellings", "...autoscale.lagThreshold", key="threshold"),
        ),
        ({"autoscale": {"threshhold": 5, "most": 4}}, Says("reading.unknown-meant", near="threshold")),
        ({"message_model": "BROADCASTING"}, Says("consumer.broadcast-lag", "...autoscale")),
    ],
)
def test_wrong_scaling_is_one_sentence(changes, said):
    group = GROUP | {"autoscale": SCALED} | changes
    with raises(ScenarioError, said):
        parse_scenario(text_of(consumers={"billing": group}))
