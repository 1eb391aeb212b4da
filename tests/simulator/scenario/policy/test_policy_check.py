"""A policy of your own is tried before `simulate` and `experiment` begin, as the command line does."""

from __future__ import annotations

import pytest
import yaml

from simulator import ScenarioError, experiment, simulate
from tests.says import Says, raises
from tests.simulator.small import text_of

BROKEN = """
from simulator.compiled.jit import entry
from simulator.compiled.records import Record
from simulator.policies.policy import Ask, PolicyPart


class Last(Record):
    '''What it remembers.'''

    number: int


def start(state: Last, brokers: int) -> None:
    '''Nothing to fill.'''


@entry
def beyond(state: Last, ask: Ask) -> int:
    '''A queue that does not exist.'''
    return ask.queues.count


CHOOSE = PolicyPart(Last, start, {"choose": beyond})
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.py").write_text(BROKEN)
    client = {"release": "5.3.3", "send_latency_fault_enable": False, "policy": {"choose": "mine.py"}}
    (tmp_path / "small.yaml").write_text(text_of(client=client))
    arms = {"name": "two", "scenario": "small.yaml", "arms": {"a": {}, "b": {"duration": "4s"}}, "seeds": 2}
    (tmp_path / "two.yaml").write_text(yaml.safe_dump(arms))
    return tmp_path


@pytest.mark.parametrize(("begin", "file"), [(simulate, "small.yaml"), (experiment, "two.yaml")])
def test_a_policy_that_chooses_a_queue_that_does_not_exist_is_refused(folder, begin, file):
    with raises(ScenarioError, Says("policy.breach", "...mine.py", part="CHOOSE", count=20)):
        begin(folder / file)
