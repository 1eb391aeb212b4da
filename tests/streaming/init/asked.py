"""`sendlab init` as the tests ask it: files in, the scenario's text and the scenario out."""

from __future__ import annotations

from simulator.scenario.loading.scenario_file import parse_scenario
from streaming.init.chosen_values import OperatorAnswers
from streaming.init.cluster_scenario import ClusterWriter
from streaming.init.evidence import read_evidence
from tests.house.tree import ROOT
from tests.says import Printed

NOTHING = OperatorAnswers()
RECORDED = ROOT / "conf" / "recorded-cluster"


def init_text(*files, answers=NOTHING, topics=()):
    """The scenario's text of files, recorded ones by their name."""
    paths = [RECORDED / file if isinstance(file, str) else file for file in files]
    return ClusterWriter(read_evidence(paths).facts, answers, topics).write("files").text


def init_scenario(*files, **given):
    """The scenario of files, checked as `sendlab check` does."""
    return parse_scenario(init_text(*files, **given), source="init")


def saved(folder, name, text):
    """A file with that text."""
    file = folder / name
    file.write_text(text)
    return file


def words_of(*files):
    """What is written, as one line without the signs of its comments."""
    return Printed(" ".join(init_text(*files).replace("# ", "").split()))
