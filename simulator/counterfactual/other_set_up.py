"""Arms with other brokers or producers than were recorded: what is assumed of them, in words."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.counterfactual.calibrated_trace import CalibratedTrace
from simulator.experiments.words import listed
from simulator.scenario import Scenario


def changed_set_ups(calibrated: CalibratedTrace, arms: Mapping[str, Scenario]) -> list[str]:
    """A sentence for each set of brokers that were not there, and one for arms with other producers."""
    by_words: dict[str, list[str]] = {}
    for arm, scenario in arms.items():
        alike = calibrated.alike(scenario)
        for name in scenario.brokers:
            if name not in calibrated.fitted.brokers:
                as_slow = f"as slow as {alike[name]} was at each time" if name in alike else "as slow as the arm says"
                words = f"{name} was not there: it is {as_slow}, and what it takes off the others makes them no faster"
                by_words.setdefault(words, []).append(arm)
        if not calibrated.has_recorded_arrivals(scenario):
            words = "the producers are not those of the recording: they make messages of their own, at the fitted rates"
            by_words.setdefault(words, []).append(arm)
    return [f"In {listed(found)} {words}." for words, found in by_words.items()]
