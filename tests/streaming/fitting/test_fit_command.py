import io

from rich.console import Console

from simulator.fit.fitted_cluster import Around
from simulator.scenario import load_scenario
from streaming.commands.fit_command import fit_command
from streaming.errors import InputError
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.fit_texts import FitTexts
from tests.says import Says, raises

MEASURED = "threads,message_bytes,tps,rt_ms\n1,1024,1300,0.77\n20,1024,7600,2.63\n"


def fitted(tmp_path, text=MEASURED):
    (tmp_path / "measured.csv").write_text(text)
    out, console = tmp_path / "fitted.yaml", Console(file=io.StringIO(), width=140)
    fit_command(tmp_path / "measured.csv", out, Around(brokers=2), queues=8, everything=False, console=console)
    return out, console.file.getvalue()


def test_the_written_scenario_can_be_run_and_carries_its_evidence(tmp_path):
    out, said = fitted(tmp_path)
    assert load_scenario(out).name == "cluster of measured.csv"
    point = {"threads": 20, "message_bytes": 1024, "queues": 8, "measured_per_s": 7_600, "measured_ms": 2.63}
    measured = FitTexts.POINT(**point, per_s=0, ms=0, use="").partition(", here")[0]
    assert f"# {measured}" in out.read_text()
    assert CommandResultTexts.FIT_OF_ALL() in said
    assert CommandResultTexts.FIT_ASSUMED(what="spread of the").removesuffix(".") in said


def test_a_file_that_is_there_is_not_overwritten(tmp_path):
    (tmp_path / "fitted.yaml").write_text("mine")
    with raises(InputError, Says("command.file-exists", out=tmp_path / "fitted.yaml")):
        fitted(tmp_path)
    assert (tmp_path / "fitted.yaml").read_text() == "mine"
