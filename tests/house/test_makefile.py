"""The Makefile says what it can do, and set-up leaves alone what is another checkout's."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from shutil import copytree

from tests.house.tree import ROOT

PHONY = re.search(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_makefile_help_lists_every_target():
    assert PHONY
    targets = set(PHONY[1].split()) - {"FORCE"}
    # Without the flags of the make that may be running these tests.
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    answer = subprocess.run(["make", "-s"], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    listed = {line.split()[1]: line.split()[2:] for line in answer.stdout.splitlines() if "make " in line}
    assert set(listed) == targets
    assert all(listed.values()), "each with a line on what it does"


def test_the_shell_scripts_parse():
    for script in sorted((ROOT / "conf" / "setup").glob("*.sh")):
        subprocess.run(["bash", "-n", script], check=True)


def test_a_venv_that_is_a_link_to_another_checkouts_is_not_emptied(tmp_path: Path) -> None:
    copytree(ROOT / "conf" / "setup", tmp_path / "mine" / "conf" / "setup")
    package = tmp_path / "other" / ".venv" / "package.py"
    package.parent.mkdir(parents=True)
    package.touch()
    (tmp_path / "mine" / ".venv").symlink_to(package.parent)
    clears = tmp_path / "python"  # does what `venv --clear` does, and installs nothing
    clears.write_text('#!/bin/sh\n[ "$2" = venv ] || exit 0\nrm -rf "$4"/*\nexit 1\n')
    clears.chmod(0o755)
    done = subprocess.run(
        ["bash", "conf/setup/venv.sh"], cwd=tmp_path / "mine", env={"PYTHON": str(clears), "PATH": "/usr/bin:/bin"}
    )
    assert done.returncode == 3
    assert package.exists()
