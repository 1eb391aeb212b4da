"""What most groups of consumers do not need of the machine is compiled when it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from simulator.compiled.records import PLAIN, layout_of
from simulator.consumer.machine.late_consumer_rules import LATE_CONSUMER_RULES
from simulator.consumer.memory.consumer_world import LateConsumerRules

COMPILED = """
from simulator import load_scenario, simulate
from simulator.consumer.machine.late_consumer_rules import LATE_CONSUMER_RULES
simulate(load_scenario("conf/scenarios/delayed.yaml", {"duration": "2s"}), tables=())
print(*[rule.__name__ for rule in LATE_CONSUMER_RULES if rule.dispatcher.overloads])
"""


def test_the_machine_has_a_field_for_each_late_rule():
    assert [rule.__name__ for rule in LATE_CONSUMER_RULES] == list(layout_of(LateConsumerRules).fields)


@pytest.mark.skipif(PLAIN, reason="plain Python compiles nothing")
def test_messages_that_wait_compile_what_stores_them_and_nothing_of_transactions():
    done = subprocess.run([sys.executable, "-c", COMPILED], check=True, capture_output=True, text=True, timeout=300)
    found = set(done.stdout.split())
    assert {"put_later", "close_others"} <= found
    assert not found & {"act_now", "answer_half", "deliver_delayed", "follow_transaction", "scale_group"}
