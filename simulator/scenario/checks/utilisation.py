"""How loaded a scenario's brokers, sender threads and consume threads are, from its rates and service times alone.

Utilisation as queueing theory has it: arrival rate times mean service time over servers. Above 1 a queue grows for as
long as the load lasts. Faults, retries and queueing are left out, and closed loops, which wait instead of overloading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simulator.kernel.latency import mean_us
from simulator.scenario.brokers.broker import Broker
from simulator.scenario.checks.taken_messages import taken_of
from simulator.scenario.consuming.consumers import ConsumerGroup
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.scenario import Scenario

Load = dict[str, float]  # requests a second by broker


@dataclass(frozen=True)
class Busy:
    """A utilisation: of whom, from when on, with which broker gone ("" for none)."""

    name: str
    utilisation: float
    at_us: int = 0
    gone: str = ""


def moments_us(scenario: Scenario) -> list[int]:
    """When a rate changes within the run, 0 first."""
    changes = {at_us for group in scenario.producers for at_us, _ in group.rate_changes}
    return [0, *sorted(at_us for at_us in changes if at_us < scenario.duration_us)]


def has_rates(scenario: Scenario) -> bool:
    """Whether every group of producers has a rate: a closed loop sends as fast as it is answered."""
    return all(group.arrivals != "closed" for group in scenario.producers)


def broker_utilisation(scenario: Scenario, gone: str = "") -> dict[str, Busy]:
    """The highest utilisation of every broker's send threads over the run; `gone`: without that broker."""
    found: dict[str, Busy] = {}
    for at_us in moments_us(scenario):
        load = _load(scenario, at_us, gone)
        for name, per_s in load.items():
            busy = Busy(name, per_s / capacity_per_s(scenario.brokers[name]), at_us, gone)
            if name not in found or busy.utilisation > found[name].utilisation:
                found[name] = busy
    return found


def busiest_broker(scenario: Scenario, gone: str = "") -> Busy | None:
    """The broker with the highest utilisation, None if no group has a rate."""
    return max(broker_utilisation(scenario, gone).values(), key=lambda busy: busy.utilisation, default=None)


def busiest_with_one_gone(scenario: Scenario) -> Busy | None:
    """The same when the worst one of the brokers is gone, None with a single broker."""
    found = [busiest_broker(scenario, gone) for gone in scenario.brokers] if len(scenario.brokers) > 1 else []
    return max((busy for busy in found if busy), key=lambda busy: busy.utilisation, default=None)


def thread_utilisation(scenario: Scenario, group: ProducerGroup) -> Busy | None:
    """The highest utilisation of a group's sender threads; None unless a thread waits for each answer (mode sync)."""
    if group.mode != "sync" or group.arrivals == "closed":
        return None
    send_us = _mean_send_us(scenario, group)
    most = max(moments_us(scenario), key=lambda at_us: group.rate_at(at_us))
    return Busy(group.group, float(group.rate_at(most)) / group.batch * send_us / 1e6 / group.threads, most)


def consumer_utilisation(scenario: Scenario, name: str, gone: int = 0) -> Busy | None:
    """The highest utilisation of a consumer group's threads; `gone`: so many instances are. None without any left.

    As if its messages were spread evenly over instances.
    """
    own = scenario.consumers[name]
    threads = (own.count - gone) * own.threads
    if threads <= 0:
        return None
    busy = {at_us: _consuming(scenario, own, at_us) for at_us in moments_us(scenario)}
    most = max(busy, key=busy.__getitem__)
    return Busy(name, busy[most] * (own.count if own.is_broadcasting else 1) / threads, most)


def _consuming(scenario: Scenario, own: ConsumerGroup, at_us: int) -> float:
    """Threads that a group's messages keep at work, on average."""
    busy = 0.0
    for topic, reading in own.readings.items():
        for tag, share in taken_of(scenario, topic, reading).items():
            service = reading.service_of_tags.get(tag or "") or reading.service or own.service
            per_s = _rate_per_s(scenario, topic, at_us) * share
            busy += per_s * mean_us(service.service_table_us()) / 1e6
    return busy


def _rate_per_s(scenario: Scenario, topic: str, at_us: int) -> float:
    """Messages a second of a topic, from all producers."""
    weights: Mapping[str, int]
    found = 0.0
    for group in scenario.producers:
        weights = group.topics
        share = weights.get(topic, 0) / sum(weights.values())
        found += float(group.rate_at(at_us)) * group.count * share
    return found


def capacity_per_s(broker: Broker) -> float:
    """Requests a second that a broker's send threads serve, on average."""
    return broker.threads * 1e6 / max(mean_us(broker.service_table_us()), 1.0)


def reachable_rate_per_s(scenario: Scenario, group: ProducerGroup) -> float:
    """Messages a second that the threads of one producer of a group send if no request ever waits at a broker."""
    return group.threads * group.batch * 1e6 / max(_mean_send_us(scenario, group), 1.0)


def _load(scenario: Scenario, at_us: int, gone: str) -> Load:
    load: Load = {}
    for group in scenario.producers:
        per_s = float(group.rate_at(at_us)) * group.count / group.batch
        for name, share in _shares(scenario, group, gone).items():
            load[name] = load.get(name, 0.0) + per_s * share
    return load


def _shares(scenario: Scenario, group: ProducerGroup, gone: str = "") -> Load:
    """Which part of a group's requests goes to which broker, by the queues of its topics; no more than 1 in all."""
    found: Load = {}
    weights: Mapping[str, int] = group.topics
    for topic, weight in weights.items():
        queues = {
            entry.broker: entry.write_queues
            for entry in scenario.route(topic)
            if entry.writeable and entry.master and entry.broker != gone
        }
        total = sum(queues.values())
        for name, count in queues.items():
            part = count / total if total else 0.0
            found[name] = found.get(name, 0.0) + part * weight / sum(weights.values())
    return found


def _mean_send_us(scenario: Scenario, group: ProducerGroup) -> float:
    """How long a send of a group takes on average, unqueued."""
    shares = _shares(scenario, group)
    whole = sum(shares.values())
    return sum(_answer_us(scenario.brokers[name]) * share for name, share in shares.items()) / whole if whole else 0.0


def _answer_us(broker: Broker) -> float:
    """Mean time until an unqueued request is answered: service, then the flush and the slave that it waits for."""
    waits = [0.0]
    if broker.flush == "sync":
        waits.append(mean_us(broker.flush_latency.service_table_us()))
    if broker.acks and broker.slaves:
        of_slaves = broker.machine_latencies[1:] or [broker.slave_latency] * broker.slaves
        means = sorted(mean_us(latency.service_table_us()) for latency in of_slaves)
        waits.append(means[min(broker.acks, broker.slaves) - 1])
    return mean_us(broker.service_table_us()) + max(waits)
