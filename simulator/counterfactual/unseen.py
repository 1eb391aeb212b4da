"""What an arm's outcome hangs on that the recording cannot tell: in words, and how much of the arm it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.calibrate.calibrate_texts import FittedTexts
from simulator.counterfactual.arms_texts import ArmsTexts
from simulator.counterfactual.calibrated_trace import CalibratedTrace
from simulator.run.run_totals import Totals, bin_us_of
from simulator.scenario import Scenario

SHOWN_LEAST = 0.05  # percent
ALL = 100.0


@dataclass(frozen=True)
class Weight:
    """Of an arm's attempts and messages, in percent.

    untried: attempts on a broker in a stretch in which nobody tried it. unmeasured: those and attempts in stretches in
    which it was tried, but answered too seldom for a latency of its own. filled: arrivals that nobody recorded.
    """

    untried: float
    unmeasured: float
    filled: float


def weight_of(calibrated: CalibratedTrace, scenario: Scenario, totals: Totals) -> Weight:
    """The weight of what is assumed in the runs of an arm."""
    conditions = calibrated.conditions
    bin_us = bin_us_of(scenario.duration_us, scenario.window_us)
    made = totals.bin_attempts
    stretch = np.minimum(np.arange(len(made)) * bin_us // conditions.stretch_us, len(conditions.tried) - 1)
    total, unknown = max(int(made.sum()), 1), np.zeros(len(conditions.tried), bool)
    untried = unmeasured = 0
    for number, name in enumerate(scenario.brokers):
        place = conditions.brokers.index(name) if name in conditions.brokers else None
        tried, measured = (
            (unknown, unknown) if place is None else (conditions.tried[:, place], conditions.measured[:, place])
        )
        untried += int(made[~tried[stretch], number].sum())
        unmeasured += int(made[~measured[stretch], number].sum())
    arrivals = calibrated.arrivals
    has_recorded = calibrated.has_recorded_arrivals(scenario)
    filled = 100.0 * arrivals.filled / max(len(arrivals.at_us), 1) if has_recorded else ALL
    return Weight(100.0 * untried / total, 100.0 * unmeasured / total, filled)


def assumptions(calibrated: CalibratedTrace, weights: dict[str, Weight]) -> list[str]:
    """What is assumed, a sentence each, the weight of each arm with it."""
    found: list[str] = []
    if any(one.untried >= SHOWN_LEAST for one in weights.values()):
        hangs = _listed({arm: one.untried for arm, one in weights.items()})
        found.append(ArmsTexts.UNTRIED(percent=hangs))
    if any(one.unmeasured - one.untried >= SHOWN_LEAST for one in weights.values()):
        hangs = _listed({arm: one.unmeasured - one.untried for arm, one in weights.items()})
        found.append(ArmsTexts.UNMEASURED(percent=hangs))
    filled = {arm: one.filled for arm, one in weights.items() if one.filled < ALL}
    if any(part >= SHOWN_LEAST for part in filled.values()):
        found.append(ArmsTexts.FILLED(percent=_listed(filled)))
    open_ended = [one for one in calibrated.fit.findings if one.has_open_end]
    if open_ended:
        named = "; ".join(f"{one.broker} {one.kind} {one.text}" for one in open_ended[:3])
        more = ArmsTexts.MORE_ENDS(more=len(open_ended) - 3) if len(open_ended) > 3 else ""
        found.append(ArmsTexts.OPEN_ENDS(faults=named, more=more))
    if calibrated.fit.attempts.answered_only:
        found.append(ArmsTexts.ANSWERED_ONLY())
    if not calibrated.fit.client_known:
        found.append(FittedTexts.CLIENT_UNKNOWN())
    return found


def _listed(percents: dict[str, float]) -> str:
    if len(set(percents.values())) == 1:
        return f"{next(iter(percents.values())):.1f} %"
    parts = [f"{value:.1f} % ({arm})" for arm, value in percents.items() if value >= SHOWN_LEAST]
    return ", ".join(parts)
