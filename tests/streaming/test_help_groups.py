"""`sendlab --help` shows every command on one screen, by the question that it answers."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from typer.main import get_command

from streaming import cli
from streaming.verbs.help_groups import GROUPS

LINES, COLUMNS = 40, 100  # of a screen


@pytest.fixture
def sendlab(monkeypatch, capsys):
    """Exit code, and lines of stdout and stderr."""

    def run(*arguments: str) -> tuple[object, list[str], list[str]]:
        monkeypatch.setattr(sys, "argv", ["sendlab", *arguments])
        with pytest.raises(SystemExit) as end:
            cli.main()
        said = capsys.readouterr()
        return end.value.code, said.out.splitlines(), said.err.splitlines()

    return run


def test_every_command_stands_in_one_group():
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(get_command(cli.app).commands)


def test_the_help_fits_one_screen(sendlab):
    code, shown, _ = sendlab("--help")
    assert (code, len(shown) <= LINES, max(map(len, shown)) <= COLUMNS) == (0, True, True)


def test_a_question_stands_before_the_first_of_its_commands(sendlab):
    _, shown, _ = sendlab("--help")
    first = shown.index(next(line for line in shown if line.startswith("Decide ")))
    assert shown[first].split() == ["Decide", "whatif", *GROUPS["Decide"]["whatif"].split()]
    assert shown[first + 4].split()[0] == "fork"


def test_without_a_command_the_same_is_shown_and_ends_with_2(sendlab):
    _, shown, _ = sendlab("--help")
    assert sendlab() == (2, shown, [])


def test_tab_completes_commands():
    words = {"_SENDLAB_COMPLETE": "complete_bash", "COMP_WORDS": "sendlab rel", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", "import sys; sys.argv[0] = 'sendlab'; from streaming.entry import main; main()"],
        env={**os.environ, **words}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["reload", "releases"]
