"""What does not fit proxies in local mode, which are parts of brokers, and the rest of a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from simulator.client.sending.grpc_send import ISOLATED_MAX
from simulator.scenario.brokers.broker import Broker
from simulator.scenario.consuming.consumers import ConsumerGroup
from simulator.scenario.faults.fault_list import Fault
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.proxy_settings import ProxySettings
from simulator.scenario.reading.scenario_error import Problem
from simulator.scenario.texts.broker_texts import BrokerTexts

# kinds of faults of brokers, or of the network to them, whose effect on a proxy in their process is not modelled
UNMODELLED = ("silent_death", "power_loss", "disk_loss", "partition", "packet_loss", "slow_link", "refuse")
INSTEAD = "kill, hang, pause, restart, rolling_restart, slow"


def local_problems(
    producers: Sequence[ProducerGroup],
    consumers: Mapping[str, ConsumerGroup],
    proxies: ProxySettings | None,
    brokers: Mapping[str, Broker],
    faults: Sequence[Fault],
) -> Iterator[Problem]:
    """What a scenario with proxies in local mode cannot have."""
    if proxies is None or not proxies.is_local:
        return
    for i, group in enumerate(producers):
        if group.grpc is not None and group.grpc.proxy is not None:
            yield Problem(("producers", i, "grpc", "proxy"), BrokerTexts.LOCAL_CLIENT())
    for name, own in consumers.items():
        if own.grpc is not None and own.grpc.proxy is not None:
            yield Problem(("consumers", name, "grpc", "proxy"), BrokerTexts.LOCAL_CLIENT())
    for name, broker in brokers.items():
        if broker.release != proxies.release:
            yield Problem(("brokers", name, "release"), BrokerTexts.LOCAL_RELEASE(release=proxies.release))
        if broker.is_elected:
            yield Problem(("brokers", name, "mode"), BrokerTexts.LOCAL_SET())
    if len(brokers) > ISOLATED_MAX:
        yield Problem(("brokers",), BrokerTexts.LOCAL_TOO_MANY(most=ISOLATED_MAX, got=len(brokers)))
    for i, fault in enumerate(faults):
        if fault.struck_proxies is not None:
            yield Problem(("faults", i, "proxy"), BrokerTexts.LOCAL_PROXY(name=next(iter(brokers), "")))
        if fault.kind in UNMODELLED:
            yield Problem(("faults", i, "kind"), BrokerTexts.LOCAL_FAULT(known=INSTEAD))
