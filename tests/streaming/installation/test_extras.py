"""What only some commands need is installed with an extra, and imported when a command asks for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from streaming.errors import EnvironmentProblem
from streaming.installation.extras import EXTRAS, lacking, require
from streaming.texts.command_result_texts import CommandResultTexts
from tests.house.tree import ROOT
from tests.simulator.small import text_of

# The command line where some packages are not installed, which says at its end which of others it imported.
COMMAND = """
import atexit, sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pyspark", "py4j", "kafka", "crc32c"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NotInstalled())
heavy = ("plotly", "IPython", "scipy.optimize")
atexit.register(lambda: print("imported", [name for name in heavy if name in sys.modules]))
from streaming.entry import main
main()
"""


def ask(*words: object, cwd) -> tuple[int, str]:
    command = [sys.executable, "-c", COMMAND, *map(str, words)]
    path = f"{ROOT}{os.pathsep}{ROOT / 'streaming' / 'face'}"
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=cwd, env={**os.environ, "PYTHONPATH": path}
    )
    return done.returncode, done.stdout + done.stderr


def test_the_plain_engine_runs_without_spark_and_draws_nothing(tmp_path):
    scenario = ROOT / "conf/scenarios/quickstart.yaml"
    code, said = ask("run", scenario, "--engine", "plain", "--for", "2s", "--out", "out", cwd=tmp_path)
    assert code == 0, said
    assert json.loads((tmp_path / "out" / "run.json").read_text())["counts"]["sends"] > 900
    assert "imported []" in said


@pytest.mark.parametrize("verb", ["run", "whatif"])
def test_without_spark_the_plain_engine_runs_and_a_line_says_so(tmp_path, verb):
    (tmp_path / "s.yaml").write_text(text_of())
    (tmp_path / "e.yaml").write_text("name: e\nscenario: s.yaml\narms: {a: {}}\nseeds: 2\n")
    code, said = ask(verb, "s.yaml" if verb == "run" else "e.yaml", "--out", "out", cwd=tmp_path)
    assert code == 0, said
    assert said.startswith(CommandResultTexts.WITHOUT_SPARK())


@pytest.mark.parametrize("option", ["--forever", "--sink console", "--master local[2]", "--engine spark"])
def test_without_spark_what_needs_it_says_how_to_get_it_and_how_to_do_without(tmp_path, option):
    code, said = ask("run", ROOT / "conf/scenarios/quickstart.yaml", "--out", "out", *option.split(), cwd=tmp_path)
    assert code == 3
    assert "pip install 'sendlab[spark]'" in said
    assert "--engine plain" in said
    assert len(said.splitlines()) == 2


def test_without_kafka_a_sentence_says_how_to_get_it(tmp_path):
    code, said = ask("watch", "decisions", "--bootstrap", "127.0.0.1:9", cwd=tmp_path)
    assert (code, "pip install 'sendlab[kafka]'" in said) == (3, True), said


def test_the_doctor_is_content_without_spark(tmp_path):
    code, said = ask("doctor", "--json", cwd=tmp_path)
    assert code == 0, said


@pytest.mark.parametrize("package", ["pyspark", "kafka"])
def test_what_is_installed_is_not_missed(package):
    require(package)


def test_a_missing_module_of_an_extra_is_distinguished_from_any_other():
    assert isinstance(lacking(ModuleNotFoundError(name="kafka.errors")), EnvironmentProblem)
    assert lacking(ModuleNotFoundError(name="simulatr")) is None


def test_every_extra_is_one_that_can_be_installed():
    import tomllib

    offered = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {extra.name for extra in EXTRAS.values()} <= set(offered)
