"""Groups of producers whose clients are of other releases and settings send to one cluster, each by its own rules."""

from __future__ import annotations

import pytest

from simulator.explain.decision import decision_of
from simulator.run.run_totals import total_run
from simulator.run.simulate import simulate
from simulator.scenario import load_scenario
from tests.simulator.explain.test_decision import attempt_of
from tests.simulator.small import fault, ran, rows, scenario_of

OWN = {"old": {"release": "4.2.0"}, "new": {"release": "5.3.3", "retry_times_when_send_failed": 1}}
# No request waits for another's: what a group does says nothing of the others.
BROKERS = {name: {"latency": {"constant": "2ms"}, "send_threads": 64} for name in ("a", "b", "c")}
FAULTS = [
    fault("refuse", "500ms", "1s"),
    fault("code", "2s", "1s", "c", response_code="SYSTEM_ERROR"),
    fault("kill", "3s", "1s", "a"),
]
WAYS = ({}, {"mode": "async"}, {"mode": "oneway"})


def groups(clients, way):
    group = {"count": 2, "threads": 2, "rate": "30/s", **way}
    return [{"group": name, **group, **({"client": own} if own else {})} for name, own in clients.items()]


def sent(way, clients, **client):
    """Attempts, ends of messages and changes of fault items of each group."""
    run = ran(duration="6s", producers=groups(clients, way), faults=FAULTS, brokers=BROKERS,
              client={"release": "4.9.8", "send_msg_timeout": "700ms"} | client)  # fmt: skip
    found = {}
    for number, name in enumerate(clients):
        own = [rows(run, table, producer_group=name) for table in ("attempts", "sends")]
        items = [row for row in rows(run, "fault_items") if row["producer"] // 2 == number]
        found[name] = (*own, items)
    return found


@pytest.mark.parametrize("way", WAYS)
def test_each_group_sends_as_if_every_client_were_as_its_own(way):
    mixed = sent(way, OWN)
    for name, own in OWN.items():
        alone = sent(way, {each: {} for each in OWN}, **own)
        assert mixed[name] == alone[name]
    assert len(mixed["old"][0]) != len(mixed["new"][0])


def test_a_client_that_says_what_the_scenario_does_changes_nothing():
    plain, same = (scenario_of(producers=groups({"g": own}, {}), faults=FAULTS) for own in ({}, {"release": "4.9.8"}))
    assert plain.digest() == same.digest()
    assert total_run(plain).digest.tolist() == total_run(same).digest.tolist()


def test_each_group_isolates_for_its_own_time():
    tables = {"latency_max": ["1ms"], "not_available_duration": ["7s"]}
    found = sent({}, {"old": {}, "new": tables | {"retry_times_when_send_failed": 0}})

    def most_ms(name):
        return max(row["start_timestamp_ms"] - row["at_us"] // 1000 for row in found[name][2])

    assert most_ms("new") == 7_000
    assert most_ms("old") > 7_000
    assert max(row["attempt"] for row in found["new"][0]) == 1


def test_a_change_of_the_scenarios_release_leaves_a_group_with_its_own():
    def releases(release):
        return scenario_of(client={"release": release}, producers=groups(OWN | {"rest": {}}, {})).clients

    assert [own.release for own in releases("5.0.0")] == ["4.2.0", "5.3.3", "5.0.0"]
    assert [own.send_latency_fault_enable for own in releases("5.0.0")] == [True, True, True]


def test_a_setting_that_the_groups_release_does_not_have_is_left_out():
    client = {"release": "5.3.3", "start_detector_enable": True}
    scenario = scenario_of(client=client, producers=groups({"late": {"release": "4.9.8"}, "up": {}}, {}))
    assert [own.detects for own in scenario.clients] == [False, True]


def test_a_decision_is_explained_by_the_rules_of_its_group():
    run = ran(duration="4s", producers=groups(OWN, {}), faults=FAULTS)
    for name, own in OWN.items():
        row = next(row for row in rows(run, "attempts", producer_group=name) if row["begin_us"] > 3_000_000)
        decision = decision_of(run.plan, attempt_of(row))
        assert decision is not None
        assert decision.chosen.releases == (own["release"],)


def test_a_scenario_written_out_again_keeps_the_groups_clients(tmp_path):
    scenario = scenario_of(producers=groups(OWN, {}), faults=FAULTS)
    file = tmp_path / "again.yaml"
    file.write_text(scenario.to_yaml())
    assert load_scenario(file).digest() == scenario.digest()
    again = simulate(load_scenario(file, {"producers.old.client.release": "4.9.8"}), tables=("sends",))
    assert [own.release for own in again.scenario.clients] == ["4.9.8", "5.3.3"]
