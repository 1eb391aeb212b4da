"""What does not fit groups of gRPC producers, their proxies and the rest of a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from simulator.scenario.client_settings import ClientSettings
from simulator.scenario.consuming.consumers import ConsumerGroup
from simulator.scenario.faults.fault_list import Fault
from simulator.scenario.network import NetworkLink
from simulator.scenario.problems.first_proxy_problems import first_proxy_problems
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.proxy_settings import ProxySettings
from simulator.scenario.reading.scenario_error import Problem
from simulator.scenario.texts.broker_texts import BrokerTexts
from simulator.scenario.topics import Topic

LINKED = ("partition", "packet_loss", "slow_link")


def group_problems(group: ProducerGroup) -> Iterator[Problem]:
    """What a group of gRPC producers cannot have; paths begin in the group."""
    if group.mode == "oneway":
        yield Problem(("mode",), BrokerTexts.GRPC_ONE_WAY())
    if group.batch > 1:
        yield Problem(("batch",), BrokerTexts.GRPC_BATCH(got=group.batch))
    if group.selector.kind not in ("none", "hash"):
        text = BrokerTexts.GRPC_SELECTOR(got=group.selector.kind)
        yield Problem(("selector",), text)
    if group.client is not None:
        yield Problem(("client",), BrokerTexts.REMOTING_SETTINGS())
    if group.delay is not None and group.delay.level is not None:
        yield Problem(("delay", "level"), BrokerTexts.GRPC_DELAY_LEVEL())


def proxy_problems(
    producers: Sequence[ProducerGroup],
    consumers: Mapping[str, ConsumerGroup],
    proxies: ProxySettings | None,
    client: ClientSettings,
    topics: Mapping[str, Topic],
    cells: int,
) -> Iterator[Problem]:
    """What the groups that send over proxies lack, and what is not modelled together with them."""
    grpc = {i: group for i, group in enumerate(producers) if group.grpc is not None}
    for i, group in grpc.items():
        for problem in group_problems(group):
            yield Problem(("producers", i, *problem.path), problem.text)
    if proxies is None:
        for i in grpc:
            text = BrokerTexts.PROXIES_MISSING()
            yield Problem(("producers", i, "grpc"), text)
        return
    for i, group in grpc.items():
        first = group.grpc.proxy if group.grpc is not None else None
        yield from first_proxy_problems(("producers", i, "grpc", "proxy"), first, group.count, proxies)
    if not grpc and all(own.grpc is None for own in consumers.values()):
        text = BrokerTexts.PROXIES_UNUSED()
        yield Problem(("proxies",), text)
    if cells > 1:
        yield Problem(("cells",), BrokerTexts.PROXIES_SHARED(got=cells))
    if client.policy is not None:
        yield Problem(("client", "policy"), BrokerTexts.POLICY_WITH_PROXIES())
    for name in sorted({name for group in grpc.values() for name in group.topics if name in topics}):
        if topics[name].auto_create:
            text = BrokerTexts.GRPC_AUTO_CREATE()
            yield Problem(("topics", name, "auto_create"), text)


def proxy_network_problems(
    producers: Sequence[ProducerGroup],
    proxies: ProxySettings | None,
    network: Sequence[NetworkLink],
    faults: Sequence[Fault],
) -> Iterator[Problem]:
    """Networks of producers that have none of their own to brokers."""
    if proxies is None:
        return
    grpc = {group.group for group in producers if group.grpc is not None}
    if network:
        yield Problem(("network",), BrokerTexts.NETWORK_WITH_PROXIES())
    for i, fault in enumerate(faults):
        named = sorted(grpc & set(fault.producers or ()))
        if fault.kind in LINKED and named:
            text = BrokerTexts.NETWORK_OF_GRPC(group=named[0])
            yield Problem(("faults", i, "producers"), text)
        if fault.kind == "slow_link" and fault.ways in ("requests", "both"):
            text = BrokerTexts.REQUESTS_WITH_PROXIES()
            yield Problem(("faults", i, "ways"), text)
