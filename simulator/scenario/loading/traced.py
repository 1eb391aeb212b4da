"""Message trace, written as what it is: a further group of producers that sends to a topic of its own.

The trace producer of a client is a DefaultMQProducer of the client's release that sends asynchronously, to a queue that
a selector takes in turn of all brokers with the topic, with 5 s for a send. Source: rocketmq 4.4.0-5.3.3,
AsyncTraceDispatcher.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.client.sending.trace_batches import CONTEXT_BYTES
from simulator.releases.ledger import first_with
from simulator.releases.trace_release import TRACES, TraceRelease
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.reading.scenario_error import Problem
from simulator.scenario.scenario import Scenario
from simulator.scenario.texts.producer_texts import ProducerTexts
from simulator.units import format_duration

TRACE_TOPIC = "RMQ_SYS_TRACE_TOPIC"
SUFFIX = "-trace"
TIMEOUT = "5s"


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


def with_traces(data: dict[str, Any], scenario: Scenario) -> dict[str, Any]:
    """The plain values of a scenario with a group for each that has trace, and their topic, without the key."""
    producers, contexts, messages = list(data["producers"]), 0.0, 0.0
    for i, group in enumerate(scenario.producers):
        if not group.trace:
            continue
        own = producers[i] = {key: value for key, value in data["producers"][i].items() if key != "trace"}
        producers.append(_trace_group(group, TRACES[scenario.clients[i].release], dict(own.get("client") or {})))
        contexts += group.count * _contexts_per_s(group, 0)
        messages += group.count * _messages_per_s(group, TRACES[scenario.clients[i].release], 0)
    size = round(CONTEXT_BYTES * (contexts / messages if messages else 1))
    topics = {**data["topics"]}
    topics.setdefault(TRACE_TOPIC, {"queues": 1, "message_bytes": f"{max(size, CONTEXT_BYTES)}B"})
    return {**data, "producers": producers, "topics": topics}


def _contexts_per_s(group: ProducerGroup, at_us: int) -> float:
    """Sends of one producer a second: each has a context, a batch as one."""
    return float(group.rate_at(at_us)) / group.batch


def _messages_per_s(group: ProducerGroup, release: TraceRelease, at_us: int) -> float:
    contexts = _contexts_per_s(group, at_us)
    return release.batches(contexts) if contexts else 0.0


def _trace_group(group: ProducerGroup, release: TraceRelease, client: dict[str, Any]) -> dict[str, Any]:
    def rate(at_us: int) -> str:
        return f"{_messages_per_s(group, release, at_us):.4f}/s"

    changes = {format_duration(at_us): rate(at_us) for at_us, _ in group.rate_changes}
    found: dict[str, Any] = {
        "group": group.group + SUFFIX, "count": group.count, "mode": "async", "rate": rate(0), "selector": "random",
        "topics": [TRACE_TOPIC], "client": client | {"send_msg_timeout": TIMEOUT},
    }  # fmt: skip
    return found | ({"rate_changes": changes} if changes else {})
