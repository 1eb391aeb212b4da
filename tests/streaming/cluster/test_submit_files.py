"""What docs/scale.md tells spark-submit is in the archive at the place that it names."""

from __future__ import annotations

import re
import runpy
import sys
import tomllib

import pytest

from tests.house.tree import ROOT

SHARED = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["data-files"]
TELLING = ("docs/scale.md", "conf/submit/spark.properties")


@pytest.mark.parametrize("file", TELLING)
def test_every_file_of_the_archive_that_is_named_is_in_it(file):
    named = set(re.findall(r"\benv/(share/sendlab/[\w./-]+)", (ROOT / file).read_text()))
    packed = {
        f"{place}/{found.name}" for place, patterns in SHARED.items() for glob in patterns for found in ROOT.glob(glob)
    }
    assert named
    assert named <= packed


def test_the_script_for_spark_submit_is_the_command_line(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["sendlab.py", "faults", "hang"])
    with pytest.raises(SystemExit) as end:
        runpy.run_path(str(ROOT / "conf" / "submit" / "sendlab.py"), run_name="__main__")
    assert end.value.code == 0
    assert "hang" in capsys.readouterr().out
