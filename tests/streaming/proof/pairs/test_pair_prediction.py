"""From one recording of a pair alone, the other."""

from __future__ import annotations

import pytest

from streaming.proof.pairs.pair_prediction import predict_pair
from streaming.proof.pairs.pairs import pairs_of
from tests.says import Says
from tests.streaming.recordings import TRACES

FROM = {pair.source.name: pair for pair in pairs_of(["live-5.3.3-s4", "live-4.9.8-s3"])}


def figures(found, name):
    return [figure.typical for figure in found.figures if figure.typical.figure.startswith(name)]


def test_what_the_other_release_met_is_predicted():
    found = predict_pair(FROM["live-5.3.3-s4"], TRACES, 2)
    assert (found.misses, found.causes, found.going_on) == ((), (), ())
    (failed,) = figures(found, "failed messages")
    assert (failed.predicted, failed.recorded) == (pytest.approx(8, abs=2), 8)


def test_a_miss_is_reported_with_its_cause_and_the_other_end_of_what_is_open():
    found = predict_pair(FROM["live-4.9.8-s3"], TRACES, 1)
    (missed,) = found.misses
    assert (missed.typical.figure, missed.typical.recorded) == ("failed messages", 32)
    (cause,) = found.causes
    assert cause == Says("proof.end-not-known", kind="hang", broker="broker-b")
    facts = (cause.facts[name] for name in ("at_s", "first_s", "last_s"))
    assert [round(fact, 1) for fact in facts] == [28.0, 31.2, 75.0]
    assert found.is_between
