"""The report as Markdown and JSON, and the first finding where a run ends: the same sentences as on the page."""

from __future__ import annotations

import json

import pytest

from simulator.scenario import parse_scenario
from streaming.errors import InputError
from streaming.report import write_report
from streaming.report.causes import proving
from streaming.report.causes.cause_lines import cause_lines
from streaming.report.collected.data import collect
from streaming.report.page import fair_share
from streaming.report.texts.consequence_texts import ConsequenceTexts
from streaming.report.texts.page_texts import PageTexts
from tests.says import Says, raises
from tests.simulator.small import fault, text_of
from tests.streaming.asked import ask
from tests.streaming.report.pure_output import write_simulated

BUSY = text_of(
    name="busy", duration="20s", producers={"count": 4, "rate": "20/s", "rate_changes": {"15s": "30/s"}},
    client={"release": "4.9.8"}, faults=[fault("code", "5s", "3s", "b", response_code="SYSTEM_BUSY")],
    brokers={name: {"latency": {"constant": "1ms"}} for name in "abc"},
    topics={"orders": {"queues": 4, "brokers": ["a", "b"]}},
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_simulated(tmp_path_factory.mktemp("busy"), parse_scenario(BUSY))


def test_markdown_and_json_have_the_findings_of_the_page(folder):
    line = cause_lines(collect(folder))[0]
    first = line.consequences[0]
    assert "b answers SYSTEM_BUSY (F1, 0:05 to 0:08)" in line.text
    printed = json.loads(write_report(folder, format="json").read_text())
    assert printed["findings"][0] == first.as_json()
    assert printed["summary"]["total"]["failed"] == first.size
    text = write_report(folder, format="md").read_text()
    assert printed["causes"][0]["because"] == ["F1"]
    assert f"### Findings\n\n- Possibly because {line.text}, not tested:\n  - {first.text}\n" in text
    assert "| broker | attempts | share % |" in text


def test_another_format_is_refused(folder):
    with raises(InputError, Says("command.choice-expected", "--format pdf", known="html, md or json")):
        write_report(folder, format="pdf")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [(["--format", "pdf"], Says("command.choice-expected", "--format pdf")), (["--out", "."], Says("output.a-folder"))],
)
def test_what_cannot_be_written_is_refused_before_anything_is_proven(monkeypatch, capsys, folder, options, sentence):
    monkeypatch.setattr(proving, "prove_output", lambda *_: pytest.fail("causes were proven"))
    code, said = ask(monkeypatch, capsys, "report", folder, *options)
    assert (code, sentence in said) == (2, True), said


def test_a_run_prints_its_worst_cause_and_writes_all_findings_to_run_json(tmp_path, monkeypatch, capsys):
    scenario = tmp_path / "busy.yaml"
    scenario.write_text(BUSY)
    out = tmp_path / "out"
    code, said = ask(monkeypatch, capsys, "run", scenario, "--engine", "plain", "--out", out)
    written = json.loads((out / "run.json").read_text())["findings"]
    assert code == 0
    assert written[0]["kind"] == "failed"
    because = ConsequenceTexts.BECAUSE(cause="b answers SYSTEM_BUSY (F1, 0:05 to 0:08)")
    assert f"{ConsequenceTexts.FOUND()} {because}: - {written[0]['text']}" in said
    assert written[0]["without"] == {"F1": 0.0}


def test_a_rate_change_is_a_band_and_has_a_line(folder):
    page = write_report(folder).read_text()
    rate = PageTexts.RATE(group="producers", after="30/s", before="20/s")
    assert f"<b>R1</b> {rate} <time>0:15 to 0:20</time>" in page
    assert '"number": "R1"' in page or '"number":"R1"' in page


def test_an_even_share_is_by_the_queues_of_the_topics(folder):
    data = collect(folder)
    assert [fair_share(data, name) for name in "abc"] == [50, 50, 0]


def test_a_share_by_queues_is_not_given_where_it_is_not_known_what_each_topic_got(folder):
    data = collect(folder)
    data.queues.counts.clear()
    assert fair_share(data, "a") is None
