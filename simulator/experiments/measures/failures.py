"""What is measured of deliveries that fail: how many come again, how many are given up, and of which groups."""

from __future__ import annotations

import math

from simulator.experiments.measures.draining import count
from simulator.experiments.texts.measure_texts import MeasureTexts
from simulator.plan.consumers.own_topics import groups_that_fail
from simulator.run.run_totals import Totals
from simulator.scenario import Scenario


def dead_letters(totals: Totals, group: int) -> float:
    """Messages that were given up; nan of a group that consumed none."""
    return float(count(totals, group, "dead_letters")) if count(totals, group, "consumed") else math.nan


def retried_percent(totals: Totals, scenario: Scenario, group: int) -> float:
    """Consumptions after which the message comes again, of all: through the retry topic, or in place."""
    consumed, retried = count(totals, group, "consumed"), count(totals, group, "sent_back")
    if list(scenario.consumers.values())[group].consume_mode == "ORDERLY":
        # what is given up is the rest of what failed
        retried = count(totals, group, "failed") - count(totals, group, "dead_letters")
    return 100 * retried / consumed if consumed else math.nan


def why_no_failures(name: str, scenario: Scenario, group: str) -> str | None:
    """Why a group has no such measure of failures, None if it has. Proxies give up what is popped too often."""
    own = scenario.consumers.get(group)
    if own is not None and own.is_pop and not own.is_broadcasting:
        is_measured = name == "dead_letters" and own.grpc is not None
        return None if is_measured else MeasureTexts.POPS(measure=name, group=group)
    if group not in groups_that_fail(scenario):
        return MeasureTexts.HANDLES_ALL(group=group or MeasureTexts.EVERY_GROUP())
    return None
