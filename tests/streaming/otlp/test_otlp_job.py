"""`sendlab run --sink otlp`: every message and attempt of the tables is a span that a collector took."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.house.tree import ROOT
from tests.streaming.asked import ask
from tests.streaming.otlp.collector_of_tests import collecting

SCENARIO = ROOT / "conf/scenarios/quickstart.yaml"


def job(*arguments: object) -> tuple[int, str]:
    """Exit code and words of `sendlab` in a process of its own: a job ends its session, and the tests share one."""
    command = [str(Path(sys.executable).with_name("sendlab")), *map(str, arguments)]
    wide = os.environ | {"COLUMNS": "2000"}
    done = subprocess.run(command, env=wide, capture_output=True, text=True, check=False, timeout=300)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


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
        assert (code, "answered 503 Service Unavailable; the same command resumes from here" in said) == (3, True), said
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
        (["--sink", "otlp"], "--sink otlp and --otlp http://HOST:4318 go together"),
        (["--otlp", "http://127.0.0.1:4318"], "--sink otlp and --otlp http://HOST:4318 go together"),
        (["--sink", "otlp", "--otlp", "localhost:4317"], "expected a collector's address"),
    ],
)
def test_what_does_not_go_together_is_refused(tmp_path, monkeypatch, capsys, options, words):
    code, said = ask(monkeypatch, capsys, "run", SCENARIO, "--out", tmp_path, *options)
    assert (code, words in said) == (2, True), said
