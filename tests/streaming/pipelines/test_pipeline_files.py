"""The shell steps of the pipeline files, run as their services run them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
import yaml

from tests.house.tree import ROOT
from tests.wheels import building

SCENARIO = """name: peak
seed: 1
duration: 10s
client: {release: 5.3.3}
producers: {count: 2, rate: 20/s}
topics: {orders: {queues: 4}}
brokers: {broker-a: {latency: {constant: 1ms}}, broker-b: {like: broker-a}}
"""
EXPERIMENT = "name: e\nscenario: peak.yaml\narms: {now: {}}\nseeds: 3\nobjectives: ['BOUND']\n"
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
GITLAB = yaml.safe_load((ROOT / "conf" / "pipelines" / "gitlab-ci.yml").read_text())["sendlab"]


@pytest.fixture
def project(tmp_path):
    (tmp_path / "peak.yaml").write_text(SCENARIO)
    (tmp_path / "e.yaml").write_text(EXPERIMENT.replace("BOUND", "p99_ms < 50"))
    return tmp_path


def run(step: str, project: Path, **given: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, **given}
    return subprocess.run(
        ["bash", "-e", "-c", step], cwd=project, env=environment, capture_output=True, text=True, check=False
    )


def step_named(name: str) -> str:
    return next(step["run"] for step in ACTION["runs"]["steps"] if step["name"] == name)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("step", "given"),
    [
        (ACTION["runs"]["steps"][0]["run"], {"WHEEL": "", "GITHUB_ACTION_PATH": str(ROOT)}),
        (GITLAB["script"][0], {}),
    ],
    ids=["action", "gitlab"],
)
def test_the_first_step_installs_what_it_is_given(project, wheel, shared_folder, step, given):
    pip = {"PIP_TARGET": str(project / "site"), "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0"}
    with building(shared_folder):
        done = run(step, project, **{"SENDLAB_WHEEL": str(wheel)} | given, **pip)
    assert done.returncode == 0, done.stderr
    assert (project / "site" / "sendlab" / "__init__.py").exists()
    assert (project / "site" / "share" / "sendlab" / "scenarios" / "quickstart.yaml").exists()


def test_the_action_annotates_a_wrong_scenario(project):
    (project / "wrong.yaml").write_text(SCENARIO.replace("queues", "queue"))
    done = run(step_named("Check scenarios"), project, SCENARIOS="peak.yaml wrong.yaml")
    assert done.returncode == 2
    assert "::error file=wrong.yaml,line=6::" in done.stdout


@pytest.mark.parametrize(("bound", "code", "failures"), [("p99_ms < 50", 0, "0"), ("p99_ms < 0.5", 1, "1")])
def test_the_action_runs_an_experiment_and_writes_the_summary(project, bound, code, failures):
    (project / "e.yaml").write_text(EXPERIMENT.replace("BOUND", bound))
    summary = project / "summary"
    done = run(step_named("Run the experiment"), project, EXPERIMENT="e.yaml", GITHUB_STEP_SUMMARY=str(summary))
    assert done.returncode == code, done.stderr
    assert summary.read_text().startswith("## e")
    assert Xml.parse(project / "sendlab-junit.xml").getroot().get("failures") == failures


def test_the_gitlab_job_writes_the_report_that_it_keeps(project):
    check, whatif = GITLAB["script"][1:]
    given = {"SENDLAB_SCENARIOS": "*.yaml".replace("*", "peak"), "SENDLAB_EXPERIMENT": "e.yaml"}
    assert run(check, project, **given).returncode == 0
    assert run(whatif, project, **given).returncode == 0
    assert (project / GITLAB["artifacts"]["reports"]["junit"]).exists()
    assert all((project / path).exists() for path in GITLAB["artifacts"]["paths"])


def test_the_hook_checks_the_files_that_it_is_given(project):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert run(f"{hook['entry']} peak.yaml", project).returncode == 0
    assert run(f"{hook['entry']} peak.yaml e.yaml", project).returncode == 2
