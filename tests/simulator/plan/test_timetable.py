"""Fault periods that overlap become rows that do not, announced before they begin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.engine.memory.periods_table import ANSWER, SPEED
from simulator.plan.timetable import LEAD_US, PlannedPeriod, announced_in, observations

PERIODS = st.builds(
    lambda begin, length, broker, table, value: PlannedPeriod(begin, begin + length, broker, table, value),
    st.integers(0, 50), st.integers(1, 30), st.integers(0, 2), st.sampled_from([SPEED, ANSWER]), st.integers(0, 4),
)  # fmt: skip


@given(st.lists(PERIODS, max_size=12))
def test_rows_of_a_broker_and_table_never_overlap_and_cover_the_same_time(periods):
    found = observations(periods)
    for broker in range(3):
        for table in (SPEED, ANSWER):
            rows = found[(found[:, 2] == broker) & (found[:, 3] == table)]
            assert (rows[1:, 0] >= rows[:-1, 1]).all()
            covered = {t for begin, end in rows[:, :2] for t in range(begin, end)}
            own = [p for p in periods if (p.broker, p.table) == (broker, table)]
            assert covered == {t for p in own for t in range(p.at_us, p.until_us)}


@pytest.mark.parametrize(
    ("periods", "rows"),
    [
        ([(0, 10, 2_000_000), (5, 20, 3_000_000)], [(0, 5, 2_000_000), (5, 10, 6_000_000), (10, 20, 3_000_000)]),
        ([(0, 10, 2_000_000), (5, 8, 0)], [(0, 5, 2_000_000), (5, 8, 0), (8, 10, 2_000_000)]),
    ],
    ids=["slow and slow multiply", "a hang in slowness stands still"],
)
def test_speeds_at_once_multiply(periods, rows):
    found = observations(PlannedPeriod(begin, end, 0, SPEED, value) for begin, end, value in periods)
    assert [(int(a), int(b), int(v)) for a, b, _, _, v in found] == rows


def test_of_answers_at_once_the_later_start_wins():
    found = observations([PlannedPeriod(0, 30, 0, ANSWER, 7), PlannedPeriod(10, 20, 0, ANSWER, 8)])
    assert found[:, [0, 1, 4]].tolist() == [[0, 10, 7], [10, 20, 8], [20, 30, 7]]


@given(st.lists(PERIODS, max_size=8), st.integers(1, 7))
def test_every_row_is_announced_once_and_in_time(periods, window):
    """Times are stretched to minutes, so that some rows begin beyond the lead."""
    rows = observations(periods) * np.array([20_000_000, 20_000_000, 1, 1, 1])
    window_us = window * 10_000_000
    last = int(rows[:, 0].max(initial=0)) // window_us + 1
    announced = [announced_in(rows, number, window_us) for number in range(last + 1)]
    assert np.concatenate(announced).tolist() == rows.tolist()
    for number, some in enumerate(announced[1:], start=1):
        assert (some[:, 0] >= number * window_us + LEAD_US).all()
