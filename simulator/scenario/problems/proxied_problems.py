"""What does not fit groups that consume over proxies and the rest of a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from simulator.releases.broker_release import BROKERS
from simulator.scenario.brokers.broker import Broker
from simulator.scenario.consuming.consumers import ConsumerGroup, client_ids_of
from simulator.scenario.faults.fault_list import Fault
from simulator.scenario.faults.targets import struck_instances
from simulator.scenario.proxy_settings import ProxySettings
from simulator.scenario.reading.scenario_error import Problem, not_known


def proxied_problems(
    groups: Mapping[str, ConsumerGroup],
    proxies: ProxySettings | None,
    brokers: Mapping[str, Broker],
    faults: Sequence[Fault],
) -> Iterator[Problem]:
    """What the groups that consume over proxies lack, and what they cannot have."""
    for name, group in groups.items():
        if group.grpc is None:
            continue
        place = ("consumers", name)
        for key, text in _unfit(group):
            yield Problem((*place, key), text)
        if proxies is None:
            text = "it consumes over proxies, and the scenario has none; set proxies, such as {count: 2}"
            yield Problem((*place, "grpc"), text)
            continue
        if group.grpc.proxy is not None and group.grpc.proxy not in proxies.names:
            yield Problem((*place, "grpc", "proxy"), not_known("proxy", group.grpc.proxy, proxies.names))
        for broker, own in brokers.items():
            if BROKERS[own.release].revive_interval is None:
                text = f"release {own.release} knows no POP, which proxies ask for; 5.0.0 is the first that does"
                yield Problem(("brokers", broker, "release"), text)
        ids = list(client_ids_of(name, group))
        for i, fault in enumerate(faults):
            if fault.kind == "partition" and struck_instances(fault.consumers or (), ids):
                text = f"{name} reaches brokers through proxies; expected a fault of proxies, such as proxy: proxy-1"
                yield Problem(("faults", i, "consumer"), text)


def _unfit(group: ConsumerGroup) -> Iterator[tuple[str, str]]:
    """Keys that a group over gRPC cannot have, and why."""
    if group.consume_mode != "CONCURRENTLY":
        text = f"a gRPC group with {group.consume_mode} is not modelled (messages are popped anyway); leave it out"
        yield "consume_mode", text
    if group.is_broadcasting:
        yield "message_model", "a gRPC consumer cannot broadcast; expected CLUSTERING"
    if group.release is not None:
        yield "release", "it is the release of a remoting client, and this group has grpc; expected grpc.release"
    if group.consume_message_batch_max_size > 1:
        yield "consume_message_batch_max_size", "a gRPC listener gets one message at a time; expected 1"
    if group.delay_level_when_next_consume:
        yield "delay_level_when_next_consume", "a gRPC listener cannot choose a delay level; leave it out"
