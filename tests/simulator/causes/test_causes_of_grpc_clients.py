"""What stands out of gRPC clients names what of their proxies made it worse, with the figure without that."""

from __future__ import annotations

import pytest

from simulator.causes.proof import prove
from simulator.causes.suspects import suspects_of
from tests.simulator.small import scenario_of

BROKERS = {"broker-a": {"latency": {"constant": "1ms"}, "send_threads": 4}, "broker-b": {"like": "broker-a"}}
GRPC = {"group": "grpc", "count": 8, "threads": 4, "rate": "10/s", "grpc": {}}
REMOTING = {"group": "direct", "count": 4, "threads": 4, "rate": "10/s"}
KILL = {"at": "15s", "for": "30s", "broker": "broker-a", "kind": "kill"}
HANG = {"at": "10s", "for": "20s", "broker": "broker-a", "kind": "hang"}
PROXY = {"at": "10s", "proxy": "proxy-1", "kind": "kill"}


def scenario(*faults, producers=(GRPC, REMOTING), **keys):
    base = {
        "seed": 7, "duration": "50s", "client": {"release": "5.3.3", "send_latency_fault_enable": False},
        "proxies": {"count": 2}, "producers": list(producers), "topics": {"orders": {"queues": 4}}, "brokers": BROKERS,
        "faults": list(faults),
    }  # fmt: skip
    return scenario_of(**base | keys)


def found(own, kind, place="grpc"):
    return [one for one in prove(own).answer() if (one.kind, one.place) == (kind, place)]


def names(own):
    return [one.id for one in suspects_of(own)]


def test_a_killed_broker_fails_messages_until_proxies_read_the_route():
    (one,) = found(scenario(KILL), "failed")
    assert (one.because, one.proven) == (("F1", "routes"), True)
    assert one.without["routes"] < one.size / 4
    assert one.until_us <= 37_000_000  # 20 s and a window after the kill


def test_a_hung_broker_costs_time_outs_as_proxies_do_not_measure_it():
    own = scenario(HANG, producers=(GRPC | {"threads": 200},))
    waits, failed = (max(found(own, kind), key=lambda one: one.size) for kind in ("waits", "failed"))
    assert waits.because == failed.because == ("F1", "unmeasured")
    assert failed.without["unmeasured"] == 0 < failed.size


def test_what_happens_to_a_remoting_group_is_no_matter_of_the_proxies():
    assert all("routes" not in one.because for one in prove(scenario(KILL)).answer() if one.place == "direct")


def test_a_killed_proxy_on_a_shared_host_fails_messages_as_routes_name_it_alone():
    own = scenario(PROXY, producers=(GRPC,), proxies={"count": 2, "one_host": True})
    (one,) = found(own, "failed")
    assert one.because == ("F1", "one_host")
    assert one.without["one_host"] == 0 < one.size


@pytest.mark.parametrize(("proxies", "left"), [
    ({"use_endpoint_port_from_request": True}, "one_host"), ({"send_latency_enable": True}, "unmeasured"),
    ({"topic_route_service_cache_refresh": "1s"}, "routes"),
])  # fmt: skip
def test_what_is_set_well_is_no_suspect(proxies, left):
    given = scenario(KILL, HANG, PROXY, proxies={"count": 2, "one_host": True})
    assert left in names(given)
    assert left not in names(scenario(KILL, HANG, PROXY, proxies={"count": 2, "one_host": True} | proxies))


def test_without_a_fault_proxies_are_no_suspects():
    assert names(scenario()) == []


SLOW = {"table": {"p0": "1s", "p90": "2s", "p100": "40s"}}
LISTENER = {"topic": "orders", "count": 2, "threads": 64, "service": SLOW}


def consumers(release, **grpc):
    group = LISTENER | {"grpc": grpc}
    return scenario(
        producers=(REMOTING | {"count": 1},), proxies={"count": 1, "release": release, "default_invisible_time": "10s"},
        consumers={"billing": group}, duration="60s",
        brokers={name: own | ({"release": "5.3.3"} if name == "broker-a" else {}) for name, own in BROKERS.items()},
    )  # fmt: skip


def test_proxies_that_do_not_renew_what_a_slow_listener_holds_are_the_cause():
    (one,) = found(consumers("5.3.3"), "revived", "billing")
    assert one.because == ("renewal billing",)
    assert one.without["renewal billing"] == 0 < one.size


def test_proxies_that_renew_are_none():
    assert names(consumers("5.4.0")) == []


def test_a_simple_consumer_that_holds_a_receive_too_long_is_the_cause():
    own = consumers("5.4.0", kind="simple", invisible_duration="10s", max_message_num=32)
    assert "renewal billing" in names(own)
    assert "renewal billing" in {name for one in found(own, "revived", "billing") for name in one.because}


def test_what_a_killed_simple_consumer_held_is_not_blamed_on_how_long_others_hold_what_they_receive():
    group = {"topic": "orders", "count": 2, "threads": 16, "service": {"table": {"p0": "100ms", "p100": "1s"}}}
    killed = {"at": "20s", "consumer": "billing-2", "kind": "kill"}
    own = scenario(
        killed, producers=(REMOTING | {"count": 1},), proxies={"count": 1},
        consumers={"billing": group | {"grpc": {"kind": "simple", "invisible_duration": "10s", "max_message_num": 32}}},
    )  # fmt: skip
    (one,) = found(own, "revived", "billing")
    assert "renewal billing" in names(own)
    assert one.because == ("F1",)
