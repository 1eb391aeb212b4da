"""Groups over gRPC in local mode: each broker's proxy is in its process, and answers for its messages alone."""

from __future__ import annotations

import itertools

import pytest

from tests.simulator.consumer.proxied.test_push_consumers import after_s, again, billing, struck
from tests.simulator.small import fault, rows

# nothing is sent as the broker goes on
LATE = {"rate": "20/s", "threads": 100, "grpc": {}, "rate_changes": {"45s": "0/s", "60s": "20/s"}, "arrivals": "steady"}
LOCAL = {"mode": "local", "release": "5.3.3"}


def local(duration="20s", faults=(), **keys):
    """The run of those tests with proxies in its two brokers."""
    return billing(duration, faults, proxies=None, local=LOCAL, **keys)


def begins_s(run, broker):
    return sorted(row["begin_us"] / 1e6 for row in rows(run, "consumed", broker=broker))


@pytest.mark.parametrize("grpc", [{}, {"kind": "simple", "await_duration": "10s"}])
def test_every_message_is_handled_once(grpc):
    run = local(grpc=grpc)
    assert len(rows(run, "consumed")) >= 390
    assert {row["times"] for row in rows(run, "consumed")} == {1}


def test_a_killed_broker_silences_its_own_messages_alone():
    run = local("60s", [fault("kill", "10s", "20s", "a")])
    of_b = begins_s(run, "b")
    assert max(later - one for one, later in itertools.pairwise(of_b)) < 1


def test_its_clients_are_back_when_their_channels_have_connected_again():
    """After 1, 2.6, ..., 26.3 s: a broker that is away for 20 s is one of 26.3 s to them.

    It dies just after its neighbour's proxy has read its routes, which reads them again after 20 s.
    """
    run = local("60s", [fault("kill", "17s", "20s", "a")], rate="40/s")
    assert 43.29 <= min(when for when in begins_s(run, "a") if when > 18) < 45


def test_an_acknowledgement_is_tried_again_until_the_broker_is_back_however_long_its_route_has_lost_it():
    run = local("80s", [fault("kill", "10s", "25s", "a")], service="2s", threads=20)
    assert rows(run, "consumed", result="too late to acknowledge") == []
    assert again(run) == []


def test_a_hung_broker_loses_nothing_and_silences_nobody_else():
    run = local("60s", [fault("hang", "10s", "40s", "a")])
    assert again(run) == []
    assert max(later - one for one, later in itertools.pairwise(begins_s(run, "b"))) < 1
    assert 50 <= min(when for when in begins_s(run, "a") if when > 11) < 52


def test_a_killed_client_silences_nothing_and_what_it_held_comes_again():
    run = local("80s", [struck("kill", "10s", "80s", consumer="billing-1")], rate="4/s", threads=20, service="3s")
    assert 5 <= len(again(run)) <= 14
    assert all(62 < after_s(row) < 66 for row in again(run))


def test_a_receive_that_its_client_gave_up_after_the_broker_went_on_takes_a_message_with_it():
    """Asked at 34 s, given up at 57 s, polling from 56.5 to 76.5 s: of each client the next message is lost to it."""
    run = local("140s", [fault("hang", "10s", "46.5s", "a")], producers=LATE)
    late = again(run)
    assert 1 <= len(late) <= 2
    assert {row["broker"] for row in late} == {"a"}
    assert all(60 < after_s(row) < 66 and row["arrival_us"] > 57_000_000 for row in late)
