"""From one recording of a pair alone, the figures of the other: predicted, recorded, and why they may be apart."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from simulator.counterfactual.calibrated_trace import CalibratedTrace, calibrated_trace
from simulator.counterfactual.untried import until_tried_again
from simulator.run.simulate import simulate_plan
from simulator.scenario import Scenario
from simulator.tolerance import SHARE_POINTS, of_failed
from streaming.importing.recording_format import trace_of_recording
from streaming.proof.pairs.pairs import Pair
from streaming.proof.predictions.predict_scenario import recorded_faults
from streaming.proof.predictions.predicted import RUNS, Predicted, over_runs
from streaming.proof.predictions.prediction import (
    SEEN_TABLES,
    Compared,
    Seen,
    Trouble,
    seen_in_recording,
    seen_in_run,
    topics_of,
    troubles_of,
)
from streaming.proof.texts.proof_texts import ProofTexts
from streaming.recording.recorded_settings import settings_of
from streaming.recording.recording import Recording, load_recording

CLIENT = "client."


@dataclass(frozen=True)
class PairPrediction:
    """What was predicted of a pair's target. causes: of misses, in words, empty without any.

    going_on: the same figures if troubles went on until somebody tried the broker again; empty if nothing is open.
    """

    pair: Pair
    figures: tuple[Predicted, ...]
    going_on: tuple[Predicted, ...]
    causes: tuple[str, ...]

    @property
    def misses(self) -> tuple[Predicted, ...]:
        """The figures that are out of their tolerance, or outside of the runs where chance decides."""
        return tuple(figure for figure in self.figures if figure.is_missed)

    @property
    def is_by_chance(self) -> bool:
        """Whether nothing is missed, and chance decides a figure."""
        return not self.misses and any(figure.is_by_chance for figure in self.figures)

    @property
    def is_between(self) -> bool:
        """Whether what was recorded lies between the predictions of both ends of what the source leaves open."""
        pairs = zip(self.figures, self.going_on, strict=True) if self.going_on else ()
        return bool(self.going_on) and all(_lies_between(one.typical, other.typical) for one, other in pairs)


def _lies_between(one: Compared, other: Compared) -> bool:
    low, high = sorted((one.predicted, other.predicted))
    return low - one.tolerance <= one.recorded <= high + one.tolerance


def predict_pair(pair: Pair, folder: Path, runs: int | None) -> PairPrediction:
    """Run the source's trace under the target's client. Raises InputError for a recording that cannot be read.

    runs: None for 20, and 199 where chance decides a figure.

    Of the target only the client's settings and what is compared are read; of what was done to the brokers of both only
    the moments that first avoidance and return are counted from.
    """
    source, target = (load_recording(str((folder / one.name).resolve())) for one in (pair.source, pair.target))
    trace = trace_of_recording(folder / pair.source.name)
    calibrated = calibrated_trace(trace.attempts(), trace.about.client, trace.about.mode or "sync", trace.about.name)
    topics = topics_of(source) & topics_of(target)
    until_us = 1_000_000 * min(int(one.about["duration_s"]) for one in (source, target))
    recorded = _until(seen_in_recording(target), until_us)
    moments = _troubles(source), _troubles(target)

    def of_runs(calibrated: CalibratedTrace, runs: int | None) -> tuple[Predicted, ...]:
        scenario = _under_client(calibrated, source, target)
        step_ms = min((ms for ms in scenario.client.penalty_tables_ms[1] if ms), default=0)

        def compared_in(one: Scenario) -> list[Compared]:
            seen = _until(seen_in_run(simulate_plan(calibrated.plan(one), one, SEEN_TABLES), topics), until_us)
            return _compared(seen, recorded, list(scenario.brokers), moments, step_ms)

        return tuple(over_runs(scenario, runs, compared_in))

    figures, other = of_runs(calibrated, runs), until_tried_again(calibrated)
    is_missed = any(figure.is_missed for figure in figures)
    going_on = of_runs(other, runs or RUNS) if is_missed and other is not None else ()
    causes = tuple(_causes(calibrated, source)) if is_missed else ()
    return PairPrediction(pair, figures, going_on, causes)


def _under_client(calibrated: CalibratedTrace, source: Recording, target: Recording) -> Scenario:
    """The fitted scenario with the settings of the target's client instead of the source's."""
    ours, theirs = (
        {key: value for key, value in settings_of(one).items() if key.startswith(CLIENT)} for one in (source, target)
    )
    kept = {key: value for key, value in calibrated.fit.client.items() if CLIENT + key not in ours}
    client = kept | {key.removeprefix(CLIENT): value for key, value in theirs.items()}
    return calibrated.with_changes({"client": json.dumps(client)})


def _troubles(recording: Recording) -> list[Trouble]:
    periods: dict[str, list[tuple[int, int]]] = {}
    for fault in recorded_faults(recording):
        at_us, for_us = (int(fault[key].removesuffix("us")) for key in ("at", "for"))
        periods.setdefault(fault["broker"], []).append((at_us, at_us + for_us))
    return troubles_of(periods)


def _until(seen: Seen, until_us: int) -> Seen:
    """What was seen before that moment: recordings of a pair may be of different length."""
    early, penal = seen.attempt_begin_us < until_us, seen.penalty_at_us < until_us
    return replace(
        seen,
        attempt_broker=seen.attempt_broker[early],
        attempt_begin_us=seen.attempt_begin_us[early],
        attempt_ok=seen.attempt_ok[early],
        penalty_broker=seen.penalty_broker[penal],
        penalty_at_us=seen.penalty_at_us[penal],
    )


def _compared(
    predicted: Seen, recorded: Seen, brokers: Sequence[str], moments: tuple[list[Trouble], list[Trouble]], step_ms: int
) -> list[Compared]:
    """Shares of brokers in trouble by name, of the healthy ones as a set; failed messages; avoidance and return."""
    troubled = [trouble.broker for trouble in moments[1]]
    figures = [_share(name, predicted.share(name), recorded.share(name)) for name in troubled]
    pairs = zip(*(_healthy(seen, brokers, troubled) for seen in (predicted, recorded)), strict=True)
    figures += [_share(f"healthy broker {number}", *shares) for number, shares in enumerate(pairs, 1)]
    figures.append(Compared("failed messages", "", predicted.failed, recorded.failed, of_failed(recorded.failed)))
    for ours, theirs in zip(*moments, strict=True):
        first = (
            predicted.first_avoidance(ours.broker, ours.began_us),
            recorded.first_avoidance(theirs.broker, theirs.began_us),
        )
        back = predicted.back(ours.broker, ours.ended_us), recorded.back(theirs.broker, theirs.ended_us)
        figures.append(Compared(f"first avoidance of {theirs.broker}", "s", *first, step_ms / 1000))
        figures.append(Compared(f"return of {theirs.broker}", "s", *back, step_ms / 1000))
    return figures


def _share(name: str, predicted: float, recorded: float) -> Compared:
    return Compared(f"share of attempts, {name}", "%", predicted, recorded, SHARE_POINTS)


def _healthy(seen: Seen, brokers: Sequence[str], troubled: Collection[str]) -> list[float]:
    return sorted(seen.share(broker) for broker in brokers if broker not in troubled)


def _causes(calibrated: CalibratedTrace, source: Recording) -> list[str]:
    """Why a prediction misses: what the source could not show, else nothing that is known."""
    causes: list[str] = []
    done = recorded_faults(source)
    unmet = [fault for fault in done if not _was_found(calibrated, fault)]
    if unmet:
        brokers = ", ".join(sorted({fault["broker"] for fault in unmet}))
        causes.append(ProofTexts.NOBODY_MET(count=len(unmet), times=len(done), brokers=brokers))
    for one in calibrated.fit.findings:
        first, last = one.until_range_us
        if last - first > 1_000_000:
            cause = ProofTexts.END_NOT_KNOWN(
                kind=one.kind, broker=one.broker, at_s=one.at_us / 1e6, first_s=first / 1e6, last_s=last / 1e6
            )
            causes.append(cause)
    return causes or ["not known"]


def _was_found(calibrated: CalibratedTrace, fault: dict[str, Any]) -> bool:
    at, length = (int(fault[key].removesuffix("us")) for key in ("at", "for"))
    return any(
        one.broker == fault["broker"] and one.at_us < at + length and one.until_us > at
        for one in calibrated.fit.findings
    )


def plain(value: float) -> float | str:
    """A figure for JSON: a time that never comes is `never`."""
    return "never" if math.isinf(value) else round(float(np.round(value, 6)), 6)
