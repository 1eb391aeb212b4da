"""The routes that each name server delivers in the course of a run: a pure function of the scenario.

A version is one route of one topic; a timeline says from when on a name server delivers which version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from simulator.client.routes.default_route import CREATE_TOPIC_KEY, default_route
from simulator.client.routes.queue_list import MASTER_ID, QueueData, TopicRoute
from simulator.engine.memory.routes import NO_ANSWER, NO_REPLY, NOT_EXISTING
from simulator.kernel.randomness import REGISTRATION_PHASE, SCAN_PHASE, START_RACE, drawn
from simulator.plan.effects import (
    Away,
    Effect,
    Joins,
    NameServerDown,
    NameServerSilent,
    NameServerSlow,
    NamesMaster,
    NamesSlaves,
    RouteChange,
)
from simulator.plan.name_server import (
    ACTING_MASTER,
    FIRST_REGISTRATION_US,
    REGISTER_PERIOD_US,
    Span,
    Timing,
    broker_spans,
    known_spans,
)
from simulator.plan.spans import active_at, edges
from simulator.releases.producer_release import CLIENTS
from simulator.scenario import Scenario

PROCESS_BITS = 32  # of the number of a process of a broker
PERMISSIONS = {"rw": 6, "r": 4, "w": 2, "none": 0}
TBW102_PERMISSION = 7  # read, write and inherit
TBW102_QUEUES = 8  # BrokerConfig.defaultTopicQueueNums
SLAVE_ID = 1
READABLE = 4
NOT_READY = NOT_EXISTING  # to a client both are an error code, which leaves its routes as they are

Machines = dict[tuple[str, bool], int]  # (replica set, whether a master is meant) -> machine, from 0
Timeline = list[tuple[int, int]]  # (from when, version, or NOT_EXISTING or NO_ANSWER), the first from 0


@dataclass(frozen=True)
class RoutePlan:
    """versions: the routes; timelines[name server][topic].

    views: of clients that are cut off from some name server; each view has timelines of its own behind those before.

    defaults: of a topic that sends create, each version in its timelines -> the version of the default route then.
    Such a version names every broker that can create the topic; which of them have is for the run to show.
    """

    versions: list[TopicRoute]
    timelines: list[list[Timeline]]
    defaults: dict[int, dict[int, int]]
    views: Mapping[str, int] = field(default_factory=dict)

    def seen_from(self, client: str, name_servers: int) -> int:
        """Where in `timelines` the name servers begin as a client sees them; see client_of."""
        return self.views.get(client, 0) * name_servers

    @property
    def changes(self) -> bool:
        """Whether any producer could ever see another route than at its start."""
        return bool(self.defaults) or any(len(timeline) > 1 for own in self.timelines for timeline in own)

    def changes_at_most(self, topic: int) -> int:
        """How often what one producer knows of a topic can change."""
        created = 0
        if topic in self.defaults:
            created = max((len(self.versions[version].queue_datas) for version in self.defaults[topic]), default=0)
        return sum(len(own[topic]) - 1 for own in self.timelines) + created


def base_route(scenario: Scenario, topic: str) -> TopicRoute:
    """The route of a topic while nothing is away."""
    entries = scenario.route(topic)
    order = scenario.topics[topic].order_topic_conf
    return TopicRoute(
        tuple(
            QueueData(entry.broker, entry.read_queues, entry.write_queues, PERMISSIONS[entry.permission])
            for entry in entries
        ),
        {entry.broker: frozenset({MASTER_ID} if entry.master else {SLAVE_ID}) for entry in entries},
        None if order is None else ";".join(f"{broker}:{n}" for broker, n in order),
    )


def _create_topic_route(brokers: Iterable[str]) -> TopicRoute:
    """The route of the create-topic key."""
    names = sorted(brokers)
    return TopicRoute(
        tuple(QueueData(name, TBW102_QUEUES, TBW102_QUEUES, TBW102_PERMISSION) for name in names),
        {name: frozenset({MASTER_ID}) for name in names},
    )


def _creators(scenario: Scenario, brokers: Iterable[str]) -> list[str]:
    """Those of the brokers that have the topic whose route the clients ask for, and so create topics for them."""
    asked = CLIENTS[scenario.clients[0].release].default_route_key  # that of all groups, see Scenario
    return [name for name in brokers if scenario.brokers[name].rules.create_topic_key == asked]


def timing_of(scenario: Scenario, name: str) -> Timing:
    """How the scenario's name servers keep a broker in their list."""
    if scenario.name_servers.enable_slave_acting_master or scenario.brokers[name].slave_acting_master:
        return ACTING_MASTER
    return Timing(scenario.name_servers.rules.scan_period * 1000)


def _acting(scenario: Scenario) -> frozenset[str]:
    """Brokers that nobody writes to while they have no master: its slave acts for it."""
    return frozenset(name for name, own in scenario.brokers.items() if own.is_acted_for)


def _registers_at_start(scenario: Scenario, broker: int, name: str) -> Callable[[int], bool]:
    """Whether the process of a number registers as it starts: up to 4.9.8 all do, of later ones one in two.

    A master whose slave acts for it does so when it has asked the slave (BrokerPreOnlineService).
    """
    sure, seed = scenario.brokers[name].rules.registers_at_start or name in _acting(scenario), scenario.seed
    return lambda process: sure or drawn(seed, START_RACE, broker << PROCESS_BITS | process, 2) == 0


def known_slaves(scenario: Scenario, effects: Sequence[Effect]) -> list[dict[str, list[Span]]]:
    """For each name server and broker with slaves the stretches of time in which it lists a slave."""
    staying = {e.broker for e in effects if isinstance(e, Away) and e.slave_stays}
    if not staying and not any(own.slaves for own in scenario.brokers.values()):
        return [{} for _ in range(scenario.name_servers.count)]
    of_all = [e for e in effects if not isinstance(e, NamesMaster) and (not isinstance(e, Away) or e.with_slaves)]
    found = known_brokers(scenario, of_all)
    return [
        {
            name: spans if scenario.brokers[name].slaves else _both(spans, _while_lost(effects, name))
            for name, spans in own.items()
            if scenario.brokers[name].slaves or name in staying
        }
        for own in found
    ]


def _while_lost(effects: Sequence[Effect], name: str) -> list[Span]:
    """From the loss of a broker's master until that has registered again, at most 10 s after its start."""
    lost = [e.outage for e in effects if isinstance(e, Away) and e.slave_stays and e.broker == name]
    return sorted({(one.at_us, one.until_us + FIRST_REGISTRATION_US) for one in lost})


def known_brokers(scenario: Scenario, effects: Sequence[Effect]) -> list[dict[str, list[Span]]]:
    """For each name server and broker the stretches of time in which it lists the broker's master."""
    seed = scenario.seed
    away = [e for e in effects if isinstance(e, Away)]
    joins = {e.broker: e.at_us for e in effects if isinstance(e, Joins)}
    found = []
    for number in range(scenario.name_servers.count):
        down = [(e.at_us, e.until_us) for e in effects if isinstance(e, NameServerDown) and e.number == number + 1]
        own = {}
        for b, name in enumerate(scenario.brokers):
            timing = timing_of(scenario, name)
            scans_us = drawn(seed, SCAN_PHASE, number, timing.scan_period_us)
            registers_us = drawn(seed, REGISTRATION_PHASE, b, REGISTER_PERIOD_US)
            spans, lives = broker_spans(
                [e.outage for e in away if e.broker == name and e.name_server in (0, number + 1)],
                timing,
                registers_us=registers_us,
                scans_us=scans_us,
                joins_us=joins.get(name, 0),
                registers_at_start=_registers_at_start(scenario, b, name),
            )
            named = [(e.at_us, e.until_us) for e in effects if isinstance(e, NamesMaster) and e.broker == name]
            own[name] = known_spans(_both(named, spans) if named else spans, lives, down)
        found.append(own)
    return found


def _both(some: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """The stretches of time that lie in one of either."""
    found = [(max(a, c), min(b, d)) for a, b in some for c, d in others]
    return sorted(span for span in found if span[0] < span[1])


def _listed(spans: dict[str, list[Span]], now_us: int) -> frozenset[str]:
    return frozenset(name for name, own in spans.items() if any(a <= now_us < b for a, b in own))


def _machines(effects: Sequence[Effect], now_us: int) -> Machines:
    """The machine of each replica set that is named then: as master where that is not the first, or as first slave."""
    named = [e for e in effects if isinstance(e, NamesMaster | NamesSlaves) and e.at_us <= now_us < e.until_us]
    found = {(e.broker, isinstance(e, NamesMaster)): e.machine for e in named}
    return {key: machine for key, machine in found.items() if machine > 0 or not key[1]}


def _changed(
    route: TopicRoute, topic: str, masters: frozenset[str], slaves: frozenset[str], changes: Iterable[RouteChange],
    machines: Machines, acting: frozenset[str],
) -> TopicRoute | None:  # fmt: skip
    datas = {data.broker_name: data for data in route.queue_datas if data.broker_name in masters | slaves}
    ids = {name: own for name, own in route.broker_ids.items() if name in masters}
    ids |= {name: frozenset({SLAVE_ID}) for name in datas if name not in masters}
    for change in changes:
        data = datas.get(change.broker)
        if data is None or change.topic not in ("", topic):
            continue
        if change.read_only:
            data = replace(data, perm=data.perm & READABLE)
        if change.queues:
            data = replace(data, read_queue_nums=change.queues, write_queue_nums=change.queues)
        datas[change.broker] = data
    for name in acting & datas.keys():
        if MASTER_ID not in ids.get(name, ()):
            datas[name] = replace(datas[name], perm=datas[name].perm & READABLE)
    own = {
        name: machine
        for (name, leads), machine in machines.items()
        if name in ids and leads == (MASTER_ID in ids[name])
    }
    return replace(route, queue_datas=tuple(datas.values()), broker_ids=ids, machines=own) if datas else None


class _Versions:
    """Routes by number, each of a topic only once."""

    def __init__(self) -> None:
        self.routes: list[TopicRoute] = []
        self.defaults: dict[int, dict[int, int]] = {}
        self._numbers: dict[object, int] = {}

    def _number(self, topic: object, route: TopicRoute) -> int:
        ids = tuple(sorted(route.broker_ids.items(), key=lambda item: item[0]))
        key = (topic, route.queue_datas, ids, tuple(sorted(route.machines.items())))
        if key not in self._numbers:
            self._numbers[key] = len(self.routes)
            self.routes.append(route)
        return self._numbers[key]

    def delivered(self, topic: int, route: TopicRoute | None, default: TopicRoute | None) -> int:
        """Number of a topic's route, or NOT_EXISTING; `default`: its default route, if sends create it."""
        if route is None:
            return NOT_EXISTING
        if default is None:
            return self._number(topic, route)
        of_default = self._number((topic, "default"), default)
        number = self._number((topic, of_default), route)
        self.defaults[topic][number] = of_default
        return number


def route_plan(scenario: Scenario, effects: Sequence[Effect]) -> RoutePlan:
    """The routes of a scenario with those effects."""
    changes = [e for e in effects if isinstance(e, RouteChange)]
    first = [e for e in effects if isinstance(e, NamesSlaves)]
    versions, names, acting = _Versions(), list(scenario.topics), _acting(scenario)
    base = [base_route(scenario, topic) for topic in names]
    default: list[TopicRoute | None] = [None] * len(names)
    for t, topic in enumerate(names):
        if scenario.topics[topic].auto_create:
            versions.defaults[t] = {}
            default[t] = default_route(_create_topic_route(_creators(scenario, base[t].broker_ids)))
    silences, views = client_views(scenario, effects)
    timelines = []
    both = list(zip(known_brokers(scenario, effects), known_slaves(scenario, effects), strict=True))
    for silent_to_them, (number, (spans, of_slaves)) in product(silences, enumerate(both)):
        down = [e for e in effects if isinstance(e, NameServerDown) and e.number == number + 1]
        waits = [replace(e, at_us=e.until_us, until_us=e.until_us + scenario.name_servers.waits_us) for e in down]
        mute = [e for e in silent_to_them if e.number == number + 1]
        slow = [e for e in effects if isinstance(e, NameServerSlow) and e.number == number + 1]
        listed = [*spans.values(), *of_slaves.values()]
        moments = {0, *(edge for own in listed for span in own for edge in span), *edges(changes), *edges(first)}
        moments |= {at_us + e.delay_us for e in slow for at_us in moments} | edges([*down, *waits, *mute, *slow])
        own: list[Timeline] = [[] for _ in names]
        for now_us in sorted(moment for moment in moments if moment < scenario.duration_us):
            as_of_us = _as_of(slow, now_us)
            known, slaves = _listed(spans, as_of_us), _listed(of_slaves, as_of_us)
            changed, machines = active_at(changes, as_of_us), _machines(effects, as_of_us)
            answers = not active_at(down, now_us) and not active_at(mute, now_us)
            for t, topic in enumerate(names):
                version = NOT_READY
                if not answers:
                    version = NO_ANSWER if active_at(down, now_us) else NO_REPLY
                elif not active_at(waits, now_us):
                    unmade, route = default[t], _changed(base[t], topic, known, slaves, changed, machines, acting)
                    if unmade is not None:
                        unmade = _changed(unmade, CREATE_TOPIC_KEY, known, slaves, changed, machines, acting)
                        route = route if unmade else None
                    version = versions.delivered(t, route, unmade)
                if not own[t] or own[t][-1][1] != version:
                    own[t].append((now_us, version))
        timelines.append(own)
    return RoutePlan(versions.routes, timelines, versions.defaults, views)


def client_of(group: str, instance: str = "") -> str:
    """What a group of producers, or an instance of consumers, is called among the views of name servers."""
    return f"consumer {instance}" if instance else group


def client_views(scenario: Scenario, effects: Sequence[Effect]) -> tuple[list[list[NameServerSilent]], dict[str, int]]:
    """The silences of name servers as each view of them meets them, the first that of most clients; who has another."""
    silences = [
        e if e.until_us >= scenario.duration_us else replace(e, until_us=e.until_us - e.waits_us)
        for e in effects
        if isinstance(e, NameServerSilent)
    ]
    found, views = [[e for e in silences if not e.group and not e.instance]], dict[str, int]()
    for name in sorted({client_of(e.group, e.instance) for e in silences} - {""}):
        views[name] = len(found)
        found.append([e for e in silences if client_of(e.group, e.instance) in ("", name)])
    return found, views


def _as_of(slow: Sequence[NameServerSlow], now_us: int) -> int:
    """Of when an answer is that comes then: who asks a slow name server learns of a change so much later."""
    return min((max(e.at_us, now_us - e.delay_us) for e in active_at(slow, now_us)), default=now_us)
