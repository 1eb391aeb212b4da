"""A scenario that is changed while it runs: from a moment on it has other rates, and other faults are to come.

What came before that moment stays as it was, so that the amended scenario tells the whole run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from simulator.scenario.faults.fault_list import Fault, FaultPeriod
from simulator.scenario.loading.scenario_file import parse_scenario
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.rate_changes import rate_changes_text
from simulator.scenario.reading.nested_keys import key_differences
from simulator.scenario.reading.scenario_error import ScenarioError
from simulator.scenario.scenario import Scenario
from simulator.scenario.texts.amendment_texts import AmendmentTexts
from simulator.scenario.texts.reading_texts import ReadingTexts
from simulator.units import format_duration, format_rate
from state.texts import at

MAY_CHANGE = AmendmentTexts.MAY_CHANGE()
# Rows that were put out already say which copies are kept, so that such a loss has to be known from the begin on.
KNOWN_FROM_THE_BEGIN = ("power_loss", "disk_loss")


@dataclass(frozen=True)
class Amendment:
    """The scenario of the whole run, and what is changed in it, a sentence each; no changes: it is as it was."""

    scenario: Scenario
    changes: tuple[str, ...]


def amended(running: Scenario, wanted: Scenario, at_us: int) -> Amendment:
    """The running scenario, which from `at_us` on is as `wanted` says.

    Raises ScenarioError with one sentence for what may not change.
    """
    kept = _difference(running, wanted)
    if kept is not None:
        raise ScenarioError([ReadingTexts.KEPT_BY_A_RUN(may_change=MAY_CHANGE).at(kept)])
    pairs = list(zip(running.producers, wanted.producers, strict=True))
    groups = tuple(_group(own, other, at_us) for own, other in pairs)
    faults, texts = _faults(running, wanted, at_us)
    made = next((name for name, topic in running.topics.items() if topic.auto_create), None)
    if texts and made is not None:
        raise ScenarioError([ReadingTexts.BROKERS_OF_A_MADE_TOPIC(topic=made).at("faults")])  # fmt: skip
    changes = [
        *(text for (own, _), new in zip(pairs, groups, strict=True) for text in _group_texts(own, new, at_us)),
        *texts,
    ]
    if not changes:
        return Amendment(running, ())
    plain = running.model_copy(update={"producers": groups, "faults": faults})
    found = parse_scenario(plain.to_yaml(), source="the changed scenario")
    if _begun(found, at_us) != _begun(running, at_us):
        raise ScenarioError([ReadingTexts.DRAWN_BY_PLACE().at("faults")])
    return Amendment(found, tuple(changes))


def _begun(scenario: Scenario, at_us: int) -> list[FaultPeriod]:
    return [period for period in scenario.fault_periods() if period.at_us < at_us]


def _without_load(scenario: Scenario) -> Scenario:
    """The scenario with what may change left out."""
    groups = tuple(
        group.model_copy(update={"rate_per_s": group.rate_per_s and Fraction(1), "rate_changes": ()})
        for group in scenario.producers
    )
    return scenario.model_copy(update={"producers": groups, "faults": (), "description": None})


def _difference(running: Scenario, wanted: Scenario) -> str | None:
    """The first thing that may not change and does, as words."""
    if running.name != wanted.name:
        return ReadingTexts.OTHER_NAME(name=running.name, new_name=wanted.name).at("name")
    there, here = _without_load(running), _without_load(wanted)
    if there.digest() == here.digest():  # however it is spelt
        return None
    for key, before, now in key_differences(*(one.model_dump(mode="json", by_alias=True) for one in (there, here))):
        return AmendmentTexts.OTHER_VALUE(before=_shown(before), now=_shown(now)).at(key)
    return AmendmentTexts.ANOTHER_SCENARIO()


def _shown(value: Any) -> str:
    return AmendmentTexts.NOT_SET() if value is None else str(value)


def _group(own: ProducerGroup, wanted: ProducerGroup, at_us: int) -> ProducerGroup:
    """The group with the wanted rates from `at_us` on."""
    if at_us == 0:
        return own.model_copy(update={"rate_per_s": wanted.rate_per_s, "rate_changes": wanted.rate_changes})
    before = [change for change in own.rate_changes if change[0] < at_us]
    rate = before[-1][1] if before else own.rate_per_s
    now = wanted.rate_at(at_us)
    changes = [*before, (at_us, now)] if rate is not None and now != rate else before
    changes += [change for change in wanted.rate_changes if change[0] > at_us]
    return own.model_copy(update={"rate_changes": tuple(changes)})


def _group_texts(own: ProducerGroup, new: ProducerGroup, at_us: int) -> Iterator[str]:
    before, now = own.rate_at(at_us), new.rate_at(at_us)
    if before != now:
        yield ReadingTexts.RATE_CHANGED(group=own.group, rate=format_rate(before), new_rate=format_rate(now))
    later = [tuple(change for change in group.rate_changes if change[0] > at_us) for group in (own, new)]
    if later[0] != later[1]:
        texts = [", ".join(f"{at}: {rate}" for at, rate in rate_changes_text(some).items()) for some in later]
        yield ReadingTexts.LATER_RATES_CHANGED(group=own.group, rates=texts[0] or "none", new_rates=texts[1] or "none")


def _faults(running: Scenario, wanted: Scenario, at_us: int) -> tuple[tuple[Fault, ...], list[str]]:
    """The faults of the whole run, and what is changed."""
    new, found, texts = list(wanted.faults), list[Fault](), list[str]()
    for fault in running.faults:
        if fault in new:
            new.remove(fault)
            found.append(fault)
            continue
        kept, text = _left_out(fault, running.duration_us, at_us)
        found += [kept] if kept is not None else []
        texts += [at(_title(fault, running), text)] if text else []
    for fault in new:
        place = f"faults[{wanted.faults.index(fault)}]"
        if fault.at_us < at_us:
            text = ReadingTexts.FAULT_IN_THE_PAST(at=format_duration(fault.at_us), now=format_duration(at_us))
            raise ScenarioError([text.at(f"{place}.at")])
        if fault.kind in KNOWN_FROM_THE_BEGIN:
            raise ScenarioError([ReadingTexts.KIND_NOT_ADDED(kind=fault.kind).at(f"{place}.kind")])  # fmt: skip
        texts.append(AmendmentTexts.ADDED(at=format_duration(fault.at_us)).at(_title(fault, wanted)))
    return (*found, *new), texts


def _left_out(fault: Fault, duration_us: int, at_us: int) -> tuple[Fault | None, str]:
    """What stays of a fault that is not in the file any more, and the line that reports it."""
    if fault.at_us >= at_us:
        return None, AmendmentTexts.REMOVED()
    last_us = max(start for start in fault.starts_us(duration_us) if start < at_us)
    over_us = duration_us if fault.for_us is None else min(last_us + fault.for_us, duration_us)
    until, goes_on = format_duration(over_us), over_us > at_us
    text = AmendmentTexts.CONTINUES(until=until) if goes_on else ""
    if fault.every_us is None:
        return fault, text
    if last_us + fault.every_us >= min(fault.until_us or duration_us, duration_us):
        return fault, text  # it would not have come back
    text = AmendmentTexts.CONTINUES_NO_MORE(until=until) if goes_on else AmendmentTexts.NO_MORE()
    return fault.model_copy(update={"until_us": max(over_us, at_us)}), text


def _title(fault: Fault, scenario: Scenario) -> str:
    """What reports call it, of the first place that it strikes."""
    brokers, servers = list(scenario.brokers), scenario.name_servers.count
    struck = scenario.instances, scenario.transactional, scenario.proxy_names
    periods = fault.periods(fault.at_us + 1, brokers, servers, scenario.seed, 0, *struck)
    return next(periods).title


def from_now_on(running: Scenario, wanted: Scenario, at_us: int) -> Scenario:
    """The wanted scenario with the moments of faults that the running one has not counted from `at_us` on."""

    def moved(fault: Fault) -> Fault:
        until_us = None if fault.until_us is None else fault.until_us + at_us
        return fault.model_copy(update={"at_us": fault.at_us + at_us, "until_us": until_us})

    faults = tuple(fault if fault in running.faults else moved(fault) for fault in wanted.faults)
    return wanted.model_copy(update={"faults": faults})
