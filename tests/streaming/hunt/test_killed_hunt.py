"""Real processes: a hunt that is killed, a process of it that is, and two hunts in one folder."""

from __future__ import annotations

import json

import psutil
import pytest

from streaming.texts.hunt_run_texts import HuntRunTexts
from tests.says import prints
from tests.simulator.small import text_of
from tests.streaming.lives import no_stack_trace, wait_until

pytestmark = pytest.mark.timeout(900)  # real processes, on a machine that may have other work


@pytest.fixture
def asked(tmp_path):
    """A hunt that finds a case in its first generation, and does not end by itself for a long time."""
    file = tmp_path / "small.yaml"
    file.write_text(text_of(duration="60s", producers={"count": 2}))
    return ("hunt", file, "--at-most", 1, "--objective", "p999_ms < 1000", "--schedules")


def cases_in(out):
    return sorted(file.name for file in (out / "cases").glob("*.yaml"))


def test_what_a_killed_hunt_found_is_there_and_the_same_command_resumes(alive, asked, tmp_path):
    out = tmp_path / "out"
    hunt = alive(*asked, 100_000, "--cores", 2, "--out", out)
    assert wait_until(lambda: cases_in(out), hunt), hunt.said
    workers = hunt.family("spawn_main")
    hunt.kill(jvm=False)
    kept, runs = cases_in(out), (out / "outcomes.jsonl").read_text().count("schedule")
    assert psutil.wait_procs(workers, timeout=60)[1] == []
    assert len(workers) >= 2
    again = alive(*asked, 64, "--cores", 1, "--out", out)
    assert again.wait() == 1, again.said
    found = json.loads((out / "result.json").read_text())
    assert set(kept) <= set(cases_in(out))
    assert (out / "outcomes.jsonl").read_text().count("schedule") == found["runs"] + runs


def test_a_process_that_is_killed_ends_the_hunt_with_all_that_was_found_written(alive, asked, tmp_path):
    out = tmp_path / "out"
    hunt = alive(*asked, 100_000, "--cores", 2, "--out", out)
    assert wait_until(lambda: cases_in(out), hunt), hunt.said
    hunt.family("spawn_main")[-1].kill()
    assert hunt.wait() == 3, hunt.said
    assert no_stack_trace(hunt.said)
    assert prints(hunt.said, HuntRunTexts.PROCESS_ENDED)
    result = json.loads((out / "result.json").read_text())
    assert result["interrupted"]
    assert [f"{case['name']}.yaml" for case in result["cases"]] == cases_in(out)


def test_a_second_hunt_in_the_folder_is_refused_in_a_sentence(alive, asked, tmp_path):
    out = tmp_path / "out"
    first = alive(*asked, 100_000, "--cores", 1, "--out", out)
    assert wait_until((out / "hunt.json").exists, first), first.said
    second = alive(*asked, 100_000, "--cores", 1, "--out", out, "--fresh")
    assert second.wait() == 2, second.said
    assert prints(second.said, HuntRunTexts.FOLDER_IN_USE)
    assert f"(process {first.process.pid})" in second.said
    assert (out / "hunt.json").exists()
