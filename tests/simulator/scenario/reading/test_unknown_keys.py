"""Misspelt keys are reported before what they seem to leave out: all of them, each with its line."""

import pytest

from simulator.scenario import ScenarioError, parse_scenario
from tests.says import Says, raises
from tests.simulator.scenario.reading.test_scenario_error import GOOD


def refused(text, **overrides) -> ScenarioError:
    with pytest.raises(ScenarioError) as error:
        parse_scenario(text, source="x.yaml", overrides=overrides.get("overrides", {}))
    return error.value


def test_unknown_keys_are_reported_first_each_on_a_line():
    text = GOOD.replace("duration:", "durration:").replace("count: 2", "count: 0").replace("kind:", "knd:")
    error = refused(text)
    assert list(error.sentences[:2]) == [
        Says("reading.unknown-meant", "x.yaml:2: durration", near="duration"),
        Says("reading.unknown-meant", "x.yaml:12: faults[0].knd", near="kind"),
    ]
    assert str(error) == "\n".join(error.sentences[:2]) + " (and 3 more)"


def test_what_they_hide_follows_by_line():
    error = refused(GOOD.replace("duration:", "durration:").replace("queues: 8", "queues: 0"))
    assert [sentence.split(": ")[1] for sentence in error.sentences] == [
        "durration",
        "duration",
        "topics.orders.queues",
    ]


@pytest.mark.parametrize(
    ("old", "new", "line", "key"),
    [
        ("release: 4.9.8", "relase: 4.9.8", 3, "client.relase"),
        ("count: 2", "cuont: 2", 4, "producers.cuont"),
        ("latency:", "latncy:", 8, "brokers.broker-a.latncy"),
        ("{constant: 2ms}", "{lognormal: {p5: 1ms, p99: 2ms}}", 8, "brokers.broker-a.latency.lognormal.p5"),
        ("at: 10s", "att: 10s", 12, "faults[0].att"),
    ],
)
def test_a_misspelt_key_is_reported_before_the_missing_one(old, new, line, key):
    assert refused(GOOD.replace(old, new)).sentence == Says("reading.unknown-meant", f"x.yaml:{line}: {key}")


def test_a_misspelt_change_is_reported_before_a_misspelt_key():
    error = refused(GOOD.replace("duration:", "durration:"), overrides={"client.relase": "4.9.8"})
    assert error.sentences[0] == Says("reading.unknown-meant", "--set client.relase", near="release")


def test_a_change_below_a_misspelt_key_is_reported_as_the_change():
    error = refused(GOOD, overrides={"clent.release": "4.9.8"})
    assert error.sentences[0] == Says("reading.unknown-meant", "--set clent.release: clent", near="client")


def test_of_very_many_the_first_twenty_are_reported():
    text = GOOD.replace("release: 4.9.8", ", ".join(["release: 4.9.8", *(f"key_{i}: 1" for i in range(50))]))
    lines = str(refused(text)).splitlines()
    assert (len(lines), lines[-1][-14:]) == (20, "(and 30 more)".rjust(14))


def test_a_number_that_lacks_its_zeros_is_known_for_what_it_is():
    brokers = "brokers:\n  broker: {count: 12, latency: {constant: 2ms}}\n"
    text = GOOD[: GOOD.index("brokers:")] + brokers + GOOD[GOOD.index("faults:") :].replace("broker-b", "broker-1")
    with raises(ScenarioError, Says("reading.not-known", what="broker", name="broker-1")):
        parse_scenario(text)
