"""What does not fit groups that consume over proxies and the rest of a scenario."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from simulator.releases.broker_release import BROKERS
from simulator.scenario.brokers.broker import Broker
from simulator.scenario.consuming.consumers import ConsumerGroup, client_ids_of
from simulator.scenario.consuming.handling import POP, SUSPEND_MS
from simulator.scenario.faults.fault_list import Fault
from simulator.scenario.faults.targets import struck_instances
from simulator.scenario.problems.first_proxy_problems import first_proxy_problems
from simulator.scenario.problems.local_problems import local_problems
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.proxy_settings import ProxySettings
from simulator.scenario.reading.scenario_error import Problem
from simulator.scenario.texts.proxied_texts import ProxiedTexts


def proxied_problems(
    producers: Sequence[ProducerGroup],
    groups: Mapping[str, ConsumerGroup],
    proxies: ProxySettings | None,
    brokers: Mapping[str, Broker],
    faults: Sequence[Fault],
) -> Iterator[Problem]:
    """What the groups that consume over proxies lack, and what they and proxies in brokers cannot have."""
    yield from local_problems(producers, groups, proxies, brokers, faults)
    for name, group in groups.items():
        if group.grpc is None:
            continue
        place = ("consumers", name)
        for key, text in _unfit(group):
            yield Problem((*place, key), text)
        if proxies is None:
            yield Problem((*place, "grpc"), ProxiedTexts.NO_PROXIES())
            continue
        yield from first_proxy_problems((*place, "grpc", "proxy"), group.grpc.proxy, group.instances, proxies)
        for broker, own in brokers.items():
            if BROKERS[own.release].revive_interval is None:
                yield Problem(("brokers", broker, "release"), ProxiedTexts.NO_POP(release=own.release))
        ids = list(client_ids_of(name, group))
        for i, fault in enumerate(faults):
            if fault.kind == "partition" and struck_instances(fault.consumers or (), ids):
                yield Problem(("faults", i, "consumer"), ProxiedTexts.AT_BROKERS(name=name))


def _unfit(group: ConsumerGroup) -> Iterator[tuple[str, str]]:
    """Keys that a group over gRPC cannot have, and why."""
    if group.consume_mode == POP:
        yield "consume_mode", ProxiedTexts.OTHER_MODE(mode=group.consume_mode)
    if group.suspend_current_queue_time_ms != SUSPEND_MS:
        yield "suspend_current_queue_time", ProxiedTexts.SUSPENDS()
    if group.is_broadcasting:
        yield "message_model", ProxiedTexts.BROADCAST()
    if group.release is not None:
        yield "release", ProxiedTexts.REMOTING_RELEASE()
    if group.consume_message_batch_max_size > 1:
        yield "consume_message_batch_max_size", ProxiedTexts.BATCH()
    if group.delay_level_when_next_consume:
        yield "delay_level_when_next_consume", ProxiedTexts.DELAY_LEVEL()
