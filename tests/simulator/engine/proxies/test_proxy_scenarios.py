"""The scenarios with proxies show what their comments promise."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from simulator.run.simulate import simulate
from simulator.scenario import load_scenario

FOLDER = Path(__file__).parents[4] / "conf" / "scenarios"


@cache
def sends(name, **changes):
    scenario = load_scenario(FOLDER / f"{name}.yaml", changes)
    return simulate(scenario, tables=("sends",)).tables["sends"].to_pandas()


def failed_share(found, group, from_s, until_s):
    own = found[(found.producer_group == group) & found.begin_us.between(from_s * 1e6, until_s * 1e6)]
    return float((own.result != "SEND_OK").mean())


def test_a_killed_broker_fails_a_tenth_of_the_messages_of_grpc_producers_only_and_only_while_the_route_is_old():
    found = sends("grpc-broker-killed")
    assert 0.08 < failed_share(found, "grpc", 30, 40) < 0.2
    assert failed_share(found, "grpc", 51, 90) == 0
    assert failed_share(found, "remoting", 0, 90) == 0


@pytest.mark.parametrize(("seconds", "share"), [((0, 3), 1 / 2), ((3, 6), 1 / 4), ((6, 9), 1 / 8), ((9, 9.1), 1 / 8)])
def test_a_hung_broker_costs_grpc_producers_time_outs_for_as_long_as_it_hangs(seconds, share):
    found = sends("grpc-broker-hangs")
    own = found[(found.producer_group == "grpc") & found.begin_us.between(31e6, 80e6)]
    took_s = (own.end_us - own.begin_us) / 1e6
    assert float(took_s.between(*seconds, inclusive="left").mean()) == pytest.approx(share, abs=0.04)


def test_remoting_producers_with_the_strategy_leave_a_hung_broker():
    assert failed_share(sends("grpc-broker-hangs"), "remoting", 40, 90) < 0.005


@pytest.mark.parametrize(("one_host", "fails"), [("true", True), ("false", False)])
def test_a_killed_proxy_fails_messages_where_it_shares_its_host(one_host, fails):
    found = sends("grpc-proxy-killed", **{"proxies.one_host": one_host})
    failed = found[found.result != "SEND_OK"]
    assert bool(len(failed)) is fails
    assert set(failed.result) <= {"UNAVAILABLE"}
    assert not fails or failed.begin_us.between(29.9e6, 60.1e6).all()
