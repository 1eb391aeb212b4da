"""`sendlab run --sink otlp`: every message and attempt of the tables is a span that a collector took."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.house.tree import ROOT
from tests.says import Printed, Says
from tests.streaming.asked import ask
from tests.streaming.otlp.collector_of_tests import collecting

SCENARIO = ROOT / "conf/scenarios/quickstart.yaml"


def job(*arguments: object) -> tuple[int, Printed]:
    """Exit code and words of `sendlab` in a process of its own: a job ends its session, and the tests share one."""
    command = [str(Path(sys.executable).with_name("sendlab")), *map(str, arguments)]
    wide = os.environ | {"COLUMNS": "2000"}
    done = subprocess.run(command, env=wide, capture_output=True, text=True, check=False, timeout=300)
    return done.returncode, Printed(" ".join((done.stdout + done.stderr).split()))


def test_a_job_sends_its_messages_as_traces_and_resumes_where_the_collector_failed(tmp_path):
    command = [
        "run",
        SCENARIO,
        "--for",
        "3s",
        "--out",
        tmp_path,
        "--sink",
        "parquet",
        "--sink",
        "otlp",
        "--max-events",
        "400",
    ]
    with collecting() as there:
        url = ["--otlp", there.url]
        there.refuse_after(100)
        code, said = job(*command, *url)
        assert (code, Says("job.spans-refused") in said, "answered 503" in said) == (3, True, True), said
        there.refuse_after(None)
        code, said = job(*command, *url)
        assert code == 0, said
        spans = {span.span_id: span for _, span in there.spans}
    sends, attempts = (pq.read_table(tmp_path / table) for table in ("sends", "attempts"))
    assert len(spans) == sends.num_rows + attempts.num_rows
    assert len({span.trace_id for span in spans.values()}) == sends.num_rows
    assert {span.parent_span_id for span in spans.values()} - {b""} <= spans.keys()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--sink", "otlp"], Says("command.otlp-together")),
        (["--otlp", "http://127.0.0.1:4318"], Says("command.otlp-together")),
        (["--sink", "otlp", "--otlp", "localhost:4317"], Says("flow.collector-expected")),
    ],
)
def test_what_does_not_go_together_is_refused(tmp_path, monkeypatch, capsys, options, words):
    code, said = ask(monkeypatch, capsys, "run", SCENARIO, "--out", tmp_path, *options)
    assert (code, words in said) == (2, True), said
