"""Queue lists, and when a producer replaces what it knows of a route."""

import pytest

from simulator.client.routes.default_route import CREATE_TOPIC_KEY
from simulator.client.routes.queue_list import QueueData, TopicRoute, queue_list, write_queues
from simulator.releases.producer_release import client_of
from tests.says import Says, raises
from tests.simulator.client.routes.route_table import RouteTable


def route(*brokers, masters=None, conf=None, nums=2, perm=6):
    datas = tuple(QueueData(name, nums, nums, perm) for name in brokers)
    ids = {name: frozenset({0} if masters is None or name in masters else {1}) for name in brokers}
    return TopicRoute(datas, ids, conf)


class NameServer:
    def __init__(self, release="4.9.8", **routes):
        self.routes = routes
        self.asked = []
        self.table = RouteTable(client_of(release), self.query)

    def query(self, topic):
        self.asked.append(topic)
        return self.routes.get(topic)


def test_queues_are_listed_by_broker_name_in_java_order():
    assert queue_list(route("b2", "b10", "B4", nums=1)) == [("B4", 0), ("b10", 0), ("b2", 0)]


def test_read_only_masterless_and_unknown_brokers_are_left_out_but_looked_up():
    slaves = route("a", "b", masters=["b"])
    assert {name for name, _ in queue_list(slaves)} == {"b"}
    assert write_queues(slaves) == {"a": (2, True), "b": (2, True)}
    assert queue_list(route("a", perm=4)) == []


def test_an_order_topic_conf_decides_alone():
    assert queue_list(route("a", masters=[], conf="b:2;a:1")) == [("b", 0), ("b", 1), ("a", 0)]
    with raises(ValueError, Says("route.not-a-broker-and-number", conf="a", part="a")):
        queue_list(route("a", conf="a"))


def test_an_unchanged_route_keeps_the_info_in_any_order():
    server = NameServer(t=route("a", "b"))
    info = server.table.find("t")
    server.routes["t"] = route("b", "a")
    server.table.poll()
    assert server.table.find("t") is info


def test_a_changed_route_makes_a_new_info():
    server = NameServer(t=route("a"))
    info = server.table.find("t")
    server.routes["t"] = route("a", "b")
    server.table.poll()
    assert server.table.find("t") is not info


def test_a_vanished_topic_keeps_its_info():
    server = NameServer(t=route("a"))
    info = server.table.find("t")
    del server.routes["t"]
    server.table.poll()
    assert server.table.find("t") is info


def test_a_new_topic_starts_with_the_default_route_and_at_most_four_queues():
    server = NameServer(**{CREATE_TOPIC_KEY: route("a", nums=8)})
    assert len(server.table.find("new").queues) == 4
    assert server.asked == ["new", CREATE_TOPIC_KEY]


def test_a_topic_with_a_route_but_no_queue_is_not_found():
    assert NameServer(t=route("a", masters=[])).table.find("t") is None


def test_addresses_that_no_route_names_are_dropped():
    server = NameServer(t=route("a", "b"))
    server.table.find("t")
    server.routes["t"] = route("a")
    server.table.poll()
    known = [server.table.has_master("b")]
    server.table.clean_offline_brokers()
    assert [*known, server.table.has_master("b"), server.table.has_master("a")] == [True, False, True]


@pytest.mark.parametrize(("release", "polled"), [("5.1.0", [CREATE_TOPIC_KEY]), ("5.1.1", [])])
def test_the_create_topic_key_is_polled_up_to_5_1_0(release, polled):
    server = NameServer(release)
    server.table.poll()
    assert server.asked == polled
