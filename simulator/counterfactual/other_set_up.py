"""Arms with other brokers or producers than were recorded: what is assumed of them, in words."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.counterfactual.arms_texts import ArmsTexts
from simulator.counterfactual.calibrated_trace import CalibratedTrace
from simulator.scenario import Scenario
from state.texts import listed


def changed_set_ups(calibrated: CalibratedTrace, arms: Mapping[str, Scenario]) -> list[str]:
    """A sentence for each set of brokers that were not there, and one for arms with other producers."""
    by_words: dict[str, list[str]] = {}
    for arm, scenario in arms.items():
        alike = calibrated.alike(scenario)
        for name in scenario.brokers:
            if name not in calibrated.fitted.brokers:
                broker = alike.get(name)
                as_slow = ArmsTexts.AS_SLOW_AS(broker=broker) if broker else ArmsTexts.AS_SLOW_AS_SAID()
                by_words.setdefault(ArmsTexts.NEW_BROKER(name=name, as_slow=as_slow), []).append(arm)
        if not calibrated.has_recorded_arrivals(scenario):
            by_words.setdefault(ArmsTexts.OTHER_PRODUCERS(), []).append(arm)
    return [ArmsTexts.IN_ARMS(arms=listed(found), what=words) for words, found in by_words.items()]
