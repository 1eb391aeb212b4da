"""What the figures of replica sets measure."""

from __future__ import annotations

from simulator.proof.incidents.measures import MEASURES, Measured
from simulator.run.simulate import simulate
from tests.simulator.plan.failover.test_takeovers import KILL, LAG, scenario_of


def figure(result, name, *, broker="a", from_us=0, until_us=None):
    return MEASURES[name].of(Measured(result, broker=broker, topic=None, from_us=from_us, until_us=until_us))


def test_the_longest_time_without_a_master_is_of_one_set_at_one_stretch():
    slaves = {"replicas": 1, "mode": "master_slave", "slaves": 2}
    twice = simulate(scenario_of({**KILL, "for": "10s"}, {**KILL, "at": "60s", "for": "30s"}, **slaves))
    assert figure(twice, "longest_without_master") == 30
    assert figure(twice, "longest_without_master", broker="b") == 0
    assert 0.08 <= figure(simulate(scenario_of(KILL)), "longest_without_master") < 0.17


def test_lost_messages_were_acknowledged():
    found = simulate(scenario_of(LAG, KILL))
    rows = found.tables["sends"].to_pandas()
    assert figure(found, "lost_messages") == rows[rows.acknowledged].lost.sum() > 100
    assert figure(found, "lost_messages", until_us=20_000_000) == 0
