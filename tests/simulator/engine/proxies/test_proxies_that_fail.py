"""Proxies that are killed, hang or restart, and when their clients find another one."""

import pytest

from tests.simulator.engine.proxies.test_sending_over_proxies import GRPC, failed, sent
from tests.simulator.small import rows

PRODUCERS = GRPC | {"count": 8, "threads": 4, "rate": "20/s"}
ONE_HOST = {"count": 2, "one_host": True}


def strike(kind, at, lasting=None, proxy="proxy-1", **more):
    found = {"at": at, "kind": kind, "proxy": proxy, **more}
    return found if lasting is None else found | {"for": lasting}


def test_a_client_takes_the_next_proxy_of_its_list_at_once():
    run = sent("10s", PRODUCERS, {"count": 2}, faults=[strike("kill", "5s")])
    assert failed(run) == []
    assert max(row["latency_us"] for row in rows(run, "sends")) < 10_000


def test_proxies_of_one_host_are_found_when_the_client_asks_for_its_route_again():
    run = sent("50s", PRODUCERS, ONE_HOST, faults=[strike("kill", "10s")])
    assert {row["result"] for row in failed(run)} == {"UNAVAILABLE"}
    assert {row["attempts"] for row in failed(run)} == {3}
    assert {row["copies_stored"] for row in failed(run)} <= {0, 1}
    at_us = [row["arrival_us"] for row in failed(run)]
    assert 9_000_000 < min(at_us) < max(at_us) < 40_100_000
    ends_us = {row["producer"]: row["arrival_us"] for row in failed(run)}
    assert 0 < len(ends_us) < 8
    assert len({at // 1_000_000 for at in ends_us.values()}) > 1  # each at its own refresh


def test_every_attempt_is_put_out_with_its_proxy_and_one_without_a_broker_is_in_no_other_table():
    run = sent("30s", PRODUCERS, ONE_HOST, faults=[strike("kill", "10s")])
    over, names = rows(run, "proxied_attempts"), ("producer", "thread", "send_seq", "attempt", "broker", "end_us")
    assert len(over) == sum(row["attempts"] for row in rows(run, "sends"))
    assert [tuple(row[name] for name in names) for row in over if row["broker"]] == [
        tuple(row[name] for name in names) for row in rows(run, "attempts")
    ]
    assert {row["proxy"] for row in over if row["begin_us"] < 9_900_000} == {"proxy-1", "proxy-2"}
    assert {(row["proxy"], row["outcome"]) for row in over if row["broker"] is None} >= {(None, "UNAVAILABLE")}
    assert {row["proxy"] for row in over if row["begin_us"] > 10_000_000} == {"proxy-2", None}


def test_the_ports_of_the_request_keep_all_proxies_of_one_host_in_the_list():
    proxies = ONE_HOST | {"use_endpoint_port_from_request": True}
    assert failed(sent("10s", PRODUCERS, proxies, faults=[strike("kill", "5s")])) == []


def test_a_proxy_that_hangs_is_not_left():
    run = sent("16s", PRODUCERS, {"count": 2}, faults=[strike("hang", "2s", "12s")])
    assert {row["result"] for row in failed(run)} == {"DEADLINE_EXCEEDED"}
    assert {row["latency_us"] - (row["begin_us"] - row["arrival_us"]) for row in failed(run)} == {9_000_000}


def test_what_clients_of_a_hung_proxy_gave_up_is_cancelled_and_never_stored():
    run = sent("20s", PRODUCERS, {"count": 2}, faults=[strike("hang", "2s", "12s")])
    assert {row["copies_stored"] for row in failed(run)} == {0}
    late = [row["copies_stored"] for row in rows(run, "sends", result="SEND_OK") if row["latency_us"] > 1_000_000]
    assert len(late) > 20
    assert late.count(1) >= len(late) - 8  # each thread may have had one under way as the proxy stopped


STEADY = GRPC | {"threads": 600}
SMALL = {"orders": {"queues": 4, "message_bytes": "64B"}}  # 236 bytes a request, so 60 KiB are full after 4.07 s


def stored_of_failed(receive_buffer="60KiB", more=()):
    """When messages began that failed, and are stored all the same; the proxy hangs from 2 to 22 s."""
    run = sent("26s", STEADY, {"count": 1, "receive_buffer": receive_buffer}, topics=SMALL,
               faults=[strike("hang", "2s", "20s"), *more])  # fmt: skip
    found = [row["begin_us"] / 1e6 for row in failed(run) if row["copies_stored"]]
    return [at for at in found if at < 12]  # the others waited as it went on


def test_of_a_full_receive_buffer_a_proxy_sends_on_what_is_cancelled_behind_it():
    found = stored_of_failed()
    assert 2.0 < min(found) < 2.15  # the second attempts of the first messages
    assert 5.95 < max(found) < 6.2
    assert len(found) == pytest.approx(207, abs=6)


def test_a_receive_buffer_that_is_not_full_has_the_cancellations_of_its_requests():
    assert stored_of_failed("16MiB") == []


def test_a_hung_proxy_that_is_killed_sends_nothing_on():
    assert stored_of_failed(more=[strike("kill", "20s", "4s")]) == []


def test_without_any_proxy_a_channel_connects_again_after_its_backoff():
    run = sent("20s", PRODUCERS, {"count": 1}, faults=[strike("kill", "5s", "3s")])
    last_us = max(row["arrival_us"] for row in failed(run))
    assert 8_000_000 < last_us < 5_000_000 + 5_300_000  # after 1, 2.6 and 5.16 s


@pytest.mark.parametrize(("graceful", "most"), [(True, 0), (False, 8)])
def test_a_graceful_restart_answers_what_it_has(graceful, most):
    busy = PRODUCERS | {"rate": "200/s", "grpc": {"max_attempts": 1}}
    run = sent("8s", busy, {"count": 2}, faults=[strike("restart", "4s", "2s", graceful=graceful)])
    assert len(failed(run)) <= most
    assert bool(failed(run)) is not graceful


def test_a_rolling_restart_takes_the_proxies_in_turn():
    rolling = strike("rolling_restart", "2s", proxy="all", each="2s", pause="1s")
    run = sent("12s", PRODUCERS, {"count": 2}, faults=[rolling])
    assert failed(run) == []
    alone = sent("12s", PRODUCERS, {"count": 1}, faults=[rolling])
    assert {row["result"] for row in failed(alone)} == {"UNAVAILABLE"}


def test_each_producer_of_a_group_may_be_given_a_proxy_of_its_own():
    own = {"release": "5.0.8", "proxy": ["proxy-2", "proxy-1", "proxy-2"]}
    run = sent("5s", PRODUCERS | {"count": 3, "grpc": own}, {"count": 2})
    found = {(row["producer"], row["proxy"]) for row in rows(run, "proxied_attempts")}
    assert found == {(0, "proxy-2"), (1, "proxy-1"), (2, "proxy-2")}
