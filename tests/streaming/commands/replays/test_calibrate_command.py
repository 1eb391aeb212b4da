"""`sendlab import` and `sendlab calibrate`: from a log to a scenario, and bad input in one sentence."""

from __future__ import annotations

import gzip
import json

import pytest

from simulator.calibrate.calibrate_texts import EvidenceTexts
from simulator.scenario import load_scenario
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.command_texts import CommandTexts
from streaming.texts.fit_texts import FitTexts
from streaming.texts.import_note_texts import ImportNoteTexts
from tests.says import prints
from tests.streaming.asked import ask
from tests.streaming.importing.message_trace import HOSTS, pubs_of
from tests.streaming.recordings import TRACES

STRATEGY = ("--set", "client.release=4.9.8", "--set", "client.send_latency_fault_enable=true")


@pytest.fixture
def sendlab(monkeypatch, capsys):
    return lambda *arguments: ask(monkeypatch, capsys, *arguments)


def test_a_recording_becomes_a_scenario_that_fits_it(sendlab, tmp_path):
    out, page = tmp_path / "s3.yaml", tmp_path / "s3.html"
    code, said = sendlab("calibrate", TRACES / "live-4.9.8-s3", "-o", out, "--runs", 2, "--report", page)
    assert code == 0
    assert prints(said, CommandResultTexts.CALIBRATED_FAULT, broker="broker-b", kind="hang")
    assert "hang from 28.000 s" in said
    clock = "06:10:17.492 UTC to 06:10:21.461 UTC"  # 0 s is 06:09:49.492
    assert clock in " ".join(said.split())
    assert f"By the clock: {clock}" in " ".join(out.read_text().replace("#", "").split())
    assert "06:10:17.492" in page.read_text()
    assert CommandResultTexts.CALIBRATED_FIGURES(runs=2, within=23, figures=23) in said
    (period,) = load_scenario(out).fault_periods()
    assert (period.broker, period.kind) == ("broker-b", "hang")
    assert "8 requests of 8 producers waited: 8 timed out" in page.read_text()


def test_a_message_trace_becomes_a_scenario_though_what_failed_is_not_in_it(spark, sendlab, tmp_path):
    records = pubs_of(TRACES / "live-4.9.8-s3")[:15_000]
    with gzip.open(tmp_path / "dump.txt.gz", "wt") as file:
        file.write("".join(records) + "Pub\x01yesterday\x02")
    (tmp_path / "hosts.yaml").write_text("".join(f"{host}: {name}\n" for host, name in HOSTS.items()))
    trace = tmp_path / "trace"
    code, said = sendlab(
        "import", "message-trace", tmp_path / "dump.txt.gz", "-o", trace, "--hosts", tmp_path / "hosts.yaml", *STRATEGY
    )
    assert (code, "15,000 attempts" in said, "1 of 15,001 rows rejected" in said) == (0, True, True)
    code, said = sendlab("calibrate", trace, "-o", tmp_path / "fit.yaml", "--runs", 1, "--json")
    (fault,) = json.loads(said)["faults"]
    assert (code, fault["broker"], fault["kind"]) == (0, "broker-b", "hang")
    assert abs(fault["at_us"] - 28_487_000) < 200_000  # 28.000 s of the recording, whose zero is not a whole second


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("import", "mesage-trace", "x", "-o", "t"), "mesage-trace: no such format; did you mean message-trace?"),
        (("import", "csv", "nowhere.csv", "-o", "t"), "nowhere.csv: no such file"),
        (("import", "message-trace", "-o", "t", "--topic", "x"), CommandTexts.READ_A_TOPIC()),
        (("import", "metrics", "x", "-o", "t"), "x: no such file"),
        (("import", "csv", "-o", "t"), CommandTexts.NO_FILE_GIVEN()),
        (("calibrate", "nowhere", "-o", "s.yaml"), "nowhere: no such recording"),
        (("calibrate", ".", "-o", "s.yaml"), FitTexts.TRACE_EXPECTED().at(".")),
        (("calibrate", "x", "-o", "s.yaml", "--set", "release"), "--set release: expected KEY=VALUE"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(sendlab, tmp_path, monkeypatch, arguments, sentence):
    if arguments[1] == "x":
        arguments = ("calibrate", TRACES / "live-4.9.8-s10", *arguments[2:])
    monkeypatch.chdir(tmp_path)
    code, said = sendlab(*arguments)
    assert code == 2
    assert sentence in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("client.relase=4.9.8", CommandTexts.CLIENT_KEY_EXPECTED(near="").at("--set client.relase")),
        ("client.release=4.9.9", "live-4.9.8-s10: client.release: no release"),
        ("client.send_msg_timeout=[1", "--set client.send_msg_timeout:"),
        ("client.send_latency_fault_enable=on", "live-4.9.8-s10: client.send_latency_fault_enable:"),
    ],
)
def test_a_setting_that_is_wrong_is_one_sentence(sendlab, tmp_path, change, sentence):
    code, said = sendlab("calibrate", TRACES / "live-4.9.8-s10", "-o", tmp_path / "s.yaml", "--set", change)
    assert (code, sentence in said) == (2, True)
    assert not (tmp_path / "s.yaml").exists()


def test_a_file_that_is_there_is_kept(sendlab, tmp_path):
    (tmp_path / "mine.yaml").write_text("mine")
    code, said = sendlab("calibrate", TRACES / "live-4.9.8-s10", "-o", tmp_path / "mine.yaml")
    assert (code, CommandTexts.ALREADY_THERE() in said) == (2, True)
    assert (tmp_path / "mine.yaml").read_text() == "mine"


def test_a_folder_that_is_no_trace_is_kept(sendlab, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    code, said = sendlab("import", "recording", TRACES / "live-4.9.8-s10", "-o", tmp_path, "--fresh")
    assert (code, CommandTexts.NOT_A_TRACE().at(tmp_path) in said) == (2, True)


def test_an_import_can_be_tried_again_where_one_failed(sendlab, tmp_path):
    log, header = tmp_path / "log.csv", "time,producer,topic,broker,latency_ms,outcome\n"
    log.write_text(header + "1795241400,p,t,b,1,SENT_OK\n")
    code, said = sendlab("import", "csv", log, "-o", tmp_path / "t")
    assert (code, prints(said, CommandResultTexts.ALL_REJECTED, rejects=1)) == (2, True)
    log.write_text(header + "1795241400,p,t,b,1,SEND_OK\n")
    assert sendlab("import", "csv", log, "-o", tmp_path / "t")[0] == 0


def test_metrics_are_put_into_a_trace_and_beside_its_load(sendlab, tmp_path):
    trace, scrapes = tmp_path / "t", tmp_path / "scrapes.txt"
    assert sendlab("import", "recording", TRACES / "live-4.9.8-s2", "-o", trace)[0] == 0
    zero_s = json.loads((trace / "trace.json").read_text())["zero_us"] / 1e6
    sample = 'rocketmq_brokeruntime_put_tps10{{brokerIP="10.0.0.1:10911",}} 400 {at}\n'
    scrapes.write_text("".join(sample.format(at=int((zero_s + s) * 1000)) for s in (10, 20, 30)))
    (tmp_path / "hosts.yaml").write_text("10.0.0.1: broker-a\n")
    code, said = sendlab("import", "metrics", scrapes, "-o", trace, "--hosts", tmp_path / "hosts.yaml")
    counts = {"samples": 3, "brokers": 1, "scrapes": 3, "rejected": 0}
    assert (code, prints(said, ImportNoteTexts.SAMPLES, **counts)) == (0, True)
    code, said = sendlab("calibrate", trace, "-o", tmp_path / "s.yaml", "--runs", 1, "--json")
    load = json.loads(said)["load"]["broker-a"]
    assert (code, load["said_per_s"], load["scrapes"]) == (0, 400, 3)
    assert load["seen_percent"] == pytest.approx(100 * load["seen_per_s"] / 400, abs=0.1)
    assert prints((tmp_path / "s.yaml").read_text().replace("#", ""), EvidenceTexts.STORED, stored="400.0")
