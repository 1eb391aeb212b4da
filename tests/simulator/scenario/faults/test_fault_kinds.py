"""The table of fault kinds is what the checks, the examples and the effects agree on."""

from __future__ import annotations

import pytest

from simulator.plan.compile import compile_text
from simulator.plan.consumers.instance_plan import STRIKING
from simulator.plan.effects import EFFECTS, effects_of, latency_text
from simulator.plan.failover.controller_life import leaderless
from simulator.scenario import ScenarioError, parse_scenario
from simulator.scenario.faults.fault_kinds import KINDS, kinds_with
from streaming.commands.faults_command import example_scenario
from tests.says import Said, Says, below, raises
from tests.simulator.small import text_of


def refused(**fault):
    """What is said about one fault of the small scenario."""
    fault = {"at": "1s", "for": "1s", "broker": "b"} | fault
    with pytest.raises(ScenarioError) as error:
        parse_scenario(text_of(faults=[{key: value for key, value in fault.items() if value is not None}]))
    return Said(error.value)


def test_every_kind_has_an_effect():
    assert set(EFFECTS) | set(STRIKING) == set(KINDS)
    assert set(STRIKING) == {name for name, kind in KINDS.items() if kind.of_consumers}


@pytest.mark.parametrize("kind", KINDS)
def test_every_example_is_a_scenario_in_which_something_happens(kind):
    scenario = parse_scenario(example_scenario(KINDS[kind]))
    periods = [period for period in scenario.fault_periods() if period.kind == kind]
    assert len(periods) > 0
    assert all(period.title.endswith(KINDS[kind].title) for period in periods)
    numbers = {latency_text(p): i for i, p in enumerate(periods) if "latency" in p.details}
    plan = compile_text(scenario.to_yaml())
    consumers = plan.cells[0].consumers
    of_consumers = consumers is not None and len(consumers.actions) > 0
    nobody_elects = leaderless(scenario, lambda low, _: low)
    assert of_consumers or nobody_elects or any(effect for one in periods for effect in effects_of(one, numbers))
    assert plan.digest == scenario.digest()


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"kind": "kil"}, "kind: no fault kind named kil; known: hang, pause, slow, disk_stall, kill, restart, "
         f"rolling_restart, silent_death and {len(KINDS) - 8} more; did you mean kill?"),
        ({"kind": "hang", "for": None}, Says("fault.duration-missing", "...for")),
        ({"kind": "hang", "broker": None}, Says("field.missing", "...broker")),
        ({"kind": "pause"}, Says("fault.needed", "...every", kind="pause")),
        ({"kind": "packet_loss"}, Says("fault.needed", "...probability", kind="packet_loss")),
        ({"kind": "packet_loss", "probability": 1},
         Says("field.expected", "...probability", got=1)),
        ({"kind": "slow_link"}, Says("fault.needed", "...delay", kind="slow_link")),
        ({"kind": "slow_link", "delay": "31s"}, Says("field.expected", "...delay", low="1us", high="30s")),
        ({"kind": "kill", "graceful": True}, Says("fault.not-of-this-kind", "...graceful", kind="kill")),
        ({"kind": "hang", "ramp": "1s"}, Says("fault.not-of-this-kind", "...ramp")),
        ({"kind": "slow", "factor": 2, "ramp": "2s"}, Says("fault.ramp-above-for", "...ramp", most="1s", got="2s")),
        ({"kind": "slow", "factor": 2, "latency": {"constant": "1ms"}},
         Says("fault.exclusive", "...latency", first="factor", second="latency")),
        ({"kind": "partition", "producers": "shop"}, Says("reading.not-known", "...producers", name="shop")),
        ({"kind": "read_only", "topic": "order"}, Says("reading.not-known", "...topic", name="order", near="orders")),
        ({"kind": "name_server_down", "name_server": 1},
         Says("fault.other-key", "...broker", affected="name server", target="name_server")),
        ({"kind": "name_server_down", "broker": None, "name_server": 2},
         Says("fault.no-name-server", "...name_server", number=2, count=1)),
        ({"kind": "kill", "for": None, "every": "5s"}, Says("fault.every-without-length", "...every")),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_sentence(fault, sentence):
    assert below("...faults[0].", sentence) in refused(**fault)


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
        (
            {"release": "4.9.8", "enable_slave_acting_master": True},
            Says("broker.name-server-not-before-5", release="4.9.8"),
        ),
        ({"count": 0}, Says("field.expected", "...name_servers.count", got=0, low=1, high=100)),
        ({"relaese": "4.9.8"}, Says("reading.unknown-meant", "...name_servers.relaese", near="release")),
    ],
)
def test_name_servers_are_checked(keys, sentence):
    with raises(ScenarioError, sentence):
        parse_scenario(text_of(name_servers=keys))


def test_a_topic_that_sends_create_has_no_queues_of_its_own():
    with raises(ScenarioError, Says("producer.made-topic", "...topics.orders.queues")):
        parse_scenario(text_of(topics={"orders": {"auto_create": True, "queues": 4}}))


def test_keys_of_kinds_are_known_to_the_table():
    assert kinds_with("graceful") == ("restart", "rolling_restart")
    assert kinds_with("at") == ()


@pytest.mark.parametrize(("word", "kind"), [("crash", "kill"), ("gc", "pause"), ("reboot", "restart")])
def test_a_usual_word_leads_to_the_kind_that_means_it(word, kind):
    assert refused(kind=word) == Says("reading.not-known", "...kind", name=word, near=kind)
