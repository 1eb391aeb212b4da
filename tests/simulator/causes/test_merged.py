"""Consequences of one kind, place and cause as one: their figures are those of the whole time."""

from __future__ import annotations

import numpy as np

from simulator.causes.consequence import Consequence
from simulator.causes.measuring import edge_us, share_shift, slow_messages
from simulator.causes.merged import merged
from simulator.causes.run_figures import FigureReader, RunFigures
from state.tables import SENDS
from tests.simulator.small import ran_tables, scenario_of

S = 1_000_000


def test_the_part_of_the_load_in_two_stretches_is_that_of_all_their_attempts():
    about = {"because": ("F1",), "usual": 33.0, "detail": "more", "proven": True}
    short = Consequence("load", "broker-a", 0, 10 * S, 40.0, weight=100.0, without={"F1": 0.0}, **about)
    long = Consequence("load", "broker-a", 10 * S, 40 * S, 10.0, weight=300.0, without={"F1": 4.0}, **about)
    (one,) = merged([short, long])
    assert (one.size, one.without, one.spans) == (17.5, {"F1": 3.0}, ((0, 40 * S),))


def test_the_part_of_the_load_in_another_run_is_its_own_also_in_the_other_direction():
    figures = RunFigures(S, 2, {"attempts": {"broker-a": np.array([10.0, 10.0]), "broker-b": np.array([90.0, 90.0])}})
    more = Consequence("load", "broker-a", 0, 2 * S, 30.0, usual=33.0, detail="more")
    assert share_shift(figures, "broker-a", more) == -23.0


def test_messages_that_took_longer_are_counted_from_the_length_of_time_that_is_named():
    keys = {"duration": "5s", "brokers": {"broker-a": {"latency": {"exponential": {"mean": "20ms"}}}}}
    scenario, sends = scenario_of(**keys), ran_tables(**keys).tables["sends"]
    reader = FigureReader(scenario, 5 * S)
    reader.add(SENDS.name, sends)
    took_us, figures = np.asarray(sends.column("latency_us")), reader.done(0)
    for above_us in (5_500.0, 12_345.0, 33_000.0):
        edge = edge_us(above_us)
        assert above_us <= edge < 1.1 * above_us
        assert slow_messages(figures, "producers", edge).sum() == (took_us > edge).sum() > 0
