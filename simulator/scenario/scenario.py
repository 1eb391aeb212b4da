"""The scenario: everything that decides what a run does, as canonical numbers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Annotated, Any

import yaml
from pydantic import AfterValidator, Field, PlainSerializer, model_validator

from simulator.kernel.latency import mean_us
from simulator.releases.broker_release import BROKERS
from simulator.releases.ledger import first_with
from simulator.releases.producer_release import CLIENTS
from simulator.scenario.brokers.broker import Broker
from simulator.scenario.brokers.keeping import TimeOfDayUs, drop_unset
from simulator.scenario.client_settings import BATCH_SETTINGS, ClientSettings, client_with
from simulator.scenario.consuming.consumers import Consumers, client_ids_of
from simulator.scenario.controllers import ControllerSettings
from simulator.scenario.faults.fault_list import PERIODS_MAX, Fault, FaultPeriod
from simulator.scenario.faults.targets import ALL
from simulator.scenario.later.transaction import producer_names
from simulator.scenario.name_servers import NameServerSettings
from simulator.scenario.network import NetworkLink, WayTime
from simulator.scenario.problems.consumer_problems import (
    broadcasting_problems,
    consumer_problems,
    unfit_backlogs,
    unread_later,
)
from simulator.scenario.problems.pop_problems import pop_problems
from simulator.scenario.problems.proxied_problems import proxied_problems
from simulator.scenario.problems.proxy_problems import proxy_network_problems, proxy_problems
from simulator.scenario.problems.replica_problems import replica_problems
from simulator.scenario.problems.sql_problems import sql_problems
from simulator.scenario.problems.timer_problems import timer_problems
from simulator.scenario.producers import ProducerGroup
from simulator.scenario.proxy_settings import INVISIBLE_US, ProxySettings
from simulator.scenario.reading.document import Dumper
from simulator.scenario.reading.fields import DURATION_MAX_US, Model, Text, duration_us, sorted_by_name, whole
from simulator.scenario.reading.scenario_error import Problem, ProblemsError, not_known, raise_any
from simulator.scenario.texts.producer_texts import ProducerTexts
from simulator.scenario.topics import BrokerName, RouteEntry, Topic, TopicName
from simulator.scenario.unset_keys import drop_unset_keys
from simulator.units import US_PER_MS, US_PER_S, format_duration

DIGEST_OF = "sendlab scenario 1"
SEED_MAX = 2**63 - 1
BROKERS_MAX = 10_000
# keys of a broker that say what holds without delays
OF_DELAYS = (
    "message_delay_level", "delayed_delivery", "timer_wheel_enable", "timer_precision", "timer_max_delay",
    "timer_delivery",
)  # fmt: skip
OF_MESSAGES = {"message_bytes", "compress_ratio_ppm", "message_keys", "check_order"}  # fields of a topic
OF_FILTERS = ("tags", "properties")
ORDER_CELLS_MAX = 10_000_000

DurationUs = Annotated[int, duration_us(US_PER_MS, DURATION_MAX_US), PlainSerializer(format_duration)]
WindowUs = Annotated[int, duration_us(100 * US_PER_MS, 60 * US_PER_S), PlainSerializer(format_duration)]
Topics = Annotated[dict[TopicName, Topic], AfterValidator(sorted_by_name("topic"))]
Brokers = Annotated[dict[BrokerName, Broker], AfterValidator(sorted_by_name("broker"))]


class Scenario(Model):
    """One scenario; `duration_us` and `window_us` are virtual time, topics and brokers in the order of names.

    With `cells` above 1 the producers are split in that many cells, each with its share of every broker's
    send threads: an approximation. Do not change the dicts: everybody shares them.
    """

    name: Text = Field(title="a text", description="name of the run and, in lower case, of its output")
    description: Text | None = Field(None, description="what it is about, for the report")
    seed: Annotated[int, whole(0, SEED_MAX)] = Field(1, description="seed of arrivals and latencies")
    duration_us: DurationUs = Field(alias="duration", title="a duration such as 5m", description="virtual time to run")
    window_us: WindowUs = Field(US_PER_S, alias="window", description="virtual time per row of the table windows")
    cells: Annotated[int, whole(1, 1_000_000)] = Field(
        1, description="shards that the producers are split into; 1 is exact, more are an approximation"
    )
    client: ClientSettings = Field(
        title="a mapping such as {release: 4.9.8}",
        description="the RocketMQ client of all producers, but for what a group has of its own",
    )
    producers: tuple[ProducerGroup, ...] = Field(
        title="a mapping such as {count: 50, rate: 100/s}, or a list of them",
        description="groups of alike application processes that send",
    )
    topics: Topics = Field(title="a mapping such as {orders: {queues: 8}}", description="topics by name")
    brokers: Brokers = Field(
        title="a mapping such as {broker-a: {latency: {constant: 2ms}}}", description="brokers by name"
    )
    consumers: Consumers = Field(
        {}, title="a mapping such as {billing: {topic: orders, count: 3, service: 50ms}}",
        description="groups of alike application processes that read, by name",
    )  # fmt: skip
    begins_at_us: TimeOfDayUs = Field(
        0, alias="begins_at", title='a time of day such as "03:30"',
        description="time of day at the beginning, for delete_when of brokers; default 00:00",
    )  # fmt: skip
    name_servers: NameServerSettings = Field(NameServerSettings.model_validate({}), description="what routes come from")
    controllers: ControllerSettings = Field(
        ControllerSettings.model_validate({}), description="who elects the masters of sets with mode: controller"
    )
    proxies: ProxySettings | None = Field(
        None, title="a mapping such as {count: 2}",
        description="what gRPC clients send and receive over; default none",
    )  # fmt: skip
    network: tuple[NetworkLink, ...] = Field(
        (), description="time of requests and answers between producers and brokers; default none"
    )
    faults: tuple[Fault, ...] = Field((), description="what goes wrong, where and when; `sendlab faults` lists kinds")

    @model_validator(mode="after")
    def _check(self) -> Scenario:
        raise_any(self._client_problems())
        raise_any(
            [*self._producer_problems(), *self._broker_problems(), *self._fault_problems(), *self._consumer_problems()]
        )
        return self

    def _client_problems(self) -> Iterator[Problem]:
        for i, group in enumerate(self.producers):
            try:
                client_with(self.client, group.client)
            except ProblemsError as error:
                for problem in error.problems:
                    yield Problem(("producers", i, "client", *problem.path), problem.text)

    def _producer_problems(self) -> Iterator[Problem]:
        yield from proxy_problems(self.producers, self.consumers, self.proxies, self.client, self.topics, self.cells)
        if not self.producers:
            yield Problem(("producers",), ProducerTexts.NO_GROUP())
        seen: set[str] = set()
        clients = self.clients
        for i, group in enumerate(self.producers):
            if group.group in seen:
                yield Problem(("producers", i, "group"), ProducerTexts.SAME_GROUP(group=group.group))
            seen.add(group.group)
            release = clients[i].release
            if group.batch > 1 and group.mode == "async" and not CLIENTS[release].has_async_batch:
                first = first_with(CLIENTS, "has_async_batch")
                text = ProducerTexts.NO_ASYNC_BATCH(release=release, first=first)
                yield Problem(("producers", i, "batch"), text)
            for name in group.topics:
                if name not in self.topics:
                    yield Problem(("producers", i, "topics", name), not_known("topic", name, self.topics))
                elif group.selector.kind == "hash" and self.topics[name].message_keys is None:
                    text = ProducerTexts.TOPIC_WITHOUT_KEYS(topic=name)
                    yield Problem(("producers", i, "selector"), text)
        if self.makes_batches and self.client.policy is not None and self.client.policy.hedges:
            what = ProducerTexts.HEDGES()
            text = ProducerTexts.NOT_WITH_OWN_BATCHES(why=what)
            yield Problem(("client", "auto_batch"), text)
        asked = {CLIENTS[client.release].default_route_key for client in clients}
        for name, topic in self.topics.items():
            if topic.auto_create and len(asked) > 1:
                text = ProducerTexts.STARTS(starts=", ".join(sorted(asked)))
                yield Problem(("topics", name, "auto_create"), ProducerTexts.UNLIKE_STARTS(starts=text))
            if topic.check_order and self.makes_batches:
                text = ProducerTexts.ORDER_WITH_OWN_BATCHES()
                yield Problem(("topics", name, "check_order"), text)
            count = topic.message_keys.count if topic.message_keys is not None else 0
            cells = sum(group.count * group.threads for group in self.producers) * count
            if topic.check_order and cells > ORDER_CELLS_MAX:
                text = ProducerTexts.TOO_MANY_PAIRS(pairs=cells, most=ORDER_CELLS_MAX)
                yield Problem(("topics", name, "check_order"), text)
        if self.producers and self.cells > self.producer_count:
            text = ProducerTexts.MORE_CELLS_THAN_PRODUCERS(most=self.producer_count, got=self.cells)
            yield Problem(("cells",), text)

    def _broker_problems(self) -> Iterator[Problem]:
        yield from self.controllers.problems(self.name_servers.count, self.name_servers.release, self.faults)
        yield from proxy_network_problems(self.producers, self.proxies, self.network, self.faults)
        names = list(self.brokers)
        for i, link in enumerate(self.network):
            for problem in link.unknown_names([group.group for group in self.producers], names):
                yield Problem(("network", i, *problem.path), problem.text)
        if ALL in self.brokers:
            yield Problem(("brokers", ALL), ProducerTexts.BROKER_NAMED_ALL())
        if len(names) > BROKERS_MAX:
            yield Problem(("brokers",), ProducerTexts.TOO_MANY_BROKERS(most=BROKERS_MAX, got=len(names)))
        for name, topic in self.topics.items():
            for problem in topic.unknown_brokers(names):
                yield Problem(("topics", name, *problem.path), problem.text)

    def _fault_problems(self) -> Iterator[Problem]:
        names, total = list(self.brokers), 0
        yield from replica_problems(self.brokers, self.faults, self.seed)
        for i, fault in enumerate(self.faults):
            groups = [group.group for group in self.producers]
            for problem in fault.unknown_names(
                names, groups, list(self.topics), self.name_servers.count, self.instances, self.transactional,
                self.proxy_names,
            ):  # fmt: skip
                if problem.path[0] != "proxy" or self.proxies is None or not self.proxies.is_local:
                    yield Problem(("faults", i, *problem.path), problem.text)
            if fault.kind == "fail":
                yield from broadcasting_problems(fault.consumers or (), self.consumers, i)
            if fault.kind == "power_loss" and self.makes_batches:
                yield Problem(("faults", i, "kind"), ProducerTexts.POWER_LOSS_WITH_OWN_BATCHES())
            total += len(fault.starts_us(self.duration_us)) * fault.places(
                names, self.name_servers.count, self.instances, self.transactional, self.proxy_names
            )
            if total > PERIODS_MAX:
                yield Problem(("faults", i), ProducerTexts.TOO_MANY_FAULTS(most=PERIODS_MAX))
                return

    def _consumer_problems(self) -> Iterator[Problem]:
        brokers = list(self.brokers)
        yield from consumer_problems(self.consumers, self.topics, brokers, self.cells, self.makes_batches)
        yield from sql_problems(self.consumers, self.topics, self.producers, self.brokers)
        yield from unread_later(self.producers, self.consumers)
        yield from unfit_backlogs(self.producers, self.consumers, self.topics, brokers)
        yield from timer_problems(self.producers, self.brokers)
        yield from proxied_problems(self.producers, self.consumers, self.proxies, self.brokers, self.faults)
        yield from pop_problems(self.consumers, self.client.release, self.faults)
        if any(group.transaction is not None for group in self.producers):
            for name, broker in self.brokers.items():
                if BROKERS[broker.release].transaction_check_max is None:
                    text = ProducerTexts.NO_TRANSACTIONS(release=broker.release)
                    yield Problem(("brokers", name, "release"), text)

    @property
    def clients(self) -> tuple[ClientSettings, ...]:
        """The client of each group of producers."""
        return tuple(client_with(self.client, group.client) for group in self.producers)

    @property
    def releases(self) -> tuple[str, ...]:
        """The releases of the producers, each once, in the order of the groups."""
        return tuple(dict.fromkeys(client.release for client in self.clients))

    def ways_between(self, group: str, broker: str) -> tuple[WayTime | None, WayTime | None]:
        """How long requests of a group to a broker are under way, and their answers; None: no time."""
        brokers = list(self.brokers)
        for link in reversed(self.network):
            if link.joins(group, broker, brokers):
                return link.requests or link.each_way, link.answers or link.each_way
        return None, None

    @property
    def makes_batches(self) -> bool:
        """Whether some clients make batches by themselves."""
        return any(client.auto_batch for client in self.clients)

    @property
    def instances(self) -> list[str]:
        """Names of all consumers: of each group in the order of its client ids."""
        return [name for group, own in self.consumers.items() for name in client_ids_of(group, own)]

    @property
    def transactional(self) -> list[str]:
        """Names of the transactional producers, group by group."""
        groups = [own for own in self.producers if own.transaction is not None]
        return [name for own in groups for name in producer_names(own.group, own.count)]

    @property
    def proxy_names(self) -> list[str]:
        """Names of the proxies."""
        return [] if self.proxies is None else self.proxies.names

    @property
    def producer_count(self) -> int:
        """Producers of all groups together."""
        return sum(group.count for group in self.producers)

    @property
    def window_count(self) -> int:
        """Windows of virtual time, the last one perhaps shorter."""
        return -(-self.duration_us // self.window_us)

    @property
    def expected_messages(self) -> float:
        """Messages that the applications want to send, on average; of closed loops, what they send if none waits.

        A send that fails at once makes a closed loop faster than that.
        """
        arriving = sum(group.count * group.messages_until(self.duration_us) for group in self.producers)
        loops = [group for group in self.producers if group.arrivals == "closed"]
        looping = sum(group.count * group.threads * group.batch / self.loop_us(group) for group in loops)
        return arriving + looping * self.duration_us

    def loop_us(self, group: ProducerGroup) -> float:
        """Mean time from one send to the next in a closed loop, if every send went to the fastest broker unqueued."""
        think_us = mean_us(group.think.service_table_us()) if group.think is not None else 0.0
        if group.mode == "sync":
            think_us += min(self._answered_after_us(group.group, name) for name in self.brokers)
        return max(think_us, 1.0)

    def _answered_after_us(self, group: str, broker: str) -> float:
        """Mean time from a request to its answer at a broker that serves it at once."""
        ways_us = [mean_us(way.service_table_us()) for way in self.ways_between(group, broker) if way is not None]
        return mean_us(self.brokers[broker].latency.service_table_us()) + sum(ways_us)

    def route(self, topic: str) -> tuple[RouteEntry, ...]:
        """The route of a topic, in the order of the broker names."""
        return self.topics[topic].queue_data(list(self.brokers))

    def fault_periods(self) -> list[FaultPeriod]:
        """Every stretch of every fault within the scenario, sorted by (begin, end, broker, ...).

        Two faults that are alike strike twice, and are there twice.
        """
        names = list(self.brokers)
        count = self.name_servers.count
        faults = enumerate(self.faults)
        return sorted(
            period
            for i, fault in faults
            for period in fault.periods(
                self.duration_us, names, count, self.seed, i, self.instances, self.transactional, self.proxy_names
            )
        )

    def faults_after_end(self) -> list[FaultPeriod]:
        """The first stretch of every fault that would begin when the scenario is over: they never happen."""
        names, count = list(self.brokers), self.name_servers.count
        late = (fault for fault in self.faults if fault.at_us >= self.duration_us)
        struck = self.instances, self.transactional, self.proxy_names
        return [next(fault.periods(fault.at_us + 1, names, count, 0, 0, *struck)) for fault in late]

    def digest(self) -> str:
        """Digest of what the scenario means, 32 hexadecimal digits.

        Name, description and the spelling do not count: routes and faults go in as they are expanded.
        """
        content = self.model_dump(by_alias=True)
        for key in ("name", "description", "topics", "faults"):
            content.pop(key, None)
        for key in ("latency_max", "not_available_duration"):
            content["client"].pop(key, None)
        if not self.network:
            content.pop("network")
        if self.proxies is None:
            content.pop("proxies")
        elif self.proxies.default_invisible_time_us == INVISIBLE_US:
            content["proxies"].pop("default_invisible_time")
        if self.controllers == ControllerSettings.model_validate({}):
            content.pop("controllers")
        if not self.begins_at_us:
            content.pop("begins_at")
        for name, broker in self.brokers.items():
            drop_unset(content["brokers"][name], broker)
        if not self.consumers:
            content.pop("consumers")
        else:
            content["consumers"] = {
                name: group.without_failures(content["consumers"][name]) for name, group in self.consumers.items()
            }
        scaled = {name: group.autoscale for name, group in self.consumers.items()}
        drop_unset_keys(content, self.name_servers, [group.transaction for group in self.producers], scaled)
        _drop_what_delays_nothing(content)
        if self.client.policy is None:
            content["client"].pop("policy")
        if not self.client.auto_batch:
            for key in BATCH_SETTINGS:
                content["client"].pop(key)
        for group, client in zip(content["producers"], self.clients, strict=True):
            del group["client"]
            if not group["properties"]:
                del group["properties"]
            if client != self.client:
                group["client"] = client.model_dump(by_alias=True), client.penalty_tables_ms
        content["penalty_tables_ms"] = self.client.penalty_tables_ms
        content["topics"] = {
            name: {
                "route": [entry.model_dump() for entry in self.route(name)],
                "order_topic_conf": topic.order_topic_conf,
                "messages": topic.model_dump(include=OF_MESSAGES | {key for key in OF_FILTERS if getattr(topic, key)}),
                "auto_create": topic.auto_create,
            }
            for name, topic in self.topics.items()
        }
        content["faults"] = self.fault_periods()
        text = json.dumps([DIGEST_OF, content], sort_keys=True, separators=(",", ":"))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def to_yaml(self) -> str:
        """YAML that parses to a scenario with the same digest; defaults are left out, files are tables."""
        plain = self.model_dump(by_alias=True, exclude_defaults=True)
        return yaml.dump(plain, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=110)


def _drop_what_delays_nothing(content: dict[str, Any]) -> None:
    """Keys of delays that say what holds without them do not count in a digest."""
    for group in content["producers"]:
        for key in ("delay", "transaction", "grpc"):
            if group[key] is None:
                del group[key]
        for key in ("delay_time", "deliver_time"):
            if "delay" in group and group["delay"][key] is None:
                del group["delay"][key]
    for broker in content["brokers"].values():
        for key in OF_DELAYS:
            is_time = key not in Broker.model_fields
            default = Broker.model_fields[f"{key}_us" if is_time else key].default
            if broker[key] in (default, format_duration(default) if is_time else default):
                del broker[key]
