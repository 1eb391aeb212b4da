"""What only some commands need is installed with an extra, and imported when a command asks for it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from streaming.errors import EnvironmentProblem
from streaming.installation.extras import EXTRAS, lacking, require
from streaming.texts.command_result_texts import CommandResultTexts
from tests.house.tree import ROOT
from tests.simulator.small import text_of

# Command lines, one after the other, where some packages are not installed; behind each stands its exit code. The end
# says which of other packages were imported.
COMMANDS = """
import atexit, json, sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pyspark", "py4j", "kafka", "crc32c"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NotInstalled())
heavy = ("plotly", "IPython", "scipy.optimize")
atexit.register(lambda: print("imported", [name for name in heavy if name in sys.modules]))
from streaming.entry import main
for words in json.loads(sys.argv[1]):
    sys.argv[1:], code = words, 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    print(f"\\nexit {code}", flush=True)
"""


def ask_all(*commands: list[str], cwd) -> list[tuple[int, str]]:
    """Exit code of each command, and what it printed."""
    path = f"{ROOT}{os.pathsep}{ROOT / 'streaming' / 'face'}"
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS, json.dumps(commands)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=True, cwd=cwd, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    *parts, last = re.split(r"\nexit (.*)\n", done.stdout)
    codes, texts = parts[1::2], parts[::2]
    return [(int(code or 0), text + last) for code, text in zip(codes, texts, strict=True)]


def ask(*words: object, cwd) -> tuple[int, str]:
    (found,) = ask_all([str(word) for word in words], cwd=cwd)
    return found


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


OPTIONS = ("--forever", "--sink console", "--master local[2]", "--engine spark")


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    """What each option gets where Spark is not installed."""
    run = ["run", str(ROOT / "conf/scenarios/quickstart.yaml"), "--out", "out"]
    found = ask_all(*([*run, *option.split()] for option in OPTIONS), cwd=tmp_path_factory.mktemp("refused"))
    return dict(zip(OPTIONS, found, strict=True))


@pytest.mark.parametrize("option", OPTIONS)
def test_without_spark_what_needs_it_says_how_to_get_it_and_how_to_do_without(refused, option):
    code, said = refused[option]
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
