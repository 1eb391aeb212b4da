"""A heartbeat without an answer closes the connection, and with it ends what is under way there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.simulator.small import fault, ran, rows

CUT = "RemotingSendRequestException"
SECOND_US = 31_000_000  # when clients that began up to 50 ms before the run have sent their second heartbeats


def met(*faults: dict, producers: Any = (), **client: Any) -> list[dict]:
    """Attempts of asynchronous producers on broker b, strategy off, time-out 3 s."""
    run = ran(
        duration="40s",
        faults=list(faults),
        producers={"mode": "async", "rate": "30/s", "threads": 3} | dict(producers),
        client={"release": "4.9.8", "send_latency_fault_enable": False, "poll_phase": "aligned"} | client,
    )
    return rows(run, "attempts", broker="b")


def cuts_ms(attempts: list[dict]) -> list[int]:
    """When requests ended with their connections."""
    return sorted({a["end_us"] // 1000 for a in attempts if a["outcome"] == CUT})


@pytest.mark.parametrize(("release", "closes"), [("4.9.0", False), ("4.9.1", True), ("5.3.3", True)])
def test_a_heartbeat_in_a_hang_closes_the_connection_since_4_9_1(release, closes):
    cuts = cuts_ms(met(fault("hang", "29s", "9s"), release=release))
    assert (cuts != []) == closes
    assert all(SECOND_US // 1000 + 2_950 <= cut <= SECOND_US // 1000 + 3_003 for cut in cuts)


def test_all_that_waits_is_cut_whatever_time_it_has_left():
    cut = [a for a in met(fault("hang", "29s", "9s")) if a["outcome"] == CUT and a["attempt"] == 1]
    assert min(a["begin_us"] for a in cut) < SECOND_US - 900_000  # scans for time-outs have not come by
    assert 35 < len(cut) < 55  # 10 a second for 4 to 5 s
    (cut_ms,) = cuts_ms(met(fault("hang", "29s", "9s"), retry_times_when_send_async_failed=0))
    assert SECOND_US // 1000 + 2_950 <= cut_ms <= SECOND_US // 1000 + 3_000


@pytest.mark.parametrize("hang", [("29s", "1900ms"), ("29s", "4900ms"), ("31100ms", "8s")])
def test_a_broker_that_goes_on_in_time_or_stops_later_answers_it(hang):
    assert cuts_ms(met(fault("hang", *hang))) == []


def test_producers_send_theirs_at_moments_of_their_own():
    attempts = met(fault("hang", "10s", "20s"), producers={"count": 30, "rate": "9/s"}, poll_phase="spread")
    cut_at = {a["producer"]: a["end_us"] for a in attempts if a["outcome"] == CUT}
    assert 12 <= len(cut_at) <= 22  # in 17 of 30 s
    assert min(cut_at.values()) > 13_000_000
    assert max(cut_at.values()) < 30_000_000


def test_once_it_closed_connects_to_a_silent_machine_time_out():
    outcomes = {a["outcome"] for a in met(fault("silent_death", "29s", "10s"))}
    assert {CUT, "RemotingConnectException"} <= outcomes
    before = {a["outcome"] for a in met(fault("silent_death", "32s", "7s"))}
    assert "RemotingConnectException" not in before


def test_a_synchronous_request_is_cut_before_its_own_time_out():
    attempts = met(fault("hang", "29s", "9s"), producers={"mode": "sync", "count": 8}, send_msg_timeout="5s")
    cut = [a for a in attempts if a["outcome"] == CUT]
    assert 2_950 <= cuts_ms(cut)[0] - SECOND_US // 1000 <= 3_001
    assert max(a["end_us"] - a["begin_us"] for a in cut) < 5_000_000
