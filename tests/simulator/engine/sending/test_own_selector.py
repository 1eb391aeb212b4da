"""Selectors of the user's own: what the function is given, what its answers do, and how its mistakes are reported."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.plan.own_selector import SelectorError
from simulator.scenario import ScenarioError, load_scenario, parse_scenario
from tests.says import Said, Says, raises
from tests.simulator.small import ran, rows, scenario_of, text_of

KEYED = {"orders": {"queues": 2, "keys": {"count": 9}}}


def own(body: str, name: str = "choose") -> dict[str, Any]:
    source = f"def choose(queues, message, arg):\n    {body}\n"
    return {"selector": {"function": f"own.py:{name}", "source": source}}


def sends(body: str, **changes: Any) -> list[dict[str, Any]]:
    producers = {"rate": "50/s", **changes.pop("producers", {}), **own(body)}
    return rows(ran(producers=producers, **({"topics": KEYED} | changes)), "sends")


@pytest.mark.parametrize("mode", ["sync", "async", "oneway"])
def test_the_function_is_given_the_queues_in_the_clients_order_and_the_key(mode):
    found = sends("return arg % 6", producers={"mode": mode})
    expected = {(key, "aabbcc"[key % 6], key % 2) for key in range(9)}
    assert {(s["message_key"], s["broker"], s["queue_id"]) for s in found} == expected


def test_the_function_is_given_the_message():
    body = "return (message.number + 2 * (message.topic == 'orders') + message.body_bytes // 1024) % len(queues)"
    assert [("abc".index(s["broker"]) * 2 + s["queue_id"]) for s in sends(body)[:5]] == [3, 4, 5, 0, 1]


def test_a_queue_tells_its_topic_broker_and_number():
    body = "return queues.index(('orders', 'b', 1)) if queues[3].broker_name == 'b' else 0"
    assert {(s["broker"], s["queue_id"]) for s in sends(body)} == {("b", 1)}


@pytest.mark.parametrize("body", ["return len(queues)", "return -1", "return None"])
def test_an_index_that_the_list_does_not_have_ends_as_the_clients_exception(body):
    assert {(s["result"], s["attempts"]) for s in sends(body)} == {("MQClientException", 0)}


def test_a_topic_without_keys_has_no_argument():
    assert {s["broker"] for s in sends("return 4 if arg is None else 0", topics={"orders": {"queues": 2}})} == {"c"}


def raised(error):
    return Says("own-selector.raised", "own.py:2", name="choose", error=error, topic="orders")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return 1 // (arg - arg)", raised("ZeroDivisionError: integer division or modulo by zero")),
        ("return 'a'", Says("own-selector.not-a-place", "own.py:1", name="choose", got="'a'", topic="orders")),
        ("return __import__('random').random()", Says("own-selector.not-the-same", "own.py:1", name="choose")),
        ("raise ValueError('two\\nlines')", raised("ValueError: two lines")),
        ("raise SystemExit(3)", raised("SystemExit: 3")),
        ("raise type('Mute', (Exception,), {'__str__': None})", raised("Mute")),
    ],
)
def test_a_mistake_of_the_function_is_reported_with_file_and_line(body, says):
    with raises(SelectorError, says):
        sends(body)


def test_what_is_handed_over_cannot_be_changed():
    with pytest.raises(SelectorError) as error:
        sends("queues.seen = arg")
    assert error.value.sentence == Says("own-selector.raised", "own.py:2", topic="orders")
    assert error.value.facts["error"].startswith("AttributeError: ")


@pytest.mark.parametrize(
    ("selector", "sentence"),
    [
        (
            "mine.py:chose",
            Says("policy.no-function", "...producers.selector.function", file="mine.py", name="chose", near="choose"),
        ),
        ("mine.py:two", "producers.selector.function: mine.py:4: two must take queues, message, arg"),
        ("min.py:choose", Says("reading.no-such-file", "...min.py")),
        ("wrong.py:choose", "producers.selector.function: wrong.py:2: '(' was never closed"),
        ("no_such_module:choose", Says("reading.no-module")),
        ("exits.py:choose", "producers.selector.function: exits.py:2: SystemExit: 3"),
        (7, 'expected a function such as "my_selector.py:choose"'),
        ("mine.py", 'expected a function such as "my_selector.py:choose"'),
    ],
)
def test_what_is_wrong_with_the_file_is_reported_when_the_scenario_is_read(tmp_path, selector, sentence):
    (tmp_path / "mine.py").write_text(
        "def choose(queues, message, arg):\n    return 0\n\ndef two(a, b):\n    return 0\n"
    )
    (tmp_path / "wrong.py").write_text("def choose(queues, message, arg):\n    return (\n")
    (tmp_path / "exits.py").write_text("import sys\nsys.exit(3)\n")
    (tmp_path / "x.yaml").write_text(text_of(producers={"selector": {"function": selector}}))
    with pytest.raises(ScenarioError) as error:
        load_scenario(tmp_path / "x.yaml")
    assert sentence in Said(error.value)


def test_another_key_is_reported():
    with raises(ScenarioError, Says("reading.unknown-meant", "...selector.functon", near="function")):
        scenario_of(producers={"selector": {"functon": "mine.py:choose"}})


def test_a_file_may_hold_dataclasses():
    source = (
        "from dataclasses import dataclass\n@dataclass\nclass Place:\n    of: int\n"
        "def choose(queues, message, arg):\n    return Place(1).of\n"
    )
    assert (
        scenario_of(producers={"selector": {"function": "own.py:choose", "source": source}}).producers[0].selector.own
    )


def test_the_text_of_the_function_is_part_of_the_scenario(tmp_path):
    digests = set()
    for place in (0, 1):
        (tmp_path / "mine.py").write_text(f"def choose(queues, message, arg):\n    return {place}\n")
        (tmp_path / "x.yaml").write_text(text_of(producers={"selector": {"function": "mine.py:choose"}}))
        scenario = load_scenario(tmp_path / "x.yaml")
        assert parse_scenario(scenario.to_yaml()).digest() == scenario.digest()
        digests.add(scenario.digest())
    assert len(digests) == 2


def test_a_function_may_come_from_a_module():
    producers = {"selector": {"function": "colorsys:rgb_to_hsv"}}
    assert "def rgb_to_hsv" in scenario_of(producers=producers).producers[0].selector.own[1]
