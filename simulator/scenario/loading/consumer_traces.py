"""What the processes of a consumer group trace: a context before and one after each message that a listener gets.

All listeners of the remoting client that are modelled call the hook: those of concurrent, orderly and POP consumption.
How much they get follows from the rates of the topics, as the warnings have it: messages that become readable,
deliveries of those that fail by chance, and no more than the group can handle. What comes late, in a way that nobody
knows before the run, is refused.
Source: rocketmq 4.4.0-5.3.3, ConsumeMessageConcurrentlyService, ConsumeMessageOrderlyService,
ConsumeMessagePopConcurrentlyService, ConsumeMessageTraceHookImpl.
"""

from __future__ import annotations

from collections.abc import Iterator

from simulator.client.sending.trace_batches import Traced
from simulator.releases.ledger import first_with
from simulator.releases.trace_release import TRACES
from simulator.scenario.checks.group_load import handled_per_s, kinds_at
from simulator.scenario.client_settings import ClientOverride, client_with
from simulator.scenario.consuming.consumers import ConsumerGroup, queues_of
from simulator.scenario.reading.scenario_error import Problem, ProblemsError
from simulator.scenario.scenario import Scenario
from simulator.scenario.texts.consumer_texts import ConsumerTexts
from simulator.scenario.texts.producer_texts import ProducerTexts


def release_of(scenario: Scenario, own: ConsumerGroup) -> str:
    """The release whose rules a consumer group follows."""
    return own.release or scenario.client.release


def consumer_trace_problems(scenario: Scenario) -> Iterator[Problem]:
    """What speaks against message trace where consumer groups have it."""
    for name, own in scenario.consumers.items():
        if own.trace:
            text = next(_reasons(scenario, own), None)
            if text is not None:
                yield Problem(("consumers", name, "trace"), text)


def _reasons(scenario: Scenario, own: ConsumerGroup) -> Iterator[str]:
    release = release_of(scenario, own)
    if own.grpc is not None:
        yield ProducerTexts.TRACE_OVER_PROXIES()
    if not TRACES[release].has_trace:
        yield ProducerTexts.TRACE_NOT_BEFORE(release=release, first=first_with(TRACES, "has_trace"))
    if own.consume_message_batch_max_size > 1:
        yield ConsumerTexts.TRACE_OF_BATCHES()
    if own.autoscale is not None:
        yield ConsumerTexts.TRACE_OF_SCALED()
    if own.backlog is not None:
        yield ConsumerTexts.TRACE_OF_BACKLOG()
    if own.fails_always is not None:
        yield ConsumerTexts.TRACE_OF_FAILURES()
    for group in scenario.producers:
        for topic in own.readings:
            if topic in group.topics and group.arrivals == "closed":
                yield ConsumerTexts.TRACE_OF_LOOPS(topic=topic)
            if topic in group.topics and group.delay is not None:
                yield ConsumerTexts.TRACE_OF_DELAYS(group=group.group, topic=topic)
    try:
        client_with(scenario.client, ClientOverride.model_validate({"release": release}))
    except ProblemsError as error:
        yield error.problems[0].text


def traced_instances(scenario: Scenario, own: ConsumerGroup) -> int:
    """Instances of a group that get messages."""
    if own.is_broadcasting or own.is_pop:
        return own.count
    return max(min(own.count, len(queues_of(own, scenario.topics, list(scenario.brokers)))), 1)


def traced_by_instance(scenario: Scenario, own: ConsumerGroup, at_us: int) -> Traced:
    """What an instance traces at a moment, as if those that get messages shared them evenly."""
    kinds = kinds_at(scenario, own, at_us)
    topics: dict[str, float] = {}
    for kind in kinds:
        topics[kind.topic] = topics.get(kind.topic, 0.0) + kind.per_s
    total = sum(kind.per_s for kind in kinds)
    if total == 0:
        return Traced(0.0)
    return Traced(
        handled_per_s(scenario, own, at_us) / traced_instances(scenario, own),
        [per_s for per_s in topics.values() if per_s],
        [(kind.per_s / total, kind.service_us) for kind in kinds if kind.per_s],
    )
