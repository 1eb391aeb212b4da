"""Trace messages a second, of sends and consumptions that come by a Poisson process, by release."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.client.sending.trace_batches import Traced
from simulator.kernel.latency import table_of_points_us
from simulator.releases.trace_release import TRACES

RELEASES = {"4.4.0": 0, "4.9.3": 0, "4.9.4": 1, "5.3.0": 1, "5.3.1": 2, "5.5.0": 2}
EXPECTED = {1: (1.0, 0.6, 0.2), 10: (9.5, 1.5, 1.0), 100: (61, 1.7, 10), 1_000: (14, 1.7, 100)}


@pytest.mark.parametrize(("release", "place"), RELEASES.items())
@pytest.mark.parametrize("per_s", EXPECTED)
def test_a_release_gathers_contexts_by_its_own_rule(release, place, per_s):
    assert TRACES[release].batches(Traced(per_s)) == pytest.approx(EXPECTED[per_s][place], rel=0.08)


@pytest.mark.parametrize("release", ["4.9.3", "4.9.4", "5.3.1"])
@pytest.mark.parametrize("per_s", [0.0, 0.001, 0.5, 37.0, 1e5])
@pytest.mark.parametrize("apart", [(), ((1.0, table_of_points_us([(0, 20_000), (1, 20_000)])),)])
@pytest.mark.parametrize("topics", [(1.0,), (3.0, 1.0)])
def test_there_are_never_more_messages_than_contexts(release, per_s, apart, topics):
    traced = Traced(per_s, topics, apart)
    assert 0 <= TRACES[release].batches(traced) <= traced.contexts_per_s * (1 + 1e-9)
    assert (TRACES[release].batches(traced) == 0) is (per_s == 0)


def test_there_is_no_trace_before_4_4_0():
    assert [release for release, own in TRACES.items() if not own.has_trace] == ["4.2.0", "4.3.0", "4.3.1", "4.3.2"]


def contexts(per_s, apart_s, count=60_000, topics=1):
    """When contexts come and of which topic: of sends, or of consumptions that take so long."""
    drawn = np.random.default_rng(7)
    begin_s, topic = np.cumsum(drawn.exponential(1 / per_s, count)), drawn.integers(0, topics, count)
    if apart_s is None:
        return [*zip(begin_s, topic, strict=True)]
    pairs = [*zip(begin_s, topic, strict=True), *zip(begin_s + apart_s, topic, strict=True)]
    return sorted(pairs)


def by_gaps(came):
    """The loop of AsyncTraceDispatcher up to 4.9.3: polls that wait for 5 ms, a hundred at most."""
    messages, batch, last_s = 0, [], came[0][0]
    for at_s, topic in came:
        if batch and (at_s - last_s > 0.005 or len(batch) == 100):
            messages += len(set(batch))
            batch = []
        batch.append(topic)
        last_s = at_s
    return messages


def by_time(came):
    """That from 4.9.4 on: looks each 100 ms whether the first context has waited for 500 ms."""
    messages, sent_s = 0, -1.0
    for at_s, _ in came:
        if at_s > sent_s:
            messages += 1
            sent_s = (np.floor((at_s + 0.5) / 0.1) + 1) * 0.1
    return messages


def by_count(came):
    """That from 5.3.1 on: ten contexts, or what is there 5 s after the last message."""
    messages, batch, sent_s = 0, [], -10.0
    for at_s, topic in came:
        if batch and at_s > sent_s + 5:
            messages, batch, sent_s = messages + len(set(batch)), [], sent_s + 5
        batch.append(topic)
        if len(batch) == 10 or at_s > sent_s + 5:
            messages, batch, sent_s = messages + len(set(batch)), [], at_s
    return messages


LOOPS = {"4.9.3": by_gaps, "4.9.4": by_time, "5.3.1": by_count}


@pytest.mark.parametrize("release", LOOPS)
@pytest.mark.parametrize("per_s", [0.2, 2, 20, 200])
@pytest.mark.parametrize("apart_s", [None, 0.002, 0.02, 1.0])
@pytest.mark.parametrize("topics", [1, 3])
def test_messages_are_as_many_as_the_loop_of_the_dispatcher_makes(release, per_s, apart_s, topics):
    came = contexts(per_s, apart_s, topics=topics)
    apart = () if apart_s is None else ((1.0, table_of_points_us([(0, int(apart_s * 1e6)), (1, int(apart_s * 1e6))])),)
    expected = TRACES[release].batches(Traced(per_s, [1.0] * topics, apart))
    assert expected == pytest.approx(LOOPS[release](came) / (came[-1][0] - came[0][0]), rel=0.16)
