"""What conf/deploy shows can be typed: its commands are those of the command line."""

from __future__ import annotations

import configparser
import json
import shlex
import shutil
import subprocess
import sys
import zipfile

import pytest
import typer
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard

from streaming.cli import app


def command_of_unit(root, key="ExecStart"):
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read(root / "conf/deploy/sendlab.service")
    return shlex.split(unit["Service"][key])[1:]


def command_of_container(root):
    lines = (root / "conf/deploy/Containerfile").read_text().splitlines()
    return json.loads(next(line for line in lines if line.startswith("CMD ")).removeprefix("CMD "))


@pytest.mark.parametrize("command", [command_of_unit, command_of_container])
def test_the_command_is_one_that_can_be_run(root, command):
    name, *arguments = command(root)
    known = typer.main.get_command(app).commands[name]
    context = known.make_context(name, list(arguments))
    assert (context.params["forever"], context.params["pace"], context.params["keep"]) == (True, "1x", "7d")


def test_the_unit_reloads_the_job_that_it_runs(root):
    name, *arguments = command_of_unit(root, "ExecReload")
    context = typer.main.get_command(app).commands[name].make_context(name, list(arguments))
    run = command_of_unit(root)
    assert [str(context.params["scenario"]), str(context.params["folder"])] == [run[1], run[run.index("--out") + 1]]


def test_the_unit_lets_the_job_end_in_order(root):
    text = (root / "conf/deploy/sendlab.service").read_text()
    assert all(line in text for line in ("KillMode=mixed", "SuccessExitStatus=130", "RestartPreventExitStatus=2"))


def dashboard(root):
    return json.loads((root / "conf/deploy/grafana-dashboard.json").read_text())


def lost(given, kept, path=""):
    """Paths of what is given and not kept as it is."""
    if isinstance(given, dict) and isinstance(kept, dict):
        return [one for key, value in given.items() for one in lost(value, kept.get(key), f"{path}/{key}")]
    if isinstance(given, list) and isinstance(kept, list) and len(given) == len(kept):
        return [one for n, (a, b) in enumerate(zip(given, kept, strict=True)) for one in lost(a, b, f"{path}/{n}")]
    return [] if given == kept else [path]


def unknown_to_grafana(given):
    """What Grafana's own types, made from its schema, do not know of a dashboard."""
    register_default_plugins()
    return lost(given, json.loads(JSONEncoder().encode(Dashboard.from_json(given))))


def test_the_dashboard_is_one_of_grafanas_schema(root):
    assert unknown_to_grafana(dashboard(root)) == []


@pytest.mark.parametrize("part", [(), ("panels", 0), ("panels", 0, "targets", 0), ("templating", "list", 0)])
def test_a_key_that_grafana_does_not_know_would_be_seen(root, part):
    given = place = dashboard(root)
    for step in part:
        place = place[step]
    place["titel"] = "x"
    assert unknown_to_grafana(given) == ["".join(f"/{step}" for step in (*part, "titel"))]


def copied_into_the_container(root):
    text = (root / "conf/deploy/Containerfile").read_text()
    return [word for line in text.splitlines() if line.startswith("COPY") for word in line.split()[1:-1]]


def test_what_the_container_copies_is_enough_for_the_wheel(root, tmp_path):
    for name in copied_into_the_container(root):
        if (root / name).is_dir():
            shutil.copytree(root / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(root / name, tmp_path / name)
    pip = [sys.executable, "-m", "pip", "-q", "wheel", "--no-deps", "--no-build-isolation", "-w", tmp_path, tmp_path]
    subprocess.run(pip, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
    assert {"sendlab/__init__.py", "simulator/engine/loop.py", "state/tables.py", "streaming/cli.py"} <= names
    assert any(name.endswith("share/sendlab/recorded-cluster/producers.txt") for name in names)
