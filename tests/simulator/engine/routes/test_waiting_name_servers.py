"""A name server that waits for registrations before it answers: needWaitForService."""

from __future__ import annotations

import pytest

from simulator.run.simulate import Result, simulate
from simulator.scenario import ScenarioError, parse_scenario
from tests.says import Says, raises
from tests.simulator.small import ran, scenario_of

RESTARTED = """
name: the only name server restarts
duration: 4m
client: {release: 4.9.8}
producers: {count: 40, threads: 1, rate: 5/s}
topics: {orders: {queues: 4}}
brokers:
  broker-a: {latency: {constant: 1ms}, release: 4.9.8}
  broker-b: {like: broker-a}
  broker-c: {like: broker-a}
consumers: {billing: {topic: orders, count: 3, service: {constant: 2ms}}}
name_servers: {count: 1, release: 5.3.3}
faults: [{at: 60s, for: 10s, name_server: 1, kind: name_server_down}]
"""
WAITS = "release: 5.3.3, need_wait_for_service: true"


def run_of(text: str) -> Result:
    return simulate(parse_scenario(text), tables=("windows", "consumer_windows"))


def most_shift(run: Result) -> float:
    """The largest share of a broker's load between 1:10 and 2:00, over its fair share."""
    start, attempts = run.column("windows", "window_start_us"), run.column("windows", "attempts")
    brokers, within = run.column("windows", "broker"), (start >= 70e6) & (start < 120e6)
    shares = [attempts[within & (brokers == name)].sum() / attempts[within].sum() for name in set(brokers)]
    return 3 * max(shares)


def test_a_restarted_name_server_that_does_not_wait_shifts_load_and_doubles_messages():
    run = run_of(RESTARTED)
    assert run.column("consumer_windows", "consumed_again").sum() > 500
    assert most_shift(run) > 1.1


def test_one_that_waits_for_registrations_changes_nothing():
    run = run_of(RESTARTED.replace("release: 5.3.3", WAITS))
    assert run.column("consumer_windows", "consumed_again").sum() == 0
    assert most_shift(run) < 1.02


def test_a_wait_shorter_than_the_registrations_take_helps_in_part():
    again = run_of(RESTARTED.replace("release: 5.3.3", f"{WAITS}, wait_for_service: 5s"))
    assert again.column("consumer_windows", "consumed_again").sum() > 0


@pytest.mark.parametrize(("needs", "least_s", "most_s"), [(False, 0.1, 30.1), (True, 45.1, 45.6)])
def test_while_it_waits_it_answers_as_for_a_topic_that_it_does_not_know(needs, least_s, most_s):
    down = {"at": "0s", "for": "100ms", "name_server": "all", "kind": "name_server_down"}
    run = ran(
        duration="50s", client={"release": "5.3.3"}, topics={"orders": {"auto_create": True}}, faults=[down],
        name_servers={"needWaitForService": needs, "waitSecondsForService": 45},
    )  # fmt: skip
    results, begins = run.column("sends", "result"), run.column("sends", "begin_us")
    assert least_s <= begins[results == "SEND_OK"].min() / 1e6 <= most_s
    assert set(results[(begins > 200_000) & (results != "SEND_OK")]) == {"MQClientException"}


@pytest.mark.parametrize(
    ("release", "says"),
    [
        ("5.0.0", Says("broker.does-not-work-before", release="5.0.0")),
        ("5.1.0", Says("broker.answers-one-request", release="5.1.0")),
        ("5.3.1", Says("broker.answers-one-request", release="5.3.1")),
    ],
)
def test_a_release_in_which_it_does_not_work_is_refused(release, says):
    with raises(ScenarioError, says):
        scenario_of(name_servers={"release": release, "need_wait_for_service": True})
