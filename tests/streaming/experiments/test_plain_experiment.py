"""`sendlab whatif` and `advise` with --engine plain: the same result as Spark's, for a machine without Java."""

from __future__ import annotations

import json

import pyarrow.parquet as pq
import pytest
import yaml

from simulator.experiments.experiment_runner import experiment
from streaming.installation.own_version import sendlab_version
from streaming.texts.experiment_texts import ExperimentTexts
from tests.says import Says, prints
from tests.simulator.experiments.small import SCENARIO
from tests.streaming.asked import ask


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "no-java"))
    arms = {"old": {}, "new": {"client.release": "5.3.3"}}
    given = {"name": "two", "scenario": SCENARIO, "arms": arms, "seeds": 2, "warm_up": "1s"}
    (tmp_path / "two.yaml").write_text(yaml.safe_dump(given, sort_keys=False))
    return tmp_path


def test_whatif_without_java_gives_the_result_of_the_model(folder, monkeypatch, capsys):
    words = ("whatif", folder / "two.yaml", "--out", folder / "out", "--engine", "plain")
    assert ask(monkeypatch, capsys, *words)[0] == 0
    text = json.loads((folder / "out" / "result.json").read_text())
    assert text.pop("sendlab") == sendlab_version()
    assert text == json.loads(json.dumps(experiment(folder / "two.yaml").as_json()))
    (runs, *_) = (folder / "out" / "runs").glob("*.parquet")
    assert pq.read_schema(runs).metadata[b"sendlab.version"].decode() == sendlab_version()
    assert f'name="generator" content="Sendlab {sendlab_version()}"' in (folder / "out" / "report.html").read_text()
    code, said = ask(monkeypatch, capsys, *words)
    assert (code, prints(said, ExperimentTexts.RUNS_THERE, count=4)) == (0, True)


def test_runs_that_are_there_already_are_measured_by_their_own_seeds(folder, monkeypatch, capsys):
    brokers = {"broker-a": {"latency": {"constant": "2ms"}, "release": "5.3.3", "replicas": 3, "mode": "controller"}}
    hang = {"at": "2s", "for": "20s", "broker": "broker-a", "kind": "hang"}
    own = SCENARIO | {"brokers": brokers, "duration": "30s", "faults": [hang]}
    (folder / "two.yaml").write_text(yaml.safe_dump({"name": "two", "scenario": own, "arms": {"one": {}}, "seeds": 3}))
    words = ("whatif", folder / "two.yaml", "--out", folder / "out", "--engine", "plain")
    found = []
    for _ in range(2):
        ask(monkeypatch, capsys, *words)
        text = json.loads((folder / "out" / "result.json").read_text())
        found.append(text["arms"]["one"]["measures"]["no_master_s"])
    assert found[0] == found[1]
    assert found[0]["low"] < found[0]["high"]


def test_spark_needs_java_and_plain_no_master(folder, monkeypatch, capsys):
    code, said = ask(monkeypatch, capsys, "whatif", folder / "two.yaml", "--out", folder / "out")
    assert (code, Says("spark.java-home-without-java") in said) == (3, True)
    plain = ("whatif", folder / "two.yaml", "--engine", "plain", "--master", "local[2]")
    assert ask(monkeypatch, capsys, *plain) == (2, ExperimentTexts.MASTER_WITHOUT_SPARK())
