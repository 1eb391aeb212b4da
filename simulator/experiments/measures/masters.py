"""How long replica sets had no master."""

from __future__ import annotations

from simulator.experiments.texts.measure_texts import MeasureTexts
from simulator.plan.failover.role_stretches import has_sets, is_set, without_master
from simulator.scenario import Scenario


def no_master_us(scenario: Scenario, warm_up_us: int) -> tuple[int | None, ...]:
    """Time after the warm-up in which no machine of a set was its master and answered, by broker; None of no set."""
    if not has_sets(scenario):
        return (None,) * len(scenario.brokers)
    gaps = without_master(scenario)
    return tuple(
        sum(max(until_us - max(from_us, warm_up_us), 0) for from_us, until_us in gaps[name]) if name in gaps else None
        for name in scenario.brokers
    )


def why_no_masters(measure: str, scenario: Scenario) -> str | None:
    """Why no run of a scenario has the measure, None if its runs can have it; measure: with a broker in brackets."""
    name = measure.partition("[")[2].removesuffix("]")
    if name in scenario.brokers and not is_set(scenario.brokers[name]):
        return MeasureTexts.NOT_A_SET(broker=name)
    return None if has_sets(scenario) else MeasureTexts.NO_SET()
