"""What a send meets while a broker or the network to it is away."""

from __future__ import annotations

from collections import Counter

import pytest

from simulator.plan.compile import REFUSED_AFTER_US, TIMEOUT_NOTICE_US, TIMEOUT_SPREAD_US
from tests.simulator.small import fault, ran, rows

OFF = {"send_latency_fault_enable": False, "retry_times_when_send_failed": 0}
LATE_US = TIMEOUT_NOTICE_US + TIMEOUT_SPREAD_US


def alone(*faults, rate="10/s", latency="2ms", client=None, **changes):
    """Attempts of a steady producer on broker b alone, strategy off, no retries."""
    brokers = {"b": {"latency": {"constant": latency}, "send_threads": 1}}
    result = ran(
        brokers=brokers, producers={"rate": rate, "when_blocked": "skip"}, client=OFF | (client or {}),
        faults=list(faults), **changes,
    )  # fmt: skip
    return rows(result, "attempts")


def took(attempt):
    return attempt["end_us"] - attempt["begin_us"]


def during(attempts, begin_s, end_s):
    return [a for a in attempts if begin_s * 1e6 <= a["begin_us"] < end_s * 1e6]


def test_a_process_that_dies_slowly_is_mute_until_its_connections_close():
    attempts = alone(fault("kill", "500ms", "1s", dying="150ms"))
    mute, refused = during(attempts, 0.5, 0.65), during(attempts, 0.65, 1.5)
    assert {(a["outcome"], a["end_us"]) for a in mute} == {("RemotingSendRequestException", 650_000)}
    assert {a["outcome"] for a in refused} == {"RemotingConnectException"}
    assert during(attempts, 1.5, 1.65)[0]["outcome"] == "SEND_OK"


@pytest.mark.parametrize("kind", ["kill", "restart", "master_lost"])
def test_a_process_that_is_away_refuses_at_once(kind):
    attempts = alone(fault(kind, "500ms", "1s"))
    away = during(attempts, 0.5, 1.5)
    assert {(a["outcome"], took(a)) for a in away} == {("RemotingConnectException", REFUSED_AFTER_US)}
    assert len(away) == 10


@pytest.mark.parametrize("kind", ["kill", "restart"])
def test_what_is_under_way_when_the_process_goes_ends_with_it(kind):
    attempts = alone(fault(kind, "500ms", "1s"), latency="80ms")
    (cut,) = [a for a in attempts if a["outcome"] == "RemotingSendRequestException"]
    assert cut["begin_us"] < cut["end_us"] == 500_000


def test_the_first_send_after_a_restart_connects_again():
    attempts = alone(fault("kill", "500ms", "1s"))
    after = [took(a) for a in during(attempts, 1.5, 2)]
    assert after == [REFUSED_AFTER_US + 2_000] + [2_000] * (len(after) - 1)


def test_send_threads_are_free_when_the_broker_is_back():
    attempts = alone(fault("kill", "500ms", "1s"), latency="400ms", rate="5/s", client={"send_msg_timeout": "300ms"})
    back = during(attempts, 1.5, 2)
    assert took(back[0]) <= REFUSED_AFTER_US + 300_000 + LATE_US
    assert {a["outcome"] for a in back} == {"RemotingTimeoutException"}


def test_in_silence_an_open_connection_times_out_once_then_connects_do():
    client = {"send_msg_timeout": "200ms", "connect_timeout": "300ms"}
    attempts = during(alone(fault("silent_death", "500ms", "5s"), client=client), 0.5, 2)
    assert [a["outcome"] for a in attempts][:3] == [
        "RemotingTimeoutException", "RemotingConnectException", "RemotingConnectException"
    ]  # fmt: skip
    assert 200_000 < took(attempts[0]) <= 200_000 + LATE_US
    assert all(300_000 < took(a) <= 300_000 + LATE_US for a in attempts[1:])


def test_a_short_silence_only_delays_the_answer():
    attempts = alone(fault("silent_death", "500ms", "1s"))
    (first, *_) = during(attempts, 0.5, 1.5)
    assert (first["end_us"], first["outcome"]) == (1_500_000, "SEND_OK")


def test_an_answer_that_is_cut_off_was_stored_and_a_request_that_is_was_not():
    brokers = {"b": {"latency": {"constant": "50ms"}}}
    result = ran(
        brokers=brokers, producers={"rate": "40/s", "threads": 4}, client=OFF | {"send_msg_timeout": "100ms"},
        faults=[fault("silent_death", "1s", "5s")], duration="1500ms", seed=5,
    )  # fmt: skip
    stored = {(s["thread"], s["send_seq"]): s["copies_stored"] for s in rows(result, "sends")}
    cut_off = {
        "RemotingTimeoutException",
        "RemotingSendRequestException",
    }  # the time-out closes what the others wait on
    copies = {True: set(), False: set()}
    for attempt in rows(result, "attempts"):
        if attempt["outcome"] in cut_off:
            copies[attempt["begin_us"] < 1_000_000].add(stored[attempt["thread"], attempt["send_seq"]])
    assert copies == {True: {1}, False: {0}}


def test_a_power_loss_closes_no_connection():
    attempts = alone(fault("power_loss", "500ms", "1s"), latency="80ms", client={"send_msg_timeout": "200ms"})
    cut = next(a for a in attempts if a["begin_us"] < 500_000 < a["end_us"])
    assert (cut["outcome"], took(cut) > 200_000) == ("RemotingTimeoutException", True)


def test_a_partition_strikes_one_group_only():
    groups = [{"group": g, "count": 1, "rate": "10/s", "arrivals": "steady"} for g in ("shop", "office")]
    result = ran(
        producers=groups, client=OFF | {"send_msg_timeout": "200ms"}, brokers={"b": {"latency": {"constant": "2ms"}}},
        faults=[fault("partition", "500ms", "1s", producers="office")],
    )  # fmt: skip
    failed = {a["producer"] for a in rows(result, "attempts") if a["outcome"] != "SEND_OK"}
    assert failed == {1}


def test_a_lost_packet_costs_the_retransmission_time_doubled_each_time():
    loss = fault("packet_loss", "0s", "60s", probability=0.5, rto="10ms")
    attempts = alone(loss, rate="100/s", duration="20s", client={"send_msg_timeout": "400s"})  # longer than all 15
    counts = Counter(took(a) for a in attempts)
    assert {2_000, 12_000, 32_000, 72_000} <= set(counts) <= {2_000 + 10_000 * (2**k - 1) for k in range(16)}
    assert 0.45 < counts[2_000] / len(attempts) < 0.55
    assert 0.2 < counts[12_000] / len(attempts) < 0.3


def test_a_packet_that_is_lost_until_the_time_out_costs_the_next_send_a_connect():
    loss = fault("packet_loss", "0s", "60s", probability=0.5, rto="10ms")
    attempts = alone(loss, rate="100/s", duration="20s", client={"send_msg_timeout": "100ms"})
    late = [a["outcome"] != "SEND_OK" for a in attempts]
    assert {took(a) > 100_000 for a, is_late in zip(attempts, late, strict=True) if is_late} == {True}
    answered = [(took(a), before) for a, before in zip(attempts[1:], late, strict=False) if a["outcome"] == "SEND_OK"]
    waits = {2_000, 12_000, 32_000, 72_000}
    assert {took_us for took_us, before in answered if not before} == waits
    assert {took_us - REFUSED_AFTER_US for took_us, before in answered if before} == waits


def test_an_added_distribution_grows_over_its_ramp():
    attempts = alone(fault("slow", "500ms", "5s", latency={"constant": "40ms"}, ramp="1s"), duration="3s")
    assert {took(a) for a in during(attempts, 0, 0.5)} == {2_000}
    ramp = [took(a) for a in during(attempts, 0.5, 1.5)]
    assert ramp == sorted(ramp)
    assert ramp[0] < 5_000 < 35_000 < ramp[-1] < 42_000
    assert {took(a) for a in during(attempts, 1.5, 3)} == {42_000}


def test_a_factor_grows_over_its_ramp():
    attempts = alone(fault("slow", "500ms", "5s", factor=11, ramp="1s"), duration="3s")
    ramp = [took(a) for a in during(attempts, 0.5, 1.5)]
    assert ramp == sorted(ramp)
    assert {took(a) for a in during(attempts, 1.6, 3)} == {22_000}


@pytest.mark.parametrize(
    ("release", "outcome"),
    [("4.2.0", "SEND_OK"), ("5.1.3", "RemotingTimeoutException"), ("5.1.4", "RemotingTimeoutException")],
)  # fmt: skip
def test_connecting_counts_against_the_time_out_since_4_3_0(release, outcome):
    client = {"release": release, "send_msg_timeout": "1ms"}
    attempts = alone(fault("kill", "500ms", "1s"), latency="0us", client=client)
    assert during(attempts, 1.5, 2)[0]["outcome"] == outcome
    assert {a["outcome"] for a in during(attempts, 0, 0.5)} == {"SEND_OK"}


def test_the_detector_finds_a_broker_back_that_was_cut_off():
    client = {
        "release": "5.1.4", "send_latency_fault_enable": True, "start_detector_property": True,
        "send_msg_timeout": "300ms",
    }  # fmt: skip
    result = ran(duration="15s", client=client, faults=[fault("silent_death", "1s", "4s")])
    items = rows(result, "fault_items", broker="b")
    lost = next(item for item in items if not item["reachable"])
    assert 1_300_000 < lost["at_us"] < 3_000_000
    back = next(item for item in items if item["reachable"] and item["at_us"] > lost["at_us"])
    assert back["at_us"] == 6_000_000  # rounds at 3 s, still silent, and at 6 s
