"""Every verb of `import sendlab` gives an object with the figures of its command."""

from __future__ import annotations

import json

import pandas as pd
import pytest
import sendlab

from tests.house.tree import ROOT
from tests.says import Says, raises
from tests.streaming.face.test_given import SMALL

EXPERIMENT = {"scenario": SMALL, "arms": {"old": {}, "new": {"client.release": "5.3.3"}}, "seeds": 2}


@pytest.fixture(scope="module")
def result():
    return sendlab.simulate(SMALL)


@pytest.fixture(scope="module")
def folders(result, tmp_path_factory):
    place = tmp_path_factory.mktemp("face")
    other = sendlab.simulate(SMALL, set={"client.release": "5.3.3", "brokers.a.latency": {"constant": {"ms": 4}}})
    return result.write(place / "one"), other.write(place / "other")


def test_a_frame_has_texts_and_whole_numbers(result):
    sends = result.frame("sends")
    assert sends["topic"].map(type).unique().tolist() == [str]
    assert len(result.frame("attempts").groupby(["broker", "queue_id"]).size()) == 4
    assert sends["message_key"].dtype == pd.Int64Dtype()
    with pytest.raises(ValueError, match=r"no table named windws; known: attempts, .*did you mean windows"):
        result.frame("windws")


def test_a_result_is_written_as_a_run_writes_it(folders, result):
    attempts = pd.read_parquet(folders[0] / "attempts")
    assert len(attempts) == result.attempts.num_rows
    assert json.loads((folders[0] / "run.json").read_text())["finished"]
    with pytest.raises(sendlab.InputError, match="not empty"):
        result.write(folders[0])
    assert "| producers | 106 |" in sendlab.report(folders[0], format="md").read_text()


def test_a_plot_has_a_line_a_broker(result):
    figure = result.plot("attempts")
    assert [line.name for line in figure.data] == ["a", "b"]
    assert sum(figure.data[0].y) + sum(figure.data[1].y) == result.attempts.num_rows
    with pytest.raises(ValueError, match="p99_mz"):
        result.plot("p99_mz")


def test_a_result_is_short_in_a_notebook(result):
    assert len(repr(result)) < 300
    assert f"<td>attempts</td><td>{result.attempts.num_rows:,}</td>" in "".join(result._repr_html_().split())


def test_diff_names_the_settings_that_differ(folders):
    found = sendlab.diff(*folders)
    assert found.settings["client.release"] == ("4.9.8", "5.3.3")
    assert found.first is not None
    assert sendlab.diff(folders[0], folders[0]).are_alike


def test_explain_is_words_and_values(folders):
    found = sendlab.explain(folders[0], at={"s": 2})
    assert "of topic orders" in str(found)
    assert found.as_json()["decision"]["chosen"]["broker"] in ("a", "b")


def test_an_experiment_from_a_dict_says_its_verdict_shortly(tmp_path):
    found = sendlab.experiment(EXPERIMENT)
    assert list(found.study.all_arms()) == ["old", "new"]
    assert len(repr(found)) < 1_000
    assert "new" in found.report(tmp_path / "page.html").read_text()


def test_whatif_leaves_its_runs_in_the_folder(tmp_path):
    found = sendlab.whatif(EXPERIMENT, out=tmp_path / "out", engine="plain")
    stored = json.loads((tmp_path / "out" / "result.json").read_text())
    assert (
        stored["arms"]["new"]["measures"]["mean_ms"]["mean"]
        == dict(found.as_json())["arms"]["new"]["measures"]["mean_ms"]["mean"]
    )
    with pytest.raises(sendlab.InputError, match="expected spark or plain"):
        sendlab.whatif(EXPERIMENT, out=tmp_path / "out", engine="plane")


def test_a_sweep_has_an_arm_for_each_combination():
    found = sendlab.sweep(SMALL, {"client.release": ["4.9.8", "5.3.3"], "producers.rate": ["5/s", "9/s"]}, seeds=2)
    assert len(list(found.study.all_arms())) == 4


def test_advice_is_an_object_with_a_page(tmp_path):
    hung = {**SMALL, "faults": [{"at": "1s", "for": "2s", "broker": "b", "kind": "hang"}]}
    found = sendlab.advise(
        hung, faults="own", seeds=2, out=tmp_path / "out", engine="plain", set={"producers.rate": "10/s"}
    )
    assert found.picks
    assert len(repr(found)) < 2_500
    assert (tmp_path / "out" / "advice.html").exists()


def test_a_recording_is_imported_calibrated_and_asked_what_would_have_been(tmp_path):
    trace = sendlab.import_log("recording", ROOT / "conf" / "traces" / "live-4.9.8-s3", tmp_path / "night")
    assert trace.about.rows == len(trace.attempts())
    assert repr(trace).startswith(f"<Trace live-4.9.8-s3: {trace.about.rows:,} attempts")
    fitted = sendlab.calibrate(tmp_path / "night", tmp_path / "night.yaml", runs=1)
    assert sendlab.load_scenario(tmp_path / "night.yaml").client.release == "4.9.8"
    assert "figures within tolerance" in repr(fitted)
    found = sendlab.replay("live-4.9.8-s3", arms=[{"client.release": "5.3.3"}], runs=2, out=tmp_path / "arms")
    assert "client.release=5.3.3" in found.study.all_arms()
    assert len(repr(found)) < 2_000


def test_a_csv_with_other_names_is_mapped(tmp_path):
    file = tmp_path / "log.csv"
    rows = "".join(f"{1_700_000_000_000 + 10 * i},p{i % 2},orders,a,1.5,SEND_OK\n" for i in range(50))
    file.write_text("ts,producer,topic,broker,latency_ms,outcome\n" + rows)
    trace = sendlab.import_log("csv", file, tmp_path / "trace", map={"time": "ts"})
    assert (trace.about.rows, trace.about.rejects) == (50, 0)


def test_a_recording_is_verified_decision_by_decision(tmp_path):
    found = sendlab.verify.recordings("live-5.3.3-s3a", out=tmp_path / "out")
    assert found.agreement.is_full
    assert found.decisions.num_rows > 1_000
    assert repr(found) == f"<Replayed: {found.decisions.num_rows:,} decisions, 0 rejects>"


def test_init_writes_a_scenario_and_names_what_it_assumes(tmp_path):
    recorded = ROOT / "conf" / "recorded-cluster"
    found = sendlab.init([recorded / "5.3.3", recorded / "producers.txt"], tmp_path / "mine.yaml", topics=["bills"])
    assert (sorted(found.scenario.topics), "send_msg_timeout" in found.assumed) == (["bills"], True)
    assert sendlab.load_scenario(found.path).digest() == found.scenario.digest()
    assert "3 brokers; assumed: duration" in repr(found)


def test_init_takes_answers_and_asks_nothing(tmp_path):
    found = sendlab.init([], tmp_path / "mine.yaml", brokers=4, producers=10, rate=1000, queues=8, release="5.3.3")
    assert (len(found.scenario.brokers), found.scenario.producer_count) == (4, 10)
    with raises(sendlab.InputError, Says("command.files-or-answers")):
        sendlab.init([], tmp_path / "other.yaml")


def test_recorded_cases_and_incidents_are_compared_figure_by_figure():
    (rules,) = sendlab.verify.golden(ROOT / "tests" / "golden" / "rules-4.2.0.jsonl.gz")
    assert (rules.release, rules.kind, rules.is_exact) == ("4.2.0", "rules", True)
    found = sendlab.verify.incidents("counter-overflow")
    assert (len(found), all(finding.is_as_expected for finding in found)) == (8, True)
