"""Arms with brokers or producers that were not there, and what is said of them."""

from __future__ import annotations

import numpy as np

from simulator.counterfactual.other_set_up import changed_set_ups
from simulator.run.simulate import simulate_plan
from tests.says import Said, Says
from tests.simulator.counterfactual.made_traces import made_trace

NEW_BROKER = {"brokers.broker-d": "{like: broker-b}"}


def test_a_new_broker_is_as_slow_as_the_one_it_is_like_was_when():
    one = made_trace(tried_after_s=12)
    scenario = one.with_changes(NEW_BROKER)
    attempts = simulate_plan(one.plan(scenario), scenario).attempts.to_pandas()
    own = attempts[attempts["broker"] == "broker-d"]
    took_ms = [
        np.median((own["end_us"] - own["begin_us"])[own["begin_us"].between(first * 1e6, last * 1e6)]) / 1000
        for first, last in ((1, 7), (14, 19))
    ]
    assert took_ms == [1, 5]


def test_what_is_assumed_of_another_set_up_is_said_once_for_all_arms():
    one = made_trace()
    scenarios = {name: one.with_changes(NEW_BROKER) for name in ("more", "still more")}
    scenarios |= {"crowd": one.with_changes({"producers.0.count": "9"}), "plain": one.scenario}
    new, crowd = changed_set_ups(one, scenarios)
    assert new == Says("arms.in-arms", arms="more and still more")
    assert Says("arms.new-broker", name="broker-d", broker="broker-b") in Said(new)
    assert crowd == Says("arms.in-arms", arms="crowd")
    assert Says("arms.other-producers") in Said(crowd)
