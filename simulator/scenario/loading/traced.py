"""Message trace, written as what it is: a further group of producers that sends to a topic of its own.

The trace producer of a client is a DefaultMQProducer of the client's release that sends asynchronously, to a queue that
a selector takes in turn of all brokers with the topic, with 5 s for a send. Source: rocketmq 4.4.0-5.3.3,
AsyncTraceDispatcher.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.client.sending.trace_batches import CONSUMED_BYTES, CONTEXT_BYTES, Traced
from simulator.releases.ledger import first_with
from simulator.releases.trace_release import TRACES
from simulator.scenario.checks.utilisation import moments_us
from simulator.scenario.consuming.consumers import ConsumerGroup
from simulator.scenario.loading.consumer_traces import (
    consumer_trace_problems,
    release_of,
    traced_by_instance,
    traced_instances,
)
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.reading.scenario_error import Problem
from simulator.scenario.scenario import Scenario
from simulator.scenario.texts.producer_texts import ProducerTexts
from simulator.units import format_duration

TRACE_TOPIC = "RMQ_SYS_TRACE_TOPIC"
SUFFIX = "-trace"
TIMEOUT = "5s"


@dataclass(frozen=True)
class Tracing:
    """The processes of a group that trace: `traced(at_us)` is what each of them does from a moment on."""

    group: str
    count: int
    release: str
    client: dict[str, Any]
    context_bytes: int
    traced: Callable[[int], Traced]
    changes_us: Sequence[int]  # when that changes

    def messages_per_s(self, at_us: int) -> float:
        """Trace messages of one process a second."""
        return TRACES[self.release].batches(self.traced(at_us))

    def bytes_per_s(self, at_us: int) -> float:
        """Bytes of one process's trace a second."""
        return self.traced(at_us).contexts_per_s * self.context_bytes


def is_traced(scenario: Scenario) -> bool:
    """Whether some clients have message trace."""
    return any(own.trace for own in scenario.producers) or any(own.trace for own in scenario.consumers.values())


def trace_problems(scenario: Scenario) -> Iterator[Problem]:
    """What speaks against message trace where groups have it."""
    names = {group.group for group in scenario.producers}
    for i, group in enumerate(scenario.producers):
        if not group.trace:
            continue
        release = scenario.clients[i].release
        if group.grpc is not None:
            yield Problem(("producers", i, "trace"), ProducerTexts.TRACE_OVER_PROXIES())
        elif not TRACES[release].has_trace:
            text = ProducerTexts.TRACE_NOT_BEFORE(release=release, first=first_with(TRACES, "has_trace"))
            yield Problem(("producers", i, "trace"), text)
        elif group.arrivals == "closed":
            yield Problem(("producers", i, "trace"), ProducerTexts.TRACE_OF_A_LOOP())
        elif group.group + SUFFIX in names:
            yield Problem(("producers", i, "trace"), ProducerTexts.SAME_GROUP(group=group.group + SUFFIX))
    names |= {group.group + SUFFIX for group in scenario.producers if group.trace}
    for name, own in scenario.consumers.items():
        if own.trace and name + SUFFIX in names:
            yield Problem(("consumers", name, "trace"), ProducerTexts.SAME_GROUP(group=name + SUFFIX))
    yield from consumer_trace_problems(scenario)


def with_traces(data: dict[str, Any], scenario: Scenario) -> dict[str, Any]:
    """The plain values of a scenario with a group for each that has trace, and their topic, without the key."""
    found = [
        _of_producers(group, scenario.clients[i].release, dict(data["producers"][i].get("client") or {}))
        for i, group in enumerate(scenario.producers)
        if group.trace
    ]
    found += [_of_consumers(scenario, name, own) for name, own in scenario.consumers.items() if own.trace]
    messages = sum(own.count * own.messages_per_s(0) for own in found)
    sizes = sum(own.count * own.bytes_per_s(0) for own in found)
    size = round(sizes / messages) if messages else CONTEXT_BYTES
    topics = {**data["topics"]}
    topics.setdefault(TRACE_TOPIC, {"queues": 1, "message_bytes": f"{size}B"})
    changed = {"producers": [*map(_without_trace, data["producers"]), *map(_producers_of, found)], "topics": topics}
    if data.get("consumers"):
        changed["consumers"] = {name: _without_trace(own) for name, own in data["consumers"].items()}
    return {**data, **changed}


def _without_trace(group: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in group.items() if key != "trace"}


def _of_producers(group: ProducerGroup, release: str, client: dict[str, Any]) -> Tracing:
    def traced(at_us: int) -> Traced:
        return Traced(float(group.rate_at(at_us)) / group.batch, list(group.topics.values()))  # a batch has one context

    changes_us = [at_us for at_us, _ in group.rate_changes]
    return Tracing(group.group, group.count, release, client, CONTEXT_BYTES, traced, changes_us)


def _of_consumers(scenario: Scenario, name: str, own: ConsumerGroup) -> Tracing:
    def traced(at_us: int) -> Traced:
        return traced_by_instance(scenario, own, at_us)

    instances, release = traced_instances(scenario, own), release_of(scenario, own)
    changes_us = moments_us(scenario)[1:]
    return Tracing(name, instances, release, {"release": release}, CONSUMED_BYTES, traced, changes_us)


def _producers_of(own: Tracing) -> dict[str, Any]:
    def rate(at_us: int) -> str:
        return f"{own.messages_per_s(at_us):.4f}/s"

    changes = {format_duration(at_us): rate(at_us) for at_us in own.changes_us}
    found: dict[str, Any] = {
        "group": own.group + SUFFIX, "count": own.count, "mode": "async", "rate": rate(0), "selector": "random",
        "topics": [TRACE_TOPIC], "client": own.client | {"send_msg_timeout": TIMEOUT},
    }  # fmt: skip
    return found | ({"rate_changes": changes} if changes else {})
