"""The topics of groups that fail to handle messages: the retry topic and the dead letters of each, after all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from simulator.client.routes.queue_list import QueueData, TopicRoute
from simulator.consumer.rules.delay_levels import dead_letter_topic, pop_retry_topic, retry_topic
from simulator.engine.memory.routes import NOT_EXISTING
from simulator.plan.consumers.sweep_plan import timeout_us
from simulator.plan.route_plan import READABLE, RoutePlan, Timeline
from simulator.scenario import Scenario

NEVER = ((0, NOT_EXISTING),)  # the timeline of a topic that nobody reads


def groups_that_fail(scenario: Scenario) -> list[str]:
    """Groups some of whose deliveries can fail."""
    failing = {
        period.details["consumer"].rpartition("-")[0] for period in scenario.fault_periods() if period.kind == "fail"
    }
    return [
        name
        for name, group in scenario.consumers.items()
        if not group.is_broadcasting
        and not group.is_pop
        and (group.can_fail or name in failing or timeout_us(scenario, name))
    ]


def own_topics(scenario: Scenario) -> list[str]:
    """Names of the groups' own topics: retries and dead letters of one group after the other."""
    own = [of(name) for name in groups_that_fail(scenario) for of in (retry_topic, dead_letter_topic)]
    return own + [topic for topics in _pop_retry_topics(scenario).values() for topic in topics]


def retry_topics(scenario: Scenario) -> dict[str, list[str]]:
    """Names of the retry topics of each group that has some: of a POP group one for each topic."""
    return {name: [retry_topic(name)] for name in groups_that_fail(scenario)} | _pop_retry_topics(scenario)


def _pop_retry_topics(scenario: Scenario) -> dict[str, list[str]]:
    groups = {name: own for name, own in scenario.consumers.items() if own.is_pop}
    return {name: [pop_retry_topic(name, topic) for topic in own.readings] for name, own in groups.items()}


def with_own_topics(scenario: Scenario, routes: RoutePlan) -> RoutePlan:
    """The routes with those of the groups' own topics: one queue on every broker that has a topic of the group."""
    topics, versions = list(scenario.topics), list(routes.versions)
    timelines = [list(own) for own in routes.timelines]
    small: dict[tuple[int, ...], int] = {}
    retried = [([*scenario.consumers[name].readings], [NEVER]) for name in groups_that_fail(scenario)]
    retried += [([topic], []) for own in scenario.consumers.values() if own.is_pop for topic in own.readings]
    for readings, further in retried:
        read = [topics.index(topic) for topic in readings]
        for own in timelines:
            retries = []
            for at_us in sorted({at_us for topic in read for at_us, _ in own[topic]}):
                now = tuple(_version_at(own[topic], at_us) for topic in read)
                known = [versions[version] for version in now if version >= 0]
                if known and now not in small:
                    small[now] = len(versions)
                    versions.append(_one_queue_each(known))
                retries.append((at_us, small.get(now, now[0])))
            own += [retries, *map(list, further)]
    return replace(routes, versions=versions, timelines=timelines)


def _version_at(timeline: Timeline, at_us: int) -> int:
    return [version for from_us, version in timeline if from_us <= at_us][-1]


def _one_queue_each(routes: Sequence[TopicRoute]) -> TopicRoute:
    """retryQueueNums is 1."""
    names = [data.broker_name for own in routes for data in own.queue_datas]
    datas = {name: QueueData(name, 1, 1, READABLE) for name in names}
    ids = {name: own_ids for own in routes for name, own_ids in own.broker_ids.items()}
    return TopicRoute(tuple(datas.values()), ids)
