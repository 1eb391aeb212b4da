"""Trace messages a second, of contexts that come by a Poisson process, by release."""

from __future__ import annotations

import pytest

from simulator.releases.trace_release import TRACES

RELEASES = {"4.4.0": 0, "4.9.3": 0, "4.9.4": 1, "5.3.0": 1, "5.3.1": 2, "5.5.0": 2}
EXPECTED = {1: (1.0, 0.6, 0.2), 10: (9.5, 1.5, 1.0), 100: (61, 1.7, 10), 1_000: (14, 1.7, 100)}


@pytest.mark.parametrize(("release", "place"), RELEASES.items())
@pytest.mark.parametrize("per_s", EXPECTED)
def test_a_release_gathers_contexts_by_its_own_rule(release, place, per_s):
    assert TRACES[release].batches(per_s) == pytest.approx(EXPECTED[per_s][place], rel=0.08)


@pytest.mark.parametrize("release", ["4.9.3", "4.9.4", "5.3.1"])
@pytest.mark.parametrize("per_s", [0.001, 0.5, 37.0, 1e5])
def test_there_are_never_more_messages_than_contexts(release, per_s):
    assert 0 < TRACES[release].batches(per_s) <= per_s * (1 + 1e-9)


def test_there_is_no_trace_before_4_4_0():
    assert [release for release, own in TRACES.items() if not own.has_trace] == ["4.2.0", "4.3.0", "4.3.1", "4.3.2"]
