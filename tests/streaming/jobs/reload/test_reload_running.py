"""A job of real processes is changed while it runs, then killed: its rows are those of the changed scenario."""

from __future__ import annotations

import json

import pytest
import yaml

from simulator.run.simulate import simulate
from streaming.jobs.folders.checkpoint import Checkpoint
from streaming.jobs.reload.change_log import ChangeLog
from tests.simulator.hashed import hashes_of
from tests.streaming.asked import ask
from tests.streaming.lives import hashes_by_pandas, last_commit, no_stack_trace, wait_for_commit

pytestmark = pytest.mark.timeout(1200)  # real processes, on a machine that may have other work


def test_a_running_job_is_changed_and_keeps_the_change_when_it_is_killed(
    alive, monkeypatch, capsys, long_scenario, tmp_path
):
    out, changed = tmp_path / "out", tmp_path / "changed.yaml"
    document = yaml.safe_load(long_scenario.read_text())
    document["producers"]["rate"] = "20/s"
    changed.write_text(yaml.safe_dump(document))
    command = ("run", long_scenario, "--out", out, "--max-events", 4000)

    first = alive(*command)
    assert wait_for_commit(first, out, 1)
    code, said = ask(monkeypatch, capsys, "reload", out, changed)
    assert (code, "rate of producers: 30/s, now 20/s" in said) == (0, True), said
    assert wait_for_commit(first, out, last_commit(out) + 1), first.said
    first.kill(jvm=True)

    last = alive(*command)
    assert last.wait() == 0, last.said
    assert no_stack_trace(first.said + last.said)
    change_log = ChangeLog.of(Checkpoint(out / "_checkpoint"))
    assert hashes_by_pandas(out) == hashes_of(simulate(change_log.now).tables)
    note = json.loads((out / "run.json").read_text())
    assert (note["finished"], note["reloads"][0]["at_us"]) == (True, change_log.reloads[0].at_us)
