"""Who serves a job's metrics never keeps the job from going on."""

from __future__ import annotations

import io
from types import SimpleNamespace

from streaming.jobs.progress import Progress
from streaming.live.metrics_server import MetricsServer
from streaming.terminal.output_console import OutputConsole as Console
from streaming.texts.job_texts import JobTexts
from tests.says import prints
from tests.streaming.report.fake_output import about, write_run, write_table


def test_a_file_that_metrics_cannot_read_is_reported_once_and_the_job_goes_on(tmp_path):
    out, said = write_run(tmp_path / "out", finished=False), io.StringIO()
    run, options = SimpleNamespace(about=about()), SimpleNamespace(out=out, speed=1.0)
    server = MetricsServer(0, Console(file=said))
    server.begin(SimpleNamespace(source=None, job=SimpleNamespace(run=run), options=options, progress=Progress(())))
    write_table(out, "attempts", {"broker": ["broker-a"]}, 7)
    (out / "attempts" / "run=main" / "b00000007-p0000.parquet").write_bytes(b"PAR1")
    server.before_merge()
    server.before_merge()
    server.close()
    assert prints(said.getvalue(), JobTexts.METRICS_MISS_ROWS)
    assert len(said.getvalue().splitlines()) == 1
