"""What the team of a consumer group can change, what goes wrong with it, and what its settings are judged by."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from simulator.advice.candidates import Candidate, Change
from simulator.advice.cost_texts import CostTexts, NotCoveredTexts
from simulator.advice.proxied_group import changes_over_proxies, changes_to_proxies
from simulator.advice.proxied_setters import consumer_lines
from simulator.advice.situations import BEGIN, OWN, USUAL_DURATION, Situation
from simulator.releases.broker_release import BROKERS
from simulator.releases.consumer_release import CONSUMERS
from simulator.releases.ledger import NEWEST
from simulator.scenario import Scenario
from simulator.scenario.checks.invisible_time import enough_invisible_us
from simulator.scenario.consuming.consumers import THREADS_MAX, ConsumerGroup, client_ids_of
from simulator.scenario.consuming.handling import POP_INVISIBLE_LEAST_US, POP_INVISIBLE_MOST_US
from simulator.units import format_duration

SLOW_FACTOR = 3
PULL_BATCH = 32  # more a broker does not give
STRATEGIES = {
    "AVG": "AllocateMessageQueueAveragely",
    "AVG_BY_CIRCLE": "AllocateMessageQueueAveragelyByCircle",
    "CONSISTENT_HASH": "AllocateMessageQueueConsistentHash",
}  # that need no settings, with their classes
GROUP_UNKNOWN = (
    NotCoveredTexts.WAITING(),
    NotCoveredTexts.LISTENERS(),
    NotCoveredTexts.OTHER_GROUPS(),
    NotCoveredTexts.WEIGHTS(),
    NotCoveredTexts.OTHER_SETTINGS(beside=""),
)


def group_candidates(scenario: Scenario, name: str) -> list[Candidate]:
    """The group as it is, and each change alone."""
    own, release = scenario.consumers[name], scenario.consumers[name].release or scenario.client.release
    changes = [*_changes(name, own, release)]
    if own.grpc is None:
        changes += [*_to_pop(scenario, name, own, release), *changes_to_proxies(scenario, name, own)]
    else:
        changes += changes_over_proxies(scenario, name, own, own.grpc)
    return [Candidate(), *(Candidate((change,)) for change in changes)]


def _changes(name: str, own: ConsumerGroup, release: str) -> Iterator[Change]:
    def change(topic: str, text: str, key: str, value: object, costs: str) -> Change:
        return Change(topic, text, {f"consumers.{name}.{key}": value}, costs)

    if own.autoscale is None and own.client_ids is None and not _has_proxies_each(own):
        for count in dict.fromkeys((own.count + 1, 2 * own.count)):
            costs = CostTexts.MORE_INSTANCES(count=count - own.count)
            yield change("instances", f"{count} instances", "count", count, costs)
    for threads in dict.fromkeys((max(own.threads // 2, 1), min(2 * own.threads, THREADS_MAX))):
        if threads != own.threads:
            costs = CostTexts.MORE_AT_ONCE() if threads > own.threads else CostTexts.SLOWER()
            yield change("threads", f"{threads} threads", "threads", threads, costs)
    if own.is_pop and own.grpc is None:
        yield from _of_pop(own, change)
    for batch in (PULL_BATCH // 4, PULL_BATCH) if not own.is_pop else ():
        if batch != own.pull_batch_size:
            costs = CostTexts.MORE_PULLS() if batch < own.pull_batch_size else CostTexts.LARGER_ANSWERS()
            yield change("pull batch", f"pull batch {batch}", "pull_batch_size", batch, costs)
    for strategy in STRATEGIES if own.strategy in STRATEGIES and not (own.is_broadcasting or own.is_pop) else ():
        if strategy != own.strategy:
            costs = CostTexts.ALL_AT_ONCE()
            yield change("allocation", f"strategy {strategy}", "strategy", strategy, costs)
    if release != NEWEST and own.grpc is None:
        costs = CostTexts.ANOTHER_VERSION(own=release, other=NEWEST)
        yield change("consumer release", f"release {NEWEST}", "release", NEWEST, costs)


def _has_proxies_each(own: ConsumerGroup) -> bool:
    """Whether each instance is given the proxy that it hangs on."""
    return own.grpc is not None and own.grpc.proxy is not None and len(own.grpc.proxy) > 1


def _of_pop(own: ConsumerGroup, change: Callable[[str, str, str, object, str], Change]) -> Iterator[Change]:
    """Invisible times: shorter and longer ones, the shortest that no handling time exceeds, and pulling instead."""
    given_us = own.pop_invisible_time_us
    half_us, double_us = max(given_us // 2, POP_INVISIBLE_LEAST_US), min(2 * given_us, POP_INVISIBLE_MOST_US)
    for us in sorted({half_us, double_us, enough_invisible_us(own)} - {given_us}):
        costs = CostTexts.HANDLED_TWICE()
        if us > given_us:
            costs = CostTexts.LATER_AGAIN()
        text = format_duration(us)
        yield change("invisible time", f"invisible time {text}", "pop_invisible_time", text, costs)
    costs = CostTexts.HELD_QUEUES()
    yield change("consume mode", "pull instead of POP", "consume_mode", "CONCURRENTLY", costs)


def _to_pop(scenario: Scenario, name: str, own: ConsumerGroup, release: str) -> Iterator[Change]:
    """Popping instead of pulling, where client and brokers can, and the group's settings have a meaning there."""
    brokers = (BROKERS[broker.release] for broker in scenario.brokers.values())
    can = CONSUMERS[release].pop_batch_nums is not None and all(one.revive_interval is not None for one in brokers)
    if can and own.consume_mode == "CONCURRENTLY" and not own.is_broadcasting:
        keys = {f"consumers.{name}.consume_mode": "POP"}
        yield Change("consume mode", "POP instead of pull", keys, CostTexts.NO_DEAD_LETTERS())


def group_situations(scenario: Scenario, name: str, which: str) -> list[Situation]:
    """What goes wrong with a group: an instance is killed or freezes, what it calls is slow, it is deployed."""
    first = next(iter(client_ids_of(name, scenario.consumers[name])))

    def alone(kind: str, what: str, after: str, **fault: object) -> Situation:
        return Situation(what, after, {"duration": USUAL_DURATION, "faults": [{"at": BEGIN, "kind": kind, **fault}]})

    usual = [
        alone("kill", "kill", "when an instance is killed", **{"for": "40s"}, consumer=first),
        alone("hang", "hang", "when an instance freezes", **{"for": "40s"}, consumer=first),
        alone("slow", "slow", "when what it calls is slow", **{"for": "40s"}, consumer=name, factor=SLOW_FACTOR),
        alone("rolling_restart", "deployment", "in a deployment", consumer=name, each="10s", pause="10s"),
    ]
    own = [Situation(OWN, "under the scenario's own faults")] if which != "usual" and scenario.faults else []
    return own + (usual if which != "own" else [])


def group_java(scenario: Scenario, base: Scenario, name: str) -> str:
    """Lines for what differs in the group: for a DefaultMQPushConsumer, or for a consumer over gRPC."""
    own, before = scenario.consumers[name], base.consumers[name]
    if own.grpc is not None:
        return "\n".join(consumer_lines(own, own.grpc, before))
    lines = [f"// org.apache.rocketmq:rocketmq-client:{own.release or scenario.client.release}"]
    if own.count != before.count:
        lines.append(f"// {own.count} instances instead of {before.count}")
    if own.threads != before.threads:
        lines += [f"consumer.setConsumeThreadMin({own.threads});", f"consumer.setConsumeThreadMax({own.threads});"]
    if own.pull_batch_size != before.pull_batch_size:
        lines.append(f"consumer.setPullBatchSize({own.pull_batch_size});")
    if own.strategy != before.strategy:
        lines.append(f"consumer.setAllocateMessageQueueStrategy(new {STRATEGIES[own.strategy]}());")
    if own.is_pop != before.is_pop:
        lines.append(f"consumer.setClientRebalance({'false' if own.is_pop else 'true'});")
        lines.append(f"// mqadmin setConsumeMode -m {'POP' if own.is_pop else 'PULL'}")
    if own.is_pop and own.pop_invisible_time_us != before.pop_invisible_time_us:
        lines.append(f"consumer.setPopInvisibleTime({own.pop_invisible_time_us // 1000});")
    if own.consume_timeout_us is not None:
        lines.append(f"// consumeTimeout {format_duration(own.consume_timeout_us)}")
    return "\n".join(lines)
