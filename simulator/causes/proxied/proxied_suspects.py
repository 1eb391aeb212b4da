"""Suspects of clients over proxies: what proxies know too late or not at all, and what they do not do for a client.

Each is a setting that makes a fault worse, and is left out by changing it: the routes of proxies, their measuring of
brokers, the endpoints that they give, the renewal of what a consumer holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from simulator.causes.consequence import SLOW
from simulator.causes.fault_numbers import numbered_faults, stretches_of
from simulator.causes.removals import with_consumers
from simulator.causes.suspect import Removal, Suspect
from simulator.causes.texts.suspect_texts import SuspectTexts, WithoutTexts
from simulator.client.sending.grpc_send import ROUTE_REFRESH_US
from simulator.releases.ledger import first_with
from simulator.releases.proxy_release import PROXIES
from simulator.scenario import Scenario
from simulator.scenario.checks.held_over_proxies import enough_held_us, share_held_too_long
from simulator.scenario.faults.fault_list import FaultPeriod
from simulator.scenario.proxy_settings import ProxySettings
from simulator.units import US_PER_S, format_duration

Stretches = tuple[tuple[int, int], ...]

OF_SENDERS = ("failed", "retries", "duplicates", "waits")
OF_CLIENTS = (*OF_SENDERS, "backlog", "revived", "consumed_twice")
OF_RECEIPTS = ("revived", "consumed_twice")
LEAVES_ROUTES = ("kill", "restart", "rolling_restart")  # name servers see the connection close, and drop the broker
ENDS_PROXIES = ("kill", "restart", "rolling_restart")


def proxied_suspects(scenario: Scenario) -> Iterator[Suspect]:
    """The suspects of a scenario with proxies; none where its faults meet none of these settings."""
    proxies = scenario.proxies
    if proxies is None:
        return
    senders = tuple(own.group for own in scenario.producers if own.grpc is not None)
    receivers = tuple(name for name, own in scenario.consumers.items() if own.grpc is not None)
    if not proxies.is_local:  # else clients choose among brokers themselves
        if senders:
            yield from _of_brokers(scenario, proxies, senders)
        yield from _of_endpoints(scenario, proxies, (*senders, *receivers))
    yield from _of_receipts(scenario, proxies)


def _of_brokers(scenario: Scenario, proxies: ProxySettings, senders: tuple[str, ...]) -> Iterator[Suspect]:
    """What proxies do not know of a broker: that it is gone, until they read the route; that it stands still, never."""
    if proxies.send_latency_enable:
        return
    own_us = proxies.topic_route_service_cache_refresh_us
    gone = _stretches(scenario, "broker", LEAVES_ROUTES, own_us)
    if gone and own_us > US_PER_S:
        text = SuspectTexts.ROUTES_KEPT(age=format_duration(own_us))
        remove = _with_proxies(topic_route_service_cache_refresh_us=US_PER_S)
        yield Suspect("routes", text, gone, remove, OF_SENDERS, WithoutTexts.ROUTES(), senders)
    stays = _stretches(scenario, "broker", _broker_kinds(scenario) - set(LEAVES_ROUTES))
    if stays:
        own, first = proxies.release, first_with(PROXIES, "measures")
        text, short = SuspectTexts.NOT_MEASURED(release=own), WithoutTexts.MEASURING()
        if not PROXIES[own].measures:
            text, short = (
                SuspectTexts.CANNOT_MEASURE(release=own, first=first),
                WithoutTexts.MEASURING_SINCE(first=first),
            )
        release = own if PROXIES[own].measures else first
        remove = _with_proxies(send_latency_enable=True, start_detector_enable=True, release=release)
        yield Suspect("unmeasured", text, stays, remove, OF_SENDERS, short, senders)


def _of_endpoints(scenario: Scenario, proxies: ProxySettings, clients: tuple[str, ...]) -> Iterator[Suspect]:
    """Clients that know one proxy alone until they ask for their routes again."""
    if proxies.lists_all or proxies.count < 2:
        return
    ends = _stretches(scenario, "proxy", ENDS_PROXIES, ROUTE_REFRESH_US)
    if ends:
        text = SuspectTexts.ONE_PROXY_NAMED()
        remove = _with_proxies(use_endpoint_port_from_request=True)
        yield Suspect("one_host", text, ends, remove, OF_CLIENTS, WithoutTexts.PORTS(), clients)


def _of_receipts(scenario: Scenario, proxies: ProxySettings) -> Iterator[Suspect]:
    """Groups whose messages come again while a client is at them."""
    whole = ((0, scenario.duration_us),)
    for name, group in scenario.consumers.items():
        if group.grpc is None or not share_held_too_long(group, proxies):
            continue
        if group.grpc.kind == "push":
            first = next(one for one, own in PROXIES.items() if own.renews_receipts and _is_later(one, proxies.release))
            given = format_duration(proxies.default_invisible_time_us)
            text = SuspectTexts.NOT_RENEWED(release=proxies.release, group=name, invisible=given)
            remove, short = _with_proxies(release=first), WithoutTexts.NEWER_PROXIES(release=first)
        else:
            enough_us = enough_held_us(group)
            given = format_duration(group.grpc.invisible_duration_ms * 1000)
            text = SuspectTexts.HELD_TOO_LONG(group=name, invisible=given)
            grpc = group.grpc.model_copy(update={"invisible_duration_ms": enough_us // 1000})
            remove = with_consumers(name, grpc=grpc)
            short = WithoutTexts.ENOUGH_TIME(enough=format_duration(enough_us))
        yield Suspect(f"renewal {name}", text, whole, remove, OF_RECEIPTS, short, (name,), SLOW)


def _is_later(release: str, than: str) -> bool:
    order = list(PROXIES)
    return order.index(release) > order.index(than)


def _broker_kinds(scenario: Scenario) -> set[str]:
    return {fault.kind for fault in scenario.faults if fault.brokers is not None}


def _stretches(scenario: Scenario, target: str, kinds: Collection[str], later_us: int = 0) -> Stretches:
    """When faults of some kinds strike brokers or proxies, each for so much longer."""
    found: list[FaultPeriod] = []
    for _, periods in numbered_faults(scenario).values():
        for one in periods:
            is_struck = bool(one.broker) if target == "broker" else "proxy" in one.details
            if is_struck and one.kind in kinds:
                found.append(one._replace(until_us=one.until_us + later_us))
    return stretches_of(sorted(found))


def _with_proxies(**values: object) -> Removal:
    """The proxies have other settings."""

    def remove(scenario: Scenario) -> Scenario:
        assert scenario.proxies is not None
        return scenario.model_copy(update={"proxies": scenario.proxies.model_copy(update=values)})

    return remove
