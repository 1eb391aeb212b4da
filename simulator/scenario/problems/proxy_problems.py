"""What does not fit groups of gRPC producers, their proxies and the rest of a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from simulator.scenario.client_settings import ClientSettings
from simulator.scenario.faults.fault_list import Fault
from simulator.scenario.network import NetworkLink
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.proxy_settings import ProxySettings
from simulator.scenario.reading.scenario_error import Problem, not_known
from simulator.scenario.topics import Topic

LINKED = ("partition", "packet_loss", "slow_link")


def group_problems(group: ProducerGroup) -> Iterator[Problem]:
    """What a group of gRPC producers cannot have; paths begin in the group."""
    if group.mode == "oneway":
        yield Problem(("mode",), "a gRPC producer sends nothing one-way; expected sync or async")
    if group.batch > 1:
        yield Problem(("batch",), f"a gRPC producer sends its messages one by one; expected 1, got {group.batch}")
    if not group.by_strategy:
        text = f"a proxy chooses the queues of a gRPC producer's messages; expected none, got {group.selector.kind}"
        yield Problem(("selector",), text)
    if group.client is not None:
        yield Problem(("client",), "it holds settings of a remoting client, and this group has grpc; leave one out")
    if group.transaction is not None:
        yield Problem(("transaction",), "transactions of gRPC producers are not modelled; leave out it or grpc")
    if group.delay is not None and group.delay.level is not None:
        yield Problem(("delay", "level"), "a gRPC message has no delay level; expected delay_time or deliver_time")


def proxy_problems(
    producers: Sequence[ProducerGroup],
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
            text = "its producers send over proxies, and the scenario has none; set proxies, such as {count: 2}"
            yield Problem(("producers", i, "grpc"), text)
        return
    for i, group in grpc.items():
        first = group.grpc.proxy if group.grpc is not None else None
        if first is not None and first not in proxies.names:
            yield Problem(("producers", i, "grpc", "proxy"), not_known("proxy", first, proxies.names))
    if not grpc:
        text = "nobody sends over them; give a group of producers grpc, such as {release: 5.0.8}, or leave them out"
        yield Problem(("proxies",), text)
    if cells > 1:
        yield Problem(("cells",), f"proxies are shared by all producers; expected 1 with proxies, got {cells}")
    if client.policy is not None:
        yield Problem(("client", "policy"), "a policy together with proxies is not modelled; leave out one of them")
    for name in sorted({name for group in grpc.values() for name in group.topics if name in topics}):
        if topics[name].auto_create:
            text = "a proxy refuses a topic that does not exist; leave out auto_create, or grpc of its producers"
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
        yield Problem(("network",), "a network that takes time is not modelled together with proxies; see proxies.hop")
    for i, fault in enumerate(faults):
        named = sorted(grpc & set(fault.producers or ()))
        if fault.kind in LINKED and named:
            text = f"{named[0]} sends over proxies, which are no part of its network; leave producers out for all"
            yield Problem(("faults", i, "producers"), text)
        if fault.kind == "slow_link" and fault.ways in ("requests", "both"):
            text = "requests that take time are not modelled together with proxies; expected answers"
            yield Problem(("faults", i, "ways"), text)
