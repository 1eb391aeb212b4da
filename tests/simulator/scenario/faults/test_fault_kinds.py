"""The table of fault kinds is what the checks, the examples and the effects agree on."""

from __future__ import annotations

import pytest

from simulator.plan.compile import compile_text
from simulator.plan.consumers.instance_plan import STRIKING
from simulator.plan.effects import EFFECTS, effects_of, latency_text
from simulator.scenario import ScenarioError, parse_scenario
from simulator.scenario.faults.fault_kinds import KINDS, kinds_with
from streaming.commands.faults_command import example_scenario
from tests.simulator.small import text_of


def refused(**fault):
    """The sentence about one fault of the small scenario, from its key on."""
    fault = {"at": "1s", "for": "1s", "broker": "b"} | fault
    with pytest.raises(ScenarioError) as error:
        parse_scenario(text_of(faults=[{key: value for key, value in fault.items() if value is not None}]))
    return str(error.value).partition("faults[0].")[2]


def test_every_kind_has_an_effect():
    assert set(EFFECTS) | set(STRIKING) == set(KINDS)
    assert set(STRIKING) == {name for name, kind in KINDS.items() if kind.of_consumers}


@pytest.mark.parametrize("kind", KINDS)
def test_every_example_is_a_scenario_in_which_something_happens(kind):
    scenario = parse_scenario(example_scenario(KINDS[kind]))
    periods = scenario.fault_periods()
    assert {period.kind for period in periods} == {kind}
    assert all(period.title.endswith(KINDS[kind].title) for period in periods)
    numbers = {latency_text(p): i for i, p in enumerate(periods) if "latency" in p.details}
    plan = compile_text(scenario.to_yaml())
    consumers = plan.cells[0].consumers
    of_consumers = consumers is not None and len(consumers.actions) > 0
    assert of_consumers or any(effect for period in periods for effect in effects_of(period, numbers))
    assert plan.digest == scenario.digest()


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"kind": "kil"}, "kind: no fault kind named kil; known: hang, pause, slow, disk_stall, kill, restart, "
         f"rolling_restart, silent_death and {len(KINDS) - 8} more; did you mean kill?"),
        ({"kind": "hang", "for": None}, "for: missing; expected a duration such as 60s"),
        ({"kind": "hang", "broker": None}, "broker: missing; expected the name of a broker, a list of names, or all"),
        ({"kind": "pause"}, "every: missing; kind pause needs it"),
        ({"kind": "packet_loss"}, "probability: missing; kind packet_loss needs it"),
        ({"kind": "packet_loss", "probability": 1},
         "probability: expected a probability above 0 and below 1 with at most six decimals, got 1"),
        ({"kind": "slow_link"}, "delay: missing; kind slow_link needs it"),
        ({"kind": "slow_link", "delay": "31s"}, "delay: expected a duration from 1us to 30s, got \"31s\""),
        ({"kind": "kill", "graceful": True}, "graceful: only kinds restart, rolling_restart have it, and this is kind "
         "kill"),
        ({"kind": "hang", "ramp": "1s"}, "ramp: only kinds slow, packet_loss, slow_link have it, and this is kind"),
        ({"kind": "slow", "factor": 2, "ramp": "2s"}, "ramp: expected at most for, 1s, got 2s"),
        ({"kind": "slow", "factor": 2, "latency": {"constant": "1ms"}},
         "latency: factor and latency exclude each other; keep one"),
        ({"kind": "partition", "producers": "shop"}, "producers: no producer group named shop; known: producers"),
        ({"kind": "read_only", "topic": "order"}, "topic: no topic named order; known: orders; did you mean orders?"),
        ({"kind": "name_server_down", "name_server": 1},
         "broker: kind name_server_down affects a name server; name it in name_server"),
        ({"kind": "name_server_down", "broker": None, "name_server": 2},
         "name_server: no name server 2; name_servers.count is 1"),
        ({"kind": "kill", "for": None, "every": "5s"}, "every: a repetition needs a length; set for too"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_sentence(fault, sentence):
    assert refused(**fault).startswith(sentence)


def test_without_for_what_can_last_lasts_to_the_end():
    (period,) = parse_scenario(text_of(faults=[{"at": "1s", "broker": "b", "kind": "kill"}])).fault_periods()
    assert (period.at_us, period.until_us) == (1_000_000, 2_000_000)


def test_a_rolling_restart_takes_one_broker_after_the_other():
    fault = {"at": "100ms", "each": "200ms", "pause": "300ms", "broker": "all", "kind": "rolling_restart"}
    periods = parse_scenario(text_of(faults=[fault])).fault_periods()
    assert [(p.broker, p.at_us // 1000, p.until_us // 1000) for p in periods] == [
        ("a", 100, 300), ("b", 600, 800), ("c", 1100, 1300)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "changed",
    [{"ramp": "1s"}, {"factor": 3}, {"factor": None, "latency": {"constant": "5ms"}}],
)
def test_whatever_a_fault_says_is_in_the_digest(changed):
    fault = {"at": "0s", "for": "2s", "broker": "b", "kind": "slow", "factor": 2}
    other = {key: value for key, value in (fault | changed).items() if value is not None}
    assert parse_scenario(text_of(faults=[fault])).digest() != parse_scenario(text_of(faults=[other])).digest()


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({"release": "4.9.8", "enable_slave_acting_master": True}, "the first that has it is 5.0.0"),
        ({"count": 0}, "name_servers.count: expected a whole number from 1 to 100, got 0"),
        ({"relaese": "4.9.8"}, "name_servers.relaese: unknown key; did you mean release?"),
    ],
)
def test_name_servers_are_checked(keys, sentence):
    with pytest.raises(ScenarioError, match=sentence.replace("?", r"\?")):
        parse_scenario(text_of(name_servers=keys))


def test_a_topic_that_sends_create_has_no_queues_of_its_own():
    with pytest.raises(ScenarioError, match=r"topics\.orders\.queues: a topic that is created by its first sends"):
        parse_scenario(text_of(topics={"orders": {"auto_create": True, "queues": 4}}))


def test_keys_of_kinds_are_known_to_the_table():
    assert kinds_with("graceful") == ["restart", "rolling_restart"]
    assert kinds_with("at") == []
