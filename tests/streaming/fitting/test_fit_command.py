import io

import pytest
from rich.console import Console

from simulator.fit.fitted_cluster import Around
from simulator.scenario import load_scenario
from streaming.commands.fit_command import fit_command
from streaming.errors import InputError

MEASURED = "threads,message_bytes,tps,rt_ms\n1,1024,1300,0.77\n20,1024,7600,2.63\n"


def fitted(tmp_path, text=MEASURED):
    (tmp_path / "measured.csv").write_text(text)
    out, console = tmp_path / "fitted.yaml", Console(file=io.StringIO(), width=140)
    fit_command(tmp_path / "measured.csv", out, Around(brokers=2), queues=8, everything=False, console=console)
    return out, console.file.getvalue()


def test_the_written_scenario_can_be_run_and_carries_its_evidence(tmp_path):
    out, said = fitted(tmp_path)
    assert load_scenario(out).name == "cluster of measured.csv"
    assert "# 20 threads, 1024 bytes, 8 queues a broker: measured 7,600/s and 2.630 ms" in out.read_text()
    assert "The fit used every point" in said
    assert "Assumed: spread of the service time" in said


def test_a_file_that_is_there_is_not_overwritten(tmp_path):
    (tmp_path / "fitted.yaml").write_text("mine")
    with pytest.raises(InputError, match=r"fitted\.yaml exists"):
        fitted(tmp_path)
    assert (tmp_path / "fitted.yaml").read_text() == "mine"
