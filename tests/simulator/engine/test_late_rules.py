"""What most scenarios do not need of the event loop is compiled when it is needed."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from simulator.compiled.records import PLAIN, layout_of
from simulator.engine.late_rules import LATE_RULES
from simulator.engine.memory.world import LateRules

COMPILED = """
from simulator import load_scenario, simulate
from simulator.engine.late_rules import LATE_RULES
simulate(load_scenario({scenario!r}, {{"duration": "2s"}}), tables=())
print([rule.__name__ for rule in LATE_RULES if rule.dispatcher.overloads])
"""


def compiled_by(scenario: str) -> Any:
    command = [sys.executable, "-c", COMPILED.format(scenario=f"conf/scenarios/{scenario}.yaml")]
    return eval(subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout)


def test_the_world_has_a_field_for_each_late_rule():
    assert [rule.__name__ for rule in LATE_RULES] == list(layout_of(LateRules).fields)


@pytest.mark.skipif(PLAIN, reason="plain Python compiles nothing")
def test_a_scenario_compiles_only_what_it_needs():
    assert compiled_by("slow-link") == []
    assert compiled_by("way-async") == ["in_other_way"]
