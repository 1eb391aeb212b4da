"""The Makefile says what it can do."""

from __future__ import annotations

import os
import re
import subprocess

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
