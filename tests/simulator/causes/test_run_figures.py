"""What figures say of a run that is under way."""

from __future__ import annotations

import pyarrow.compute as pc

from simulator.causes.run_figures import FigureReader
from simulator.run.simulate import simulate
from tests.simulator.small import scenario_of


def test_the_lag_stays_where_the_last_windows_are_not_written_yet():
    billing = {"topic": "orders", "count": 1, "threads": 1, "service": "50ms"}
    scenario = scenario_of(duration="20s", producers={"count": 1, "rate": "40/s"}, consumers={"billing": billing})
    windows = simulate(scenario, tables=("consumer_windows",)).tables["consumer_windows"]
    reader = FigureReader(scenario, scenario.duration_us)
    reader.add("consumer_windows", windows.filter(pc.less(windows.column("window_start_us"), 15_000_000)))
    lag = reader.done(0).of("lag", "billing")
    assert lag[14] > 100
    assert set(lag[15:]) == {lag[14]}
