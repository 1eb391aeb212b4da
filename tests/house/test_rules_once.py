"""A rule of the client is asked at one place: the event loop, recorded cases and recordings take the same steps."""

from __future__ import annotations

import ast
from collections import Counter

from simulator.client.rules import Rules
from simulator.compiled.records import layout_of
from tests.house.tree import ROOT, parsed

# Where the loop asks and a recording asks by itself: it tries the milliseconds at which a clock may have been read, and
# it knows what a call threw.
ASKED_TWICE = {"select": 1, "update": 2, "is_thrown": 1}
ASKED_FROM_OUTSIDE = {"select_on", "select_off", "is_available"}


def asked(room: str) -> Counter[str]:
    """How often each rule is asked through a record of rules."""
    found: Counter[str] = Counter()
    for file in (ROOT / room).rglob("*.py"):
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                owner = node.func.value
                if getattr(owner, "attr", getattr(owner, "id", "")) == "rules":
                    found[node.func.attr] += 1
    return found


def test_every_rule_is_asked_at_one_place():
    names = set(layout_of(Rules).fields) - ASKED_FROM_OUTSIDE
    places = asked("simulator/client") + asked("simulator/engine")
    assert {name: places[name] for name in names} == dict.fromkeys(names, 1)


def test_a_recording_asks_by_itself_only_what_it_must():
    names = set(layout_of(Rules).fields)
    assert {name: count for name, count in asked("simulator/replay").items() if name in names} == ASKED_TWICE
