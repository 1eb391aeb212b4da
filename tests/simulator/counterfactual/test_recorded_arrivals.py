"""The messages of a trace as arrivals."""

from __future__ import annotations

import numpy as np

from simulator.calibrate.producers.senders import Group
from simulator.counterfactual.recorded_arrivals import recorded_arrivals
from tests.simulator.calibrate.made import MS, OK, TIMEOUT, attempts_of, ordinary


def group(producers: int = 1, blocked: str | None = "skip") -> Group:
    return Group("web", tuple(range(producers)), 1, 100.0, "uniform", blocked, {"orders": 1})


def test_every_recorded_message_arrives_when_it_was_sent():
    found = recorded_arrivals(attempts_of(ordinary(1_000), 1_000), [group(4)])
    assert found.filled == 0
    assert found.at_us.tolist() == [at * MS for at in range(0, 1_000, 10)]
    assert found.thread.tolist() == [at // 10 % 4 for at in range(0, 1_000, 10)]


def blocked_for_3_s():
    return attempts_of([*ordinary(1_000, producers=1), (1_000, 3_000, 0, TIMEOUT), *ordinary(6_000, 4_000, 1)], 6_000)


def test_what_a_blocked_thread_would_have_sent_is_filled_in_at_its_gaps():
    found = recorded_arrivals(blocked_for_3_s(), [group()])
    assert 280 < found.filled < 320
    assert np.diff(found.at_us).max() <= 15 * MS


def test_messages_that_waited_for_the_thread_are_recorded_and_need_no_filling():
    assert recorded_arrivals(blocked_for_3_s(), [group(blocked="queue")]).filled == 0


def test_a_message_is_one_arrival_whatever_its_attempts():
    rows = [*ordinary(500, producers=1), (500, 5, 0, TIMEOUT), (505, 1, 0, OK)]
    attempts = attempts_of(rows, 1_000, message=np.append(np.arange(51), 50), send_begin_us=None)
    attempts = attempts_of(rows, 1_000, message=attempts.message, send_begin_us=attempts.begin_us)
    assert len(recorded_arrivals(attempts, [group()]).at_us) == 51


def test_another_seed_changes_the_draws_alone():
    found = recorded_arrivals(attempts_of(ordinary(1_000), 1_000), [group(4)])
    one, other = found.of_seed(1), found.of_seed(2)
    assert (one.at_us == other.at_us).all()
    assert (one.draw != other.draw).all()
