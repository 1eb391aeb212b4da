"""What Python callers get wrong gets one sentence; numpy's numbers are numbers."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import sendlab

import simulator
from simulator.run.simulate import simulate
from streaming.results.window_plot import windows_figure
from tests.house.tree import ROOT
from tests.says import Printed, Says, raises

SMALL = {
    "duration": "5s",
    "client": {"release": "4.9.8"},
    "producers": {"count": np.int64(2), "rate": "20/s"},
    "topics": {"orders": {"queues": np.int32(2)}},
    "brokers": {"a": {"latency": {"constant": "1ms"}}},
    "consumers": {"billing": {"topic": "orders", "service": "5ms"}},
}
WITHOUT_PYSPARK = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pyspark":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hidden())
import sendlab
try:
    sendlab.run("quickstart", "out")
except sendlab.EnvironmentProblem as error:
    print(error)
"""


@pytest.fixture(scope="module")
def result():
    return sendlab.simulate(SMALL, seed=np.int64(3), set={"producers.count": np.int16(3)})


def test_numbers_of_numpy_are_numbers(result):
    assert (result.scenario.seed, result.scenario.producer_count) == (3, 3)


@pytest.mark.parametrize("call", [sendlab.simulate, sendlab.load_scenario, simulate, sendlab.experiment])
def test_nothing_is_no_scenario(call):
    with pytest.raises((sendlab.InputError, sendlab.ScenarioError), match=r"^expected .*, got None$"):
        call(None)


def test_no_folder_is_no_output():
    with raises(sendlab.InputError, Says("command.out-folder-expected", got=None)):
        sendlab.report(None)


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda result: result.frame("atempts"), "no table named atempts; .*did you mean attempts"),
        (lambda result: result.column("attempts", "brokr"), "attempts: no column named brokr; .*did you mean broker"),
        (lambda result: result.plot("lagg"), "no measure named lagg; .*did you mean lag"),
    ],
)
def test_a_name_that_is_not_there_gets_the_nearest_one(result, ask, sentence):
    with pytest.raises(ValueError, match=sentence):
        ask(result)


def test_changes_that_are_no_dict_are_a_sentence():
    with pytest.raises(sendlab.InputError, match="set: expected a dict"):
        sendlab.simulate(SMALL, set="client.release=5.3.3")


def test_a_measure_of_consumers_has_a_line_a_group(result):
    (line,) = result.plot("lag").data
    assert line.name == "billing"
    assert list(line.y) == result.frame("consumer_windows")["lag"].tolist()


def test_a_measure_of_groups_needs_their_table():
    with pytest.raises(ValueError, match="no table consumer_windows"):
        windows_figure(sendlab.simulate(SMALL, tables=("windows",)), "lag")


def test_a_point_between_windows_without_a_value_is_drawn(result):
    windows = result.tables["windows"].to_pandas()
    windows["p99_ms"] = [None, 1.0, None, 2.0, 3.0]
    alone = type(result)(result.plan, {"windows": _table(result, windows)}, result.scenario, result.events)
    assert list(alone.plot("p99_ms").data[0].marker.size) == [0, 6, 0, 0, 0]


def _table(result, rows: pd.DataFrame):
    import pyarrow as pa

    return pa.Table.from_pandas(rows, schema=result.tables["windows"].schema, preserve_index=False)


def test_a_result_has_its_findings():
    killed = sendlab.simulate("killed", set={"duration": "2m"})
    assert any("broker-b" in found.text for found in killed.findings())


def test_a_missing_pyspark_is_named_with_its_extra(tmp_path):
    where = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'streaming' / 'face'}"}
    words = [sys.executable, "-c", WITHOUT_PYSPARK]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, env=where, check=True)
    assert Says("command.package-missing", package="PySpark") in Printed(done.stdout)


def test_a_users_type_checker_finds_types_in_every_package():
    assert all((ROOT / name / "py.typed").is_file() for name in ("simulator", "state", "streaming"))
    assert simulator.simulate.__annotations__["return"] == "Result"
