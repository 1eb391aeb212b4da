"""The wheel with what it depends on, installed by pip, pipx and uv into an empty place where there is no Java."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from streaming.texts.command_result_texts import CommandResultTexts
from tests.house.tree import ROOT

DOCUMENT, README = ROOT / "docs" / "ten-minutes.md", ROOT / "README.md"
CONSTRAINTS = ROOT / "conf" / "constraints.txt"
TOOLS = Path(sys.executable).parent
pytestmark = pytest.mark.timeout(1200)


def done(*words: object, cwd: Path, ok: int = 0, **environment: str) -> str:
    """What a command prints that ends with `ok`, with nothing of this environment, and no Java, in reach."""
    kept = ("PIP_", "UV_", "SSL_", "REQUESTS_", "http_", "https_", "HTTP_", "HTTPS_", "NO_PROXY", "HOME")
    clean = {name: value for name, value in os.environ.items() if name.startswith(kept)}
    clean |= {
        "PATH": "/usr/bin:/bin",
        "JAVA_HOME": str(cwd / "no-java"),
        "XDG_CACHE_HOME": str(ROOT / ".cache/installed"),
    }
    command = [str(word) for word in words]
    ended = subprocess.run(command, cwd=cwd, env=clean | environment, capture_output=True, text=True, check=False)
    assert ended.returncode == ok, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def with_pip(wheel, place):
    done(sys.executable, "-m", "venv", "--without-pip", place / "env", cwd=place)
    python = place / "env/bin/python"
    done(sys.executable, "-m", "pip", "--python", python, "install", "-q", "-c", CONSTRAINTS, wheel, cwd=place)
    return [place / "env/bin/sendlab"]


def with_pipx(wheel, place):
    homes = {"PIPX_HOME": str(place / "pipx"), "PIPX_BIN_DIR": str(place / "bin"), "PIPX_MAN_DIR": str(place / "man")}
    asked = ["install", "--python", sys.executable, "--pip-args", f"-c {CONSTRAINTS} --no-compile", wheel]
    done(TOOLS / "pipx", *asked, cwd=place, PIPX_DEFAULT_BACKEND="pip", PATH=os.environ["PATH"], **homes)
    return [place / "bin/sendlab"]


def with_uvx(wheel, place):
    return [TOOLS / "uvx", "-q", "--python", sys.executable, "--constraints", CONSTRAINTS, "--from", wheel, "sendlab"]


@pytest.fixture(scope="module")
def by_pip(wheel, tmp_path_factory):
    """The command of an installation by pip, and how many seconds that took."""
    began, place = time.monotonic(), tmp_path_factory.mktemp("pip")
    return with_pip(wheel, place), time.monotonic() - began


@pytest.mark.parametrize("install", [with_pip, with_pipx, with_uvx])
def test_the_wheel_alone_runs_and_compares_without_spark_and_java(install, wheel, by_pip, tmp_path):
    sendlab = by_pip[0] if install is with_pip else install(wheel, tmp_path)
    done(*sendlab, "scenarios", "quickstart", "--to", tmp_path, cwd=tmp_path)
    ran = partial(done, *sendlab, cwd=tmp_path, NUMBA_DISABLE_JIT="1")  # the ten minutes below are compiled
    said = ran("run", "quickstart.yaml", "--out", "live", "--forever", ok=3)
    assert len(said.splitlines()) == 1
    assert "pip install 'sendlab[spark]'" in said
    said = ran("run", "quickstart.yaml", "--out", "out", "--for", "2s")
    assert said.startswith(CommandResultTexts.WITHOUT_SPARK())
    assert json.loads((tmp_path / "out/run.json").read_text())["counts"]["sends"] > 900
    (tmp_path / "small.yaml").write_text(
        "name: two releases\nscenario: quickstart.yaml\nset: {duration: 1s, faults: []}\nseeds: 2\n"
        "arms: {old: {}, new: {client.release: 5.3.3}}\n"
    )
    ran("whatif", "small.yaml", "--engine", "plain", "--out", "compared")
    assert (tmp_path / "compared/report.html").stat().st_size > 10_000


def test_the_ten_minutes_of_the_document_from_the_wheel_to_the_answer(by_pip, tmp_path):
    (sendlab,), installing_s = by_pip
    began, bare = time.monotonic(), {"XDG_CACHE_HOME": str(tmp_path / "cache"), "COLUMNS": "200"}
    words = re.findall(r"^```sh\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    said = [done("bash", "-ec", each, cwd=tmp_path, PATH=f"{sendlab.parent}:/usr/bin:/bin", **bare) for each in words]
    assert installing_s + time.monotonic() - began < 600
    for quoted, shown in ((r"audit was ([\d,]+) messages behind at", 2), (r"detector on fails ([\d.]+) %", 3)):
        figures = [re.search(quoted, " ".join(text.split()))[1] for text in (DOCUMENT.read_text(), said[shown])]
        reported, found = (float(one.replace(",", "")) for one in figures)
        assert found == pytest.approx(reported, rel=0.05)
    assert (tmp_path / "out/hang/report.html").exists()


def test_the_readme_begins_as_the_ten_minutes_do():
    section = README.read_text().partition("## Your cluster in ten minutes\n")[2].partition("\n## ")[0]
    asked = re.findall(r"^    \.venv/bin/(sendlab .*?)(?: +#.*)?$", section, re.MULTILINE)
    assert asked
    assert [words for words in DOCUMENT.read_text().splitlines() if words.startswith("sendlab ")][: len(asked)] == asked


def test_the_installation_has_the_size_that_the_document_says(by_pip):
    (sendlab,), _ = by_pip
    files = [file for file in sendlab.parents[1].rglob("*") if file.is_file() and not file.is_symlink()]
    text = re.search(r"The plain installation has (\d+) MB", (ROOT / "docs" / "running.md").read_text())[1]
    assert sum(file.stat().st_size for file in files) / 1e6 == pytest.approx(int(text), rel=0.1)
