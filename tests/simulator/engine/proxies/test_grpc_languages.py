"""Producers over gRPC in other languages than Java: where their attempts go, when they stop, what they leave out."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.engine.proxies.test_local_mode import at, failed, sent
from tests.simulator.small import fault, ran, rows, scenario_of

KILL, HANG = fault("kill", "10s", None, "a"), fault("hang", "10s", "15s", "a")


def local(client, faults=(), duration="30s", **producers):
    return sent(duration, faults, **{"grpc": {"client": client}} | producers)


def over_two(client, release=None, faults=(), duration="30s", **own):
    """A run of 50 messages a second over two proxies before two brokers."""
    grpc = {"client": client} | ({"release": release} if release else {})
    producers = {"count": 1, "threads": 400, "rate": "50/s", "grpc": grpc} | own
    return ran(
        duration=duration, client={"release": "5.3.3"}, proxies={"count": 2, "hop": "1ms"}, producers=producers,
        brokers={name: {"latency": {"constant": "2ms"}} for name in ("a", "b")}, faults=list(faults),
    )  # fmt: skip


@pytest.mark.parametrize("client", ["java", "csharp", "nodejs"])
def test_of_these_a_killed_broker_of_local_mode_fails_no_message_and_gets_one_attempt(client):
    run = local(client, [KILL])
    assert failed(run) == []
    assert len([when for when in at(run, "a") if when >= 10]) == 1


def test_go_sends_all_attempts_of_a_message_to_one_broker_and_does_not_leave_it_out():
    run = local("go", [KILL], "20s")
    assert {(row["result"], row["attempts"]) for row in failed(run)} == {("UNAVAILABLE", 3)}
    assert 0.4 < len(failed(run)) / 500 < 0.6


def test_cpp_tries_the_other_broker_but_goes_on_sending_to_the_dead_one():
    run = local("cpp", [KILL], "20s")
    assert failed(run) == []
    assert len([when for when in at(run, "a") if when >= 10]) > 200


def test_python_takes_the_next_queue_for_each_attempt():
    run = local("python", [KILL], "20s")
    lost = [row["attempts"] for row in failed(run)]
    assert lost == []  # two queues of a broker follow each other, and the third attempt is at the other
    assert max(row["attempts"] for row in rows(run, "sends") if row["begin_us"] > 10e6) == 3


def test_rust_makes_one_attempt_and_keeps_its_route():
    run = local("rust", [KILL], "80s")
    late = [row for row in failed(run) if row["begin_us"] > 70e6]
    assert {row["attempts"] for row in failed(run)} == {1}
    assert 0.4 < len(late) / 500 < 0.6
    assert failed(local("java", [KILL], "80s")) == []


@pytest.mark.parametrize(("client", "attempts"), [("java", 3), ("go", 3), ("cpp", 3), ("python", 1), ("rust", 1)])
def test_some_do_not_try_again_after_too_many_requests(client, attempts):
    busy = fault("code", "0s", "3s", "all", response_code="SYSTEM_BUSY")
    run = over_two(client, faults=[busy], duration="2s")
    early = [row for row in rows(run, "sends") if row["begin_us"] < 1_500_000]
    assert {(row["result"], row["attempts"]) for row in early} == {("TooManyRequestsException", attempts)}


def test_a_synchronous_send_of_cpp_5_1_1_ends_after_3_s_and_is_stored_all_the_same():
    run = over_two("cpp", faults=[HANG], duration="60s")
    gone = failed(run)
    took = {(row["result"], row["attempts"], (row["end_us"] - row["begin_us"]) // 100_000) for row in gone}
    assert took == {("DEADLINE_EXCEEDED", 1, 30)}
    assert 250 < len(gone) < 500
    assert min(row["copies_stored"] for row in gone) >= 1


@pytest.mark.parametrize(("release", "mode"), [("5.0.4", "sync"), ("5.1.1", "async")])
def test_those_of_5_0_4_and_asynchronous_ones_wait_for_all_attempts(release, mode):
    run = over_two("cpp", release, [HANG], "60s", mode=mode)
    java = over_two("java", None, [HANG], "60s", mode=mode)
    assert [row["latency_us"] for row in rows(run, "sends")] == [row["latency_us"] for row in rows(java, "sends")]
    assert {row["attempts"] for row in failed(run)} == {3}


def test_a_release_is_one_of_its_language_and_the_newest_by_default():
    assert scenario_of(producers={"grpc": {"client": "go"}}, proxies={"count": 1}).producers[0].grpc.release == "5.1.4"
    with raises(ScenarioError, Says("reading.not-known", "...grpc.release")):
        scenario_of(producers={"grpc": {"client": "go", "release": "5.0.8"}}, proxies={"count": 1})


def test_a_client_that_never_tries_again_has_no_more_attempts():
    with raises(ScenarioError, Says("proxied.no-retries", "...max_attempts", client="rust")):
        scenario_of(producers={"grpc": {"client": "rust", "max_attempts": 3}}, proxies={"count": 1})
