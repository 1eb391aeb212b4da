"""What a consumer group can change that consumes over proxies, and how one comes to them and leaves them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.advice.candidates import Change
from simulator.advice.client_candidates import KIND, OF_ALL, proxy_changes
from simulator.advice.cost_texts import CostTexts
from simulator.releases.grpc_release import NEWEST_GRPC
from simulator.releases.ledger import NEWEST
from simulator.releases.proxy_release import PROXIES
from simulator.scenario import Scenario
from simulator.scenario.checks.held_over_proxies import enough_held_us
from simulator.scenario.consuming.consumers import ConsumerGroup
from simulator.scenario.consuming.grpc_consumer import GrpcConsumer
from simulator.scenario.proxy_settings import INVISIBLE_LEAST_US, INVISIBLE_MOST_US
from simulator.units import format_duration
from state.texts import joined


def changes_to_proxies(scenario: Scenario, name: str, own: ConsumerGroup) -> Iterator[Change]:
    """A remoting group as PushConsumers over gRPC; none where the cluster has no proxies, or the group is in order."""
    if scenario.proxies is None or own.mode.in_order or own.is_broadcasting:
        return
    keys: dict[str, Any] = {f"consumers.{name}.grpc": {"release": NEWEST_GRPC}}
    keys |= {f"consumers.{name}.release": None} if own.release is not None else {}
    keys |= {f"consumers.{name}.consume_mode": "CONCURRENTLY"} if own.is_pop else {}
    costs = CostTexts.ANOTHER_LIBRARY_AND_LOAD()
    yield Change(KIND, f"PushConsumer {NEWEST_GRPC}", keys, costs)


def changes_over_proxies(scenario: Scenario, name: str, own: ConsumerGroup, grpc: GrpcConsumer) -> Iterator[Change]:
    """Of a group over gRPC: invisible times, newer proxies, the other kind of consumer, and the remoting client."""
    given_us = grpc.invisible_duration_ms * 1000
    key = f"consumers.{name}.grpc.invisible_duration"
    shorter, later = [CostTexts.HANDLED_TWICE()], [CostTexts.LATER_AGAIN()]
    if grpc.kind == "push":
        assert scenario.proxies is not None
        given_us, key = scenario.proxies.default_invisible_time_us, "proxies.default_invisible_time"
        shorter, later = [*shorter, OF_ALL], [*later, OF_ALL]
        if not PROXIES[scenario.proxies.release].renews_receipts:
            newer = {"proxies.release": NEWEST}
            if scenario.proxies.is_local:  # they are parts of their brokers
                newer |= {f"brokers.{broker}.release": NEWEST for broker in scenario.brokers}
            yield Change("proxies' release", f"proxies of {NEWEST}", newer, CostTexts.NEWER_PROXIES())
    half_us, double_us = max(given_us // 2, INVISIBLE_LEAST_US), min(2 * given_us, INVISIBLE_MOST_US)
    for us in sorted({half_us, double_us, enough_held_us(own)} - {given_us}):
        text = format_duration(us)
        costs = joined("; ", later if us > given_us else shorter)
        yield Change("invisible time", f"invisible time {text}", {key: text}, costs)
    yield from proxy_changes(scenario)
    yield from _kinds(scenario, name, grpc)


def _kinds(scenario: Scenario, name: str, grpc: GrpcConsumer) -> Iterator[Change]:
    if grpc.kind == "simple":
        keys: dict[str, Any] = {f"consumers.{name}.grpc": {"release": grpc.release}}
        yield Change(KIND, f"PushConsumer {grpc.release}", keys, CostTexts.INSTEAD_OF_RECEIVES())
    others = [own.grpc for other, own in scenario.consumers.items() if other != name]
    alone = all(grpc is None for grpc in (*(own.grpc for own in scenario.producers), *others))
    in_order = scenario.consumers[name].mode.in_order  # a listener of POP in order gets nothing
    for mode, words in (("ORDERLY", "pull in order"),) if in_order else (("CONCURRENTLY", "pull"), ("POP", "POP")):
        keys = {f"consumers.{name}.grpc": None, f"consumers.{name}.consume_mode": mode}
        keys |= {"proxies": None} if alone else {}
        costs = [CostTexts.ANOTHER_LIBRARY(), *([CostTexts.HELD_QUEUES()] if mode != "POP" else [])]
        yield Change(KIND, f"remoting client {scenario.client.release}, {words}", keys, joined("; ", costs))
