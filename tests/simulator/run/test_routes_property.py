"""Whatever happens to routes: the compiled polls leave a producer with what client/routes/route_table.py says.

Both are driven through the same drawn story, with messages between the polls. After every event the queue lists and
the write queues must be equal, and a counter must start again exactly when the route table made a new object.
"""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.client.routes.default_route import CREATE_TOPIC_KEY
from simulator.client.routes.queue_list import TopicRoute
from simulator.plan.compile import compile_scenario
from simulator.plan.effects import effects_of
from simulator.plan.route_plan import route_plan
from simulator.releases.producer_release import client_of
from simulator.run.cell import Cell
from simulator.workload import Arrivals
from tests.simulator.client.routes.route_table import RouteTable
from tests.simulator.drawn import RELEASES
from tests.simulator.small import scenario_of

BROKERS = "abcd"
TOPICS = ("made", "orders")
S = 1_000_000
KINDS = ("kill", "scale_in", "scale_out", "wipe_permission", "read_only", "queues", "master_lost", "name_server_down")
OWN_KEYS = {
    "scale_in": {"drain": "5s"},
    "read_only": {"topic": "orders"},
    "queues": {"topic": "made", "queues": 3},
}


@st.composite
def stories(draw):
    """A scenario of a producer on whose routes much happens, and when it sends to which topic."""
    faults = []
    for kind in draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=6)):
        begin = draw(st.integers(1, 90))
        fault = {"at": f"{begin}s", "kind": kind} | OWN_KEYS.get(kind, {})
        if kind != "scale_out":
            fault["for"] = f"{draw(st.integers(1, 60))}s"
        if kind == "name_server_down":
            faults.append(fault | {"name_server": draw(st.sampled_from([1, "all"]))})
        else:
            faults.append(fault | {"broker": draw(st.sampled_from([*BROKERS, "all"]))})
            if kind == "queues":
                faults[-1] |= {"topic": draw(st.sampled_from(TOPICS)), "queues": draw(st.sampled_from([1, 5]))}
    scenario = scenario_of(
        duration="150s", seed=draw(st.integers(0, 999)), faults=faults, producers={"rate": "0.001/s"},
        client={
            "release": draw(st.sampled_from(RELEASES)), "send_latency_fault_enable": False,
            "poll_name_server_interval": draw(st.sampled_from(["4s", "30s"])),
        },
        topics={"orders": {"queues": 2}, "made": {"auto_create": True}},
        brokers={name: {"latency": {"constant": "2ms"}} for name in BROKERS},
        name_servers={"count": draw(st.integers(1, 2))},
    )  # fmt: skip
    return scenario, draw(st.lists(st.sampled_from(TOPICS), min_size=10, max_size=60))


class Both:
    """One producer, as the loop runs it and as the route table does; `now_us` is the time of the name servers."""

    def __init__(self, scenario):
        effects = [e for period in scenario.fault_periods() for e in effects_of(period, {})]
        self.routes = route_plan(scenario, effects)
        self.plan = compile_scenario(scenario)
        self.cell = Cell(self.plan.cells[0])
        self.cell.observe(self.plan.observations)
        self.topics, self.now_us, self.created = list(scenario.topics), 0, {}
        self.server = int(self.plan.cells[0].name_servers[0])
        self.table = RouteTable(client_of(scenario.client.release), self.query)
        self.infos = dict.fromkeys(TOPICS)
        self.infos["orders"] = self.table.find("orders")

    def version(self, topic):
        """What the first name server that answers delivers."""
        for i in range(len(self.routes.timelines)):
            server = (self.server + i) % len(self.routes.timelines)
            timeline = self.routes.timelines[server][self.topics.index(topic)]
            version = [v for at_us, v in timeline if at_us <= self.now_us][-1]
            if version != -2:
                self.server = server
                return version
        return -1

    def query(self, topic):
        """The route of a topic now; of the created one with the brokers that have it."""
        made = self.topics.index("made")
        if topic == CREATE_TOPIC_KEY:
            version = self.version("made")
            return None if version < 0 else self.routes.versions[self.routes.defaults[made][version]]
        version = self.version(topic)
        if version < 0:
            return None
        route = self.routes.versions[version]
        if topic == "orders":
            return route
        datas = tuple(data for data in route.queue_datas if data.broker_name in self.created)
        ids = {name: own for name, own in route.broker_ids.items() if name in self.created}
        return TopicRoute(datas, ids) if datas else None

    def note_created(self):
        made = self.topics.index("made")
        created = self.cell.world.created
        self.created = {name for b, name in enumerate(BROKERS) if created[made * len(BROKERS) + b]}

    def view(self, topic):
        """The thread's view."""
        return self.cell.world.views[self.topics.index(topic)]

    def counter(self, topic):
        counter = self.view(topic).counter
        return counter.seeded, counter.value

    def send(self, topic, at_us):
        self.now_us = at_us
        self.note_created()
        one = [np.array([value], np.int64) for value in (at_us, 0, self.topics.index(topic), at_us * 977)]
        self.cell.step(Arrivals(*one), at_us + S)
        self.table.find(topic)
        self.infos[topic] = self.table._infos[topic]

    def poll(self, at_us):
        self.cell.step(Arrivals(*[np.empty(0, np.int64)] * 4), at_us)
        before = {topic: self.counter(topic) for topic in TOPICS}
        self.now_us = at_us
        self.note_created()
        self.cell.step(Arrivals(*[np.empty(0, np.int64)] * 4), at_us + 1)
        self.table.poll()
        for topic in TOPICS:
            info = self.table._infos.get(topic)
            assert self.counter(topic) == (before[topic] if info is self.infos[topic] else (0, 0))
            self.infos[topic] = info

    def check(self):
        """The lists and write queues of both."""
        for topic in TOPICS:
            view, info = self.view(topic), self.infos[topic]
            queues = view.queues.queues
            listed = [(BROKERS[queues[i].broker], queues[i].queue_id) for i in range(len(queues))]
            assert listed == list(info.queues if info else ())
            writes = ((name, view.writes.brokers[b]) for b, name in enumerate(BROKERS))
            found = {name: (own.write_queue_nums, own.is_writeable == 1) for name, own in writes}
            found = {name: own for name, own in found.items() if own[0] >= 0}
            assert found == (info.write_queues if info else {})


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(story=stories())
def test_polls_leave_what_the_route_table_says(story):
    scenario, sends = story
    both = Both(scenario)
    both.check()
    period_us = scenario.client.poll_name_server_interval_ms * 1000
    polls = range(both.plan.cells[0].first_poll_us, 140 * S, period_us)
    events = [(at_us, "") for at_us in polls]
    gap_us = 140 * S // len(sends)
    for i, topic in enumerate(sends):
        at_us = i * gap_us + gap_us // 2
        if all(abs(at_us - poll_us) > 1.2 * S for poll_us in polls):
            events.append((at_us, topic))
    for at_us, topic in sorted(events):
        if topic:
            both.send(topic, at_us)
        else:
            both.poll(at_us)
        both.check()
