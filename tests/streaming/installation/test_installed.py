"""The wheel in an environment of its own: no checkout is near, and its commands find their data."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from functools import partial
from pathlib import Path

import pytest

from tests.house.tree import ROOT


def done(*command: object, cwd: Path, **environment: str) -> str:
    """What a command that ends with 0 prints."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words = [str(word) for word in command]
    ended = subprocess.run(words, cwd=cwd, env=clean | environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Run `sendlab` of a real wheel; what it depends on is that of this environment, behind the wheel's own files."""
    place = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    done(sys.executable, "-m", "venv", "--without-pip", place / "env", cwd=place)
    bin_ = place / "env" / "bin"
    done(*pip, "--python", bin_ / "python", "install", "--no-deps", wheel, cwd=place)
    (site,) = (place / "env").glob("lib/python*/site-packages")
    (site / "others.pth").write_text(sysconfig.get_path("purelib"))

    def run(*words: object, program: str = "sendlab") -> str:
        # Plain Python: what is installed in ten minutes (test_fresh_installation.py) is compiled.
        caches = {"XDG_CACHE_HOME": str(ROOT / ".cache" / "installed"), "NUMBA_DISABLE_JIT": "1"}
        return done(bin_ / program, *words, cwd=place, **caches)

    run.python = partial(run, program="python")
    return run


def test_an_installation_lists_every_example(installed):
    said = " ".join(installed("scenarios").split())
    for name in ("quickstart broker-b hangs", "experiments/release-under-a-hang does 5.3.3", "traces/live-4.9.8-s3 "):
        assert name in said


def test_an_installation_finds_its_data_and_not_kafkas(installed):
    rows = {row["name"]: row for row in json.loads(installed("doctor", "--json"))["checks"]}
    assert rows["data files"]["found"].endswith("/env/share/sendlab")


def test_an_installation_runs_an_example_without_spark(installed, tmp_path):
    installed("scenarios", "quickstart", "--to", tmp_path)
    installed("run", tmp_path / "quickstart.yaml", "--out", tmp_path / "out", "--engine", "plain", "--for", "2s")
    assert json.loads((tmp_path / "out" / "run.json").read_text())["counts"]["sends"] > 900


def test_an_installation_is_imported_as_sendlab(installed):
    code = "import sendlab; print(sendlab.simulate('quickstart', set={'duration': '2s'}).sends.num_rows > 900)"
    assert installed.python("-c", code).strip() == "True"


def test_an_installation_has_the_incidents(installed):
    assert "busiest-queue" in installed("verify", "incidents", "--list")
