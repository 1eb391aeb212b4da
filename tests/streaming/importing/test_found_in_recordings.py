"""What calibration finds in the recordings, held against what was really done to the brokers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from simulator.calibrate.attempts import TraceAttempts
from simulator.calibrate.found_fault import FoundFault
from simulator.calibrate.troubles import find_troubles
from simulator.scenario.client_settings import ClientSettings
from streaming.importing.recording_format import trace_of_recording
from streaming.proof.predictions.predict_scenario import recorded_faults
from streaming.recording.recording import load_recording
from tests.streaming.recordings import TRACES

NAMES = sorted(path.stem for path in TRACES.glob("live-*.parquet"))
NEAR_US = 200_000
HANG_LEAST_US = 390_000  # a stop of 400 ms as it came out
Done = tuple[str, str, int, int]  # broker, kind, begin, end


@cache
def read(name: str) -> tuple[TraceAttempts, list[FoundFault]]:
    trace = trace_of_recording(TRACES / name)
    attempts = trace.attempts()
    return attempts, find_troubles(attempts, ClientSettings.model_validate(trace.about.client))


def met_by_a_producer(name: str) -> list[Done]:
    """What was done to a broker while a request to it was under way or was sent."""
    attempts, _ = read(name)
    done = []
    for fault in recorded_faults(load_recording(str(TRACES / name))):
        begin = int(fault["at"].removesuffix("us"))
        end = begin + int(fault["for"].removesuffix("us"))
        rows = attempts.of_broker(attempts.brokers.index(fault["broker"]))
        met = (attempts.begin_us[rows] < end) & (attempts.end_us[rows] > begin)
        if met.any() and end - begin >= HANG_LEAST_US:
            done.append((fault["broker"], fault["kind"], begin, end))
    return done


def interval_us(attempts: TraceAttempts, broker: str, at_us: int) -> int:
    """From the last attempt on the broker that began before to the first after."""
    begin = attempts.begin_us[attempts.of_broker(attempts.brokers.index(broker))]
    place = int(np.searchsorted(begin, at_us))
    return int(begin[min(place, len(begin) - 1)] - begin[max(place - 1, 0)])


@pytest.mark.parametrize("name", NAMES)
def test_everything_that_a_producer_met_is_found(name):
    attempts, findings = read(name)
    missed = []
    for broker, kind, begin, end in met_by_a_producer(name):
        kinds = ("hang",) if kind == "hang" else ("kill",)
        near = max(NEAR_US, interval_us(attempts, broker, begin))
        if not any(
            one.broker == broker and one.kind in kinds and abs(one.at_us - begin) <= near
            and one.until_range_us[0] - NEAR_US <= end <= one.until_range_us[1] + NEAR_US
            for one in findings
        ):  # fmt: skip
            missed.append((broker, kind, begin, end))
    assert missed == []


@pytest.mark.parametrize("name", NAMES)
def test_nothing_else_is_found(name):
    done = met_by_a_producer(name)
    silent = [one for one in read(name)[1] if one.kind not in ("code", "status")]
    invented = [
        one for one in silent if not any(one.broker == b and one.at_us < e and one.until_us > s for b, _, s, e in done)
    ]
    assert invented == []


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("-s2")])
def test_a_healthy_recording_shows_nothing(name):
    assert read(name)[1] == []


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("-s10")])
def test_the_overloaded_broker_answers_busy(name):
    attempts, findings = read(name)
    busy = [one for one in findings if one.kind == "code"]
    assert {(one.broker, one.value) for one in busy} == {("broker-b", 2)}
    begin = attempts.begin_us[attempts.code == 2]
    covered = np.zeros(len(begin), bool)
    for one in busy:
        covered |= (one.at_us <= begin) & (begin <= one.until_us)
    assert covered.all()
