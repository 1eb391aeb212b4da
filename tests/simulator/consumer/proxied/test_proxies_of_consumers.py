"""A proxy fails under consumers: who moves at once, who waits for its routes, what comes again."""

from __future__ import annotations

import itertools

from tests.simulator.consumer.proxied.test_push_consumers import again, billing, struck
from tests.simulator.small import rows

ON_ONE = {"proxy": "proxy-1"}
KILL = struck("kill", "10s", "80s", proxy="proxy-1")


def longest_gap_s(run, from_s=5):
    begins = sorted(row["begin_us"] / 1e6 for row in rows(run, "consumed") if row["begin_us"] > from_s * 1e6)
    return max(later - one for one, later in itertools.pairwise(begins))


def test_clients_of_a_killed_proxy_receive_over_the_next_one_after_a_second():
    assert 0.9 < longest_gap_s(billing("30s", [KILL], grpc=ON_ONE)) < 1.5


def test_a_change_of_an_instances_proxy_is_put_out_when_a_request_finds_it():
    run = billing("30s", [KILL], grpc=ON_ONE)
    found = rows(run, "proxied_consumers")
    assert {row["instance"]: row["proxy"] for row in found[: len(found) // 2]} == {
        "billing-1": "proxy-1",
        "billing-2": "proxy-1",
    }
    assert {row["proxy"] for row in found if row["at_us"] > 10_000_000} == {"proxy-2"}
    assert len(found) == 4


def test_where_proxies_share_a_host_they_wait_for_their_next_routes():
    run = billing("60s", [KILL], {"one_host": True}, grpc=ON_ONE, count=1)
    assert 1.9 < longest_gap_s(run) < 31


def test_a_proxy_that_hangs_keeps_its_clients_and_what_they_could_not_acknowledge_comes_again():
    run = billing("120s", [struck("hang", "10s", "70s", proxy="proxy-1")], grpc=ON_ONE, service="1s", threads=20)
    assert 68 < longest_gap_s(run) < 73
    assert 10 <= len(again(run)) <= 60
    assert all(row["begin_us"] - row["arrival_us"] > 62_000_000 for row in again(run))


def test_a_killed_proxy_forgets_the_handles_that_it_renewed():
    """Its clients have the first one only, whose invisible time is over: apache/rocketmq#10278."""
    stuck = struck("stuck", "1s", "100s", consumer="billing-1")
    kill = struck("kill", "90s", "300s", proxy="proxy-1")
    run = billing("180s", [stuck, kill], {"release": "5.4.0"}, ON_ONE, rate="4/s", count=1)
    slow = [row for row in rows(run, "consumed") if row["end_us"] - row["begin_us"] > 60_000_000]
    assert [row["result"] for row in slow] == ["too late to acknowledge"]
    assert [row["arrival_us"] for row in again(run)] == [slow[0]["arrival_us"]]


def test_each_client_of_a_group_may_be_given_a_proxy_of_its_own():
    run = billing("5s", grpc={"proxy": ["proxy-2", "proxy-1"]})
    found = {row["instance"]: row["proxy"] for row in rows(run, "proxied_consumers")}
    assert found == {"billing-1": "proxy-2", "billing-2": "proxy-1"}
