"""The order in which a stepper is called: its rows are taken to the end before its snapshot holds."""

from __future__ import annotations

import pytest

from simulator.plan.compile import compile_text
from streaming.flow.scenario_feed import ScenarioFeed
from streaming.operator.scenario_stepper import ScenarioStepper
from tests.simulator.small import text_of


@pytest.fixture
def stepper():
    return ScenarioStepper(compile_text(text_of()), 0, None, ("sends",))


@pytest.fixture
def blocks():
    return list(ScenarioFeed(compile_text(text_of())).blocks(0, 0, 3))


def test_run_steps_only_as_its_rows_are_taken(stepper, blocks):
    rows = stepper.run(blocks)
    assert stepper.snapshot().next_window == 0
    next(rows)
    assert 0 < stepper.snapshot().next_window < 3


def test_a_snapshot_holds_once_the_rows_are_exhausted(stepper, blocks):
    list(stepper.run(blocks))
    assert stepper.snapshot().next_window == 3


def test_blocks_are_given_in_any_order(stepper, blocks):
    list(stepper.run(blocks[::-1]))
    assert stepper.snapshot().next_window == 3
