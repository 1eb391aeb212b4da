"""What conf/deploy shows can be typed: its commands are those of the command line."""

from __future__ import annotations

import configparser
import json
import shlex

import pytest
import typer

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


def test_the_container_copies_all_that_is_installed(root):
    text = (root / "conf/deploy/Containerfile").read_text()
    copied = {word for line in text.splitlines() if line.startswith("COPY") for word in line.split()[1:-1]}
    assert {"simulator", "state", "streaming", "conf", "pyproject.toml", "README.md", "LICENSE"} <= copied
