"""Faults of one place at once, as plans say them: unions of absences and standstills, and effects that add up."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.consumer.memory.consumer_settings import (
    FAIL,
    FREEZE,
    KILL,
    PRODUCER_FREEZE,
    PRODUCER_KILL,
    PRODUCER_START,
    PRODUCER_THAW,
    SLOW,
    START,
    STOP,
    THAW,
)
from simulator.engine.memory.periods_table import ANSWER, DOWN, DOWN_DISK, DOWN_GRACEFUL, DOWN_KILL, DOWN_POWER, SPEED
from simulator.plan.compile import compile_scenario
from tests.simulator.small import scenario_of

S = 1_000_000
DURATION = 200
GROUP = {"topic": "orders", "count": 2, "threads": 4, "service": "50ms"}
SENDING = {"group": "shop", "count": 2, "transaction": {"local": "10ms"}}
HAPPENS = {
    "hang": {}, "pause": {"every": "500s"}, "kill": {}, "stop": {}, "restart": {},
    "rolling_restart": {"pause": "1s"}, "slow": {"factor": 3}, "fail": {"probability": 0.5}, "scale_out": {},
}  # fmt: skip
TIMES = [(60, 120), (75, 90), (90, 150), (120, 150), (60, 90)]


def fault(kind, at, until, **keys):
    keys = HAPPENS.get(kind, {}) | keys
    return {"at": f"{at}s", "for": f"{until - at}s", "kind": kind, **keys}


def plan_of(*faults, **keys):
    return compile_scenario(scenario_of(duration=f"{DURATION}s", faults=list(faults), **keys))


def of_instance(*faults, number=0):
    plan = plan_of(*faults, consumers={"billing": GROUP}).cells[0].consumers
    return [(at // S, kind, value) for at, kind, place, value in plan.actions.tolist() if place == number]


def states(*faults, number=0):
    """By second: whether an instance is there and goes on, how slow it is, what share of its deliveries fails."""
    plan = plan_of(*faults, consumers={"billing": GROUP}).cells[0].consumers
    up, frozen, slow, fails = number not in plan.absent.tolist(), False, S, 0
    rows, found = [row for row in plan.actions.tolist() if row[2] == number], []
    for second in range(DURATION):
        while rows and rows[0][0] <= second * S + 1:
            _, kind, _, value = rows.pop(0)
            up = up if kind not in (START, STOP, KILL) else kind == START
            frozen = kind == FREEZE if kind in (FREEZE, THAW, START, STOP, KILL) else frozen
            slow = value if kind == SLOW else slow
            fails = value if kind == FAIL else fails
        found.append((up and not frozen, slow, fails))
    return found


KINDS = st.sampled_from([kind for kind in HAPPENS if kind != "rolling_restart"])
SPANS = st.tuples(st.integers(1, 100), st.integers(1, 80)).map(lambda span: (span[0], span[0] + span[1]))
STRUCK = st.builds(lambda kind, span: fault(kind, *span, consumer="billing"), KINDS, SPANS)


@given(st.lists(STRUCK, min_size=2, max_size=4))
def test_an_instance_is_there_while_no_fault_keeps_it_away_and_slowness_multiplies(faults):
    single = np.array([states(one) for one in faults])
    together = np.array(states(*faults))
    assert (together[:, 0] == single[:, :, 0].all(axis=0)).all()
    assert (together[:, 1] == S * (single[:, :, 1] // S).prod(axis=0)).all()
    handled = 1 - single[:, :, 2] / S
    assert together[:, 2] == pytest.approx(S * (1 - handled.prod(axis=0)))


@pytest.mark.parametrize(("one", "other"), list(product(TIMES, TIMES)))
def test_an_instance_that_two_faults_stop_is_back_with_the_last(one, other):
    for first, second in (("stop", "stop"), ("kill", "kill"), ("stop", "kill"), ("restart", "stop"), ("hang", "hang")):
        found = of_instance(fault(first, *one, consumer="billing"), fault(second, *other, consumer="billing-1"))
        backs = [at for at, kind, _ in found if kind in (START, THAW)]
        touch = max(one[0], other[0]) <= min(one[1], other[1])
        assert backs == ([max(one[1], other[1])] if touch else sorted([one[1], other[1]]))


def test_a_frozen_instance_that_is_stopped_shuts_down_as_it_goes_on():
    hang = fault("hang", 60, 74, consumer="billing")
    for kind, until in (("stop", 90), ("restart", 75)):
        found = of_instance(hang, fault(kind, 70, until, consumer="billing-1"))
        assert found == [(60, FREEZE, 74 * S), (74, STOP, 0), (74, THAW, 0), (until, START, 0)]
    found = of_instance(hang, fault("kill", 70, 90, consumer="billing-1"))
    assert found == [(60, FREEZE, 74 * S), (70, KILL, 0), (74, THAW, 0), (90, START, 0)]


def test_a_frozen_instance_that_should_be_back_before_it_goes_on_is_killed_and_back_then():
    found = of_instance(fault("hang", 60, 120, consumer="billing"), fault("stop", 75, 90, consumer="billing-1"))
    assert found == [(60, FREEZE, 120 * S), (75, KILL, 0), (120, START, 0), (120, THAW, 0)]


def test_a_group_and_an_instance_have_faults_of_their_own():
    faults = fault("hang", 60, 90, consumer="billing"), fault("hang", 75, 120, consumer="billing-1")
    assert [at for at, kind, _ in of_instance(*faults) if kind == THAW] == [120]
    assert [at for at, kind, _ in of_instance(*faults, number=1) if kind == THAW] == [90]


def test_slowness_at_once_multiplies_and_ends_one_by_one():
    faults = fault("slow", 60, 120, consumer="billing", factor=8), fault("slow", 90, 150, consumer="billing", factor=2)
    assert of_instance(*faults) == [(60, SLOW, 8 * S), (90, SLOW, 16 * S), (120, SLOW, 2 * S), (150, SLOW, S)]
    assert of_instance(*[faults[0]] * 2) == [(60, SLOW, 64 * S), (120, SLOW, S)]


def test_failures_end_with_the_last_fault():
    faults = [fault("fail", *span, consumer="billing", probability=0.5) for span in ((60, 90), (75, 120))]
    assert of_instance(*faults) == [(60, FAIL, S // 2), (75, FAIL, 3 * S // 4), (90, FAIL, S // 2), (120, FAIL, 0)]


def test_transactional_producers_are_away_for_the_union_too():
    faults = [
        fault("kill", 60, 120, producer="shop"), fault("kill", 75, 90, producer="shop-1"),
        fault("hang", 100, 130, producer="shop-1"), fault("hang", 140, 150, producer="shop-1"),
    ]  # fmt: skip
    found = plan_of(*faults, producers=SENDING, consumers={"billing": GROUP}).cells[0].consumers.actions.tolist()
    assert [(at // S, kind) for at, kind, place, _ in found if place == 0] == [
        (60, PRODUCER_KILL), (130, PRODUCER_START), (140, PRODUCER_FREEZE), (150, PRODUCER_THAW),
    ]  # fmt: skip


def observed(*faults, table):
    rows = plan_of(*faults).observations.tolist()
    return [(at // S, until // S, value) for at, until, broker, own, value in rows if own == table and broker == 1]


@pytest.mark.parametrize("inner", [(75, 90), (60, 90), (90, 120), (60, 120)])
@pytest.mark.parametrize("kind", ["hang", "kill", "restart", "power_loss", "disk_loss", "disk_stall", "silent_death",
                                  "refuse", "slave_lost", "partition"])  # fmt: skip
def test_a_fault_of_all_brokers_within_one_of_a_broker_is_reported_once(kind, inner):
    outer = fault(kind, 60, 120, broker="all")
    both = plan_of(outer, fault(kind, *inner, broker="b")).observations
    assert both.tolist() == plan_of(outer).observations.tolist()


@pytest.mark.parametrize(
    ("faults", "rows"),
    [
        ([("restart", 60, 120), ("kill", 75, 90)], [(60, 120, DOWN_GRACEFUL)]),
        ([("kill", 60, 90), ("restart", 75, 120)], [(60, 120, DOWN_KILL)]),
        ([("restart", 60, 90), ("kill", 60, 120)], [(60, 120, DOWN_KILL)]),
        ([("power_loss", 60, 120), ("kill", 75, 90)], [(60, 120, DOWN_POWER)]),
        ([("power_loss", 60, 120), ("disk_loss", 75, 90)], [(60, 120, DOWN_DISK)]),
        (
            [("kill", 60, 120), ("power_loss", 75, 90)],
            [(60, 75, DOWN_KILL), (75, 90, DOWN_POWER), (90, 120, DOWN_KILL)],
        ),
    ],
)
def test_a_process_is_away_as_it_went_and_says_nothing_while_its_machine_is_off(faults, rows):
    assert observed(*(fault(*one, broker="b") for one in faults), table=DOWN) == rows


def test_two_faults_that_are_alike_strike_twice():
    twice = [fault("slow", 60, 120, broker="b", factor=10)] * 2
    assert observed(*twice, table=SPEED) == [(60, 120, 100 * S)]


def test_of_answers_that_start_together_a_refusal_comes_first():
    faults = fault("code", 60, 90, broker="b", response_code=2), fault("refuse", 60, 120, broker="b")
    assert observed(*faults, table=ANSWER) == observed(faults[1], table=ANSWER)


@pytest.mark.parametrize("inner", [(75, 90), (60, 90), (90, 120), (60, 120)])
def test_a_name_server_is_down_until_the_last_fault_is_over(inner):
    outer, more = (fault("name_server_down", *span, name_server=1) for span in ((60, 120), inner))
    clusters = [plan_of(*faults).cells[0].cluster for faults in ([outer], [outer, more])]
    assert clusters[0]["deliveries"].tolist() == clusters[1]["deliveries"].tolist()
