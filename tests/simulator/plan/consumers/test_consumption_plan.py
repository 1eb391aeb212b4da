"""Kinds of consumption: each mode that a scenario can name has one, and a group is handled by its own."""

from __future__ import annotations

from simulator.plan.consumers.consumption_plan import CONSUMPTION_KINDS
from simulator.scenario.consuming.handling import MODES
from tests.simulator.small import ran_tables, rows

GROUP = {"topic": "orders", "threads": 20, "service": {"exponential": {"mean": "200ms"}}}


def test_every_mode_has_a_kind():
    assert set(CONSUMPTION_KINDS) == set(MODES)


def test_two_groups_of_one_topic_are_each_of_their_own_kind():
    run = ran_tables(
        duration="20s",
        producers={"rate": "100/s"},
        consumers={"billing": GROUP | {"consume_mode": "ORDERLY"}, "audit": GROUP | {"consume_mode": "CONCURRENTLY"}},
    )
    ends, overlaps = {}, {"billing": 0, "audit": 0}
    for row in sorted(rows(run, "consumed"), key=lambda row: row["begin_us"]):
        group = row["consumer_group"]
        place = group, row["broker"], row["queue_id"]
        overlaps[group] += row["begin_us"] < ends.get(place, 0)
        ends[place] = row["end_us"]
    assert overlaps["billing"] == 0
    assert overlaps["audit"] > 20
