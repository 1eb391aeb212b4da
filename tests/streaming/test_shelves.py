"""`sendlab --help` shows every command, on a shelf with those it is used with."""

from __future__ import annotations

import os
import subprocess
import sys

from typer.main import get_command

from streaming.cli import app
from streaming.verbs.shelves import SHELVES


def test_every_command_stands_on_one_shelf():
    shelved = [name for names in SHELVES.values() for name in names]
    assert sorted(shelved) == sorted(get_command(app).commands)


def test_the_commands_about_a_night_stand_together():
    commands = get_command(app).commands
    assert {commands[name].rich_help_panel for name in ("import", "calibrate", "replay")} == {"Recordings and replays"}


def test_tab_completes_commands():
    words = {"_SENDLAB_COMPLETE": "complete_bash", "COMP_WORDS": "sendlab rel", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", "import sys; sys.argv[0] = 'sendlab'; from streaming.entry import main; main()"],
        env={**os.environ, **words}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["reload", "releases"]
