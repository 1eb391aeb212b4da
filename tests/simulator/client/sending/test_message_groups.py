"""The queues of message groups: hashes of Guava, and how gRPC producers' messages keep to a queue."""

from __future__ import annotations

import collections

import pytest

from simulator.client.sending.message_groups import consistent_place, sip_hash_of_number
from tests.simulator.small import fault, ran, rows

TWO = {name: {"latency": {"constant": "2ms"}} for name in ("a", "b")}
KEYED = {"orders": {"queues": 4, "keys": {"count": 40}, "check_order": True}}


@pytest.mark.parametrize(("number", "found"), [(123_456_789, -3863810759074054403), (12_345_678, 149469851762178027)])
def test_sip_hash(number, found):
    """Of a reference in plain Python that gives a129ca6149be45e5 for the published vector."""
    assert sip_hash_of_number(number) == found


@pytest.mark.parametrize(("hash_code", "place"), [(0, 0), (1, 6), (2, 6), (-5, 5), (123_456_789, 7), (-(2**31), 2)])
def test_consistent_hash_of_eight_buckets(hash_code, place):
    assert consistent_place(hash_code, 8) == place


def test_a_bucket_more_moves_only_what_goes_there():
    moved = [n for n in range(-500, 500) if consistent_place(n, 9) != consistent_place(n, 8)]
    assert {consistent_place(n, 9) for n in moved} == {8}
    assert 60 < len(moved) < 160


def sent(proxies, **changes):
    group = {"count": 2, "threads": 2, "rate": "100/s", "grpc": {}, "selector": "hash"}
    return ran(
        duration="20s", client={"release": "5.3.3"}, producers=group, proxies=proxies, brokers=TWO, topics=KEYED,
        **changes,
    )  # fmt: skip


@pytest.mark.parametrize("proxies", [{"count": 2}, {"mode": "local"}])
def test_messages_of_a_group_go_to_one_queue_whoever_sends_them(proxies):
    run = sent(proxies)
    places = collections.defaultdict(set)
    keys = {(row["producer"], row["thread"], row["send_seq"]): row["message_key"] for row in rows(run, "sends")}
    for row in rows(run, "attempts"):
        places[keys[row["producer"], row["thread"], row["send_seq"]]].add((row["broker"], row["queue_id"]))
    assert {len(own) for own in places.values()} == {1}
    assert len({place for own in places.values() for place in own}) >= 7
    assert {row["pick_reason"] for row in rows(run, "attempts")} == {"message_group"}


@pytest.mark.parametrize("proxies", [{"count": 2}, {"mode": "local"}])
def test_all_attempts_of_a_message_with_a_group_meet_the_dead_broker(proxies):
    run = sent(proxies, faults=[fault("kill", "10s", None, "a")])
    failed = [row for row in rows(run, "sends") if row["result"] != "SEND_OK"]
    assert {row["attempts"] for row in failed} == {3}
    assert 0.3 < len(failed) / len([row for row in rows(run, "sends") if row["begin_us"] > 10e6]) < 0.7
