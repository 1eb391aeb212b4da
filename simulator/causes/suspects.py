"""The suspects of a scenario: all that may have caused what happens in it, and can be left out."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.causes.consequence import SLOW
from simulator.causes.demand import demand_of
from simulator.causes.fault_numbers import numbered_faults, stretches_of
from simulator.causes.proxied.proxied_suspects import proxied_suspects
from simulator.causes.removals import (
    with_ample_send_threads,
    with_ample_threads,
    with_consumers,
    without_autoscale,
    without_fault,
    without_hash,
    without_isolation,
    without_rate_step,
)
from simulator.causes.suspect import Suspect
from simulator.causes.texts.suspect_texts import SuspectTexts, WithoutTexts
from simulator.causes.transactions.transaction_suspects import transaction_suspects
from simulator.scenario import Scenario
from simulator.scenario.checks.invisible_time import enough_invisible_us, share_invisible_too_shortly
from simulator.scenario.checks.utilisation import broker_utilisation, capacity_per_s
from simulator.scenario.faults.fault_kinds import KINDS
from simulator.scenario.faults.what_happens import happens_to
from simulator.units import format_duration, format_rate
from state.texts import listed

OF_INVISIBLE_TIME = ("revived", "consumed_twice")
FULL = 0.95  # utilisation of a broker's send threads from which on its queue grows long by chance alone


def suspects_of(scenario: Scenario) -> list[Suspect]:
    """The suspects: faults first, in the order of their numbers. Their ids differ."""
    return [
        *_faults(scenario), *_rates(scenario), *_too_slow(scenario), *_failing(scenario), *_settings(scenario),
        *proxied_suspects(scenario), *transaction_suspects(scenario),
    ]  # fmt: skip


def clock(us: int) -> str:
    """Virtual time as m:ss."""
    return f"{us // 60_000_000}:{us // 1_000_000 % 60:02}"


def _faults(scenario: Scenario) -> Iterator[Suspect]:
    for number, (place, periods) in numbered_faults(scenario).items():
        fault, stretches = scenario.faults[place], stretches_of(periods)
        struck = (fault.brokers, fault.consumers, fault.struck_producers, fault.struck_proxies)
        places = [place for places in struck for place in places or ()]
        where = listed(places) or periods[0].title.removesuffix(f" {KINDS[fault.kind].title}")
        text = fault.label or happens_to(where, KINDS[fault.kind].title, max(len(places), 1))
        yield Suspect(number, text, stretches, without_fault(place))


def _rates(scenario: Scenario) -> Iterator[Suspect]:
    for group in scenario.producers:
        edges = [*(at_us for at_us, _ in group.rate_changes), scenario.duration_us]
        for place, (at_us, rate) in enumerate(group.rate_changes):
            before = group.rate_at(at_us - 1)
            if rate <= before or at_us >= scenario.duration_us:
                continue  # less load makes nothing worse
            until_us = min(edges[place + 1], scenario.duration_us)
            text = SuspectTexts.RATE_RISES(group=group.group, before=format_rate(before), after=format_rate(rate))
            remove, short = without_rate_step(group.group, at_us), WithoutTexts.RISE(at=clock(at_us))
            yield Suspect(f"rate {group.group} {clock(at_us)}", text, ((at_us, until_us),), remove, without=short)


def _too_slow(scenario: Scenario) -> Iterator[Suspect]:
    for name in scenario.consumers:
        demand = demand_of(scenario, name)
        if demand is not None:
            load, capacity = per_s(demand.load_per_s), per_s(demand.capacity_per_s)
            text, remove = SuspectTexts.TOO_SMALL(group=name, load=load, capacity=capacity), with_ample_threads(name)
            yield Suspect(f"threads {name}", text, demand.stretches, remove, without=WithoutTexts.AMPLE_THREADS())
    yield from _too_slow_brokers(scenario)


def _too_slow_brokers(scenario: Scenario) -> Iterator[Suspect]:
    """Brokers that are asked for more than they serve, always or while a fault takes one of the others away."""
    found: dict[str, tuple[float, tuple[int, int]]] = {}
    whole = scenario.duration_us
    struck = {(period.broker, period.at_us) for period in scenario.fault_periods() if period.broker}
    first: dict[str, int] = {}
    for gone, at_us in sorted(struck, key=lambda one: -one[1]):
        first[gone] = at_us
    for gone, since_us in {"": 0, **first}.items():
        for name, busy in broker_utilisation(scenario, gone).items():
            if busy.utilisation >= FULL and name not in found:
                found[name] = busy.utilisation, (max(busy.at_us, since_us), whole)
    for name, (utilisation, stretch) in found.items():
        most = capacity_per_s(scenario.brokers[name])
        text = SuspectTexts.TOO_SLOW(broker=name, load=per_s(utilisation * most), capacity=per_s(most))
        remove, short = with_ample_send_threads(name), WithoutTexts.AMPLE_SEND_THREADS(broker=name)
        yield Suspect(f"send_threads {name}", text, (stretch,), remove, without=short)


def per_s(value: float) -> str:
    """A rate as text: three digits, or whole."""
    return f"{value:,.0f}/s" if value >= 100 else f"{value:.3g}/s"


def _failing(scenario: Scenario) -> Iterator[Suspect]:
    whole = ((0, scenario.duration_us),)
    for name, group in scenario.consumers.items():
        if group.fails_always is not None:
            text = SuspectTexts.POISON(group=name, percent=f"{group.fails_always / 10_000:g}")
            remove = with_consumers(name, fails_always=0)
            yield Suspect(f"poison {name}", text, whole, remove, without=WithoutTexts.POISON())
        if group.fails is not None:
            text = SuspectTexts.FAILS(group=name, percent=f"{group.fails / 10_000:g}")
            remove = with_consumers(name, fails=0)
            yield Suspect(f"fails {name}", text, whole, remove, without=WithoutTexts.FAILURES())


def _settings(scenario: Scenario) -> Iterator[Suspect]:
    whole = ((0, scenario.duration_us),)
    hashed = {topic for own in scenario.producers if own.selector.kind == "hash" for topic in own.topics}
    for topic in sorted(hashed):
        text = SuspectTexts.HOT_QUEUE(topic=topic)
        yield Suspect(f"hot_queue {topic}", text, whole, without_hash(topic), without=WithoutTexts.KEYS())
    for name, group in scenario.consumers.items():
        if group.backlog is not None:
            remove = with_consumers(name, backlog=None)
            text = SuspectTexts.STARTS_BEHIND(group=name)
            yield Suspect(f"backlog {name}", text, whole, remove, without=WithoutTexts.BACKLOG())
        if share_invisible_too_shortly(group):
            invisible, enough_us = format_duration(group.pop_invisible_time_us), enough_invisible_us(group)
            text = SuspectTexts.INVISIBLE_TOO_SHORTLY(group=name, invisible=invisible)
            remove = with_consumers(name, pop_invisible_time_us=enough_us)
            short = WithoutTexts.ENOUGH_TIME(enough=format_duration(enough_us))
            yield Suspect(f"invisible {name}", text, whole, remove, OF_INVISIBLE_TIME, short, (name,), SLOW)
        if group.autoscale is not None:
            text, remove = SuspectTexts.AUTOSCALES(group=name), without_autoscale(name)
            yield Suspect(f"autoscale {name}", text, whole, remove, without=WithoutTexts.AUTOSCALING())
    if any(client.send_latency_fault_enable for client in scenario.clients):
        text = SuspectTexts.ISOLATES(releases=" and ".join(scenario.releases))
        yield Suspect("client", text, whole, without_isolation, without=WithoutTexts.ISOLATION())
