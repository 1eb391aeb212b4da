"""SIGKILL of the job between the fault of a master and the election of the next one: the same rows."""

from __future__ import annotations

import pandas as pd
import pytest

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from tests.simulator.hashed import hash_of, hashes_of
from tests.simulator.small import fault, text_of
from tests.streaming.lives import last_commit, no_stack_trace, wait_for_commit

pytestmark = pytest.mark.timeout(1200)  # real processes, on a machine that may have other work

STRUCK_US = 8_000_000
SET = {"latency": {"constant": "2ms"}, "replicas": 3, "mode": "controller", "release": "5.3.3"}
GROUP = {"billing": {"topic": "orders", "count": 2, "threads": 4, "service": "4ms", "release": "5.3.3"}}
TEXT = text_of(
    duration="40s", client={"release": "5.3.3"}, brokers={"a": SET, "b": SET}, consumers=GROUP,
    producers={"count": 2, "threads": 4, "rate": "20/s", "delay": {"level": {0: 3, 2: 1}}},
    faults=[fault("hang", "8s", "20s", broker="a")],
)  # fmt: skip


def last_begin_us(out):
    """When the last attempt began that is committed."""
    return pd.read_parquet(out / "attempts")["begin_us"].max()


def test_kills_before_an_election_leave_the_rows_of_the_undisturbed_run(alive, tmp_path):
    undisturbed = {name: rows for name, rows in simulate(parse_scenario(TEXT)).tables.items() if rows.num_rows}
    elected_us = undisturbed["elections"]["at_us"][0].as_py()
    scenario, out = tmp_path / "set.yaml", tmp_path / "out"
    scenario.write_text(TEXT)
    command = ("run", scenario, "--out", out, "--max-events", 50)
    for jvm in (False, True):
        life = alive(*command)
        assert wait_for_commit(life, out, max(last_commit(out) + 1, STRUCK_US // 1_000_000))
        life.kill(jvm=jvm)
        assert STRUCK_US < last_begin_us(out) < elected_us
    last = alive(*command)
    assert last.wait() == 0, last.said
    assert no_stack_trace(last.said)
    assert {name: hash_of(name, pd.read_parquet(out / name)) for name in undisturbed} == hashes_of(undisturbed)
