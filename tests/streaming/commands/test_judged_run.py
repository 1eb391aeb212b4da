"""`sendlab run --objective`: a scenario judged over several seeds, with a code and files for a pipeline."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

import pytest

from simulator.experiments.texts.verdict_texts import VerdictTexts
from streaming.outputs.summary import summarise
from tests.says import Says
from tests.simulator.small import text_of
from tests.streaming.asked import ask


@pytest.fixture
def judged(monkeypatch, capsys, tmp_path):
    file = tmp_path / "small.yaml"
    file.write_text(text_of(duration="5s"))
    plain = ("run", file, "--out", tmp_path / "out", "--engine", "plain")
    return lambda *more: ask(monkeypatch, capsys, *plain, *more)


def test_a_missed_objective_is_exit_1_and_a_failure_with_the_interval_of_eight_seeds(judged, tmp_path):
    code, said = judged("--objective", "p99_ms < 0.001", "--junit", tmp_path / "j.xml")
    suite = Xml.parse(tmp_path / "j.xml").getroot()
    message = suite.find("testcase/failure").get("message")
    assert (code, suite.get("failures"), "p99_ms" in said) == (1, "1", True)
    assert message.startswith("missed: p99_ms is ")
    assert message.endswith("95 %, 8 runs)")


def test_an_objective_that_holds_is_exit_0_beside_the_tables_of_the_run(judged, tmp_path):
    code, said = judged("--objective", "p99_ms < 500", "--seeds", 3, "--markdown", tmp_path / "s.md")
    assert (code, "finished" in said, summarise(tmp_path / "out").finished) == (0, True, True)
    assert "as it is: 3 runs" in (tmp_path / "s.md").read_text()


def test_runs_that_cannot_tell_are_exit_4_and_an_error(judged, tmp_path):
    varied = ("--set", "brokers.a.latency={exponential: {mean: 5ms}}", "--seeds", 3, "--junit", tmp_path / "j.xml")
    assert judged("--objective", "mean_ms < 0.001", *varied)[0] == 1
    mean = Xml.parse(tmp_path / "j.xml").getroot().find("testcase/failure").get("message").split()[3]
    assert judged("--objective", f"mean_ms < {mean}", *varied)[0] == 4
    assert Xml.parse(tmp_path / "j.xml").getroot().get("errors") == "1"


def test_a_group_without_messages_passes_no_bound_on_them(judged):
    quiet = ("--set", "producers.topics=[orders]", "--set", "topics.quiet={queues: 2}")
    group = ("--set", "consumers={audit: {topic: quiet, service: 1ms}}", "--seeds", 2)
    code, said = judged("--objective", "lag_max[audit] < 10", *quiet, *group)
    why = VerdictTexts.NO_MESSAGES(group="audit")
    assert (code, VerdictTexts.NOT_MEASURED(measure="lag_max[audit]", why=why) in said) == (4, True), said


def test_a_changed_key_is_judged_too(judged):
    slow = [word for broker in "abc" for word in ("--set", f"brokers.{broker}.latency={{constant: 80ms}}")]
    assert judged("--objective", "p99_ms < 50", "--seeds", 2)[0] == 0
    assert judged("--objective", "p99_ms < 50", "--seeds", 2, "--fresh", *slow)[0] == 1


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--objective", "p99 < 5"), "--objective p99 < 5: no measure named p99; known: "),
        (("--objective", "p99_ms"), Says("experiment-file.objective-expected", "--objective p99_ms")),
        (("--junit", "j.xml"), Says("command.needs-objective", option="--junit")),
        (("--seeds", "3"), Says("command.needs-objective", option="--seeds")),
        (("--objective", "p99_ms < 5", "--forever"), "leave --forever out"),
        (("--objective", "p99_ms < 5", "--source", "kafka"), "leave --source kafka out"),
        (("--objective", "lag_max[shop] < 5",), "--objective lag_max[shop] < 5: no measure named"),
        (
            ("--objective", "lag_max < 5", "--set", "consumers={audit: {topic: orders, service: 1ms}}"),
            Says("experiment-file.measure-of-one", name="lag_max", same="lag_max[audit]"),
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_judged_is_refused_before_the_run(judged, tmp_path, more, sentence):
    code, said = judged(*more)
    assert (code, sentence in said) == (2, True), said
    assert not (tmp_path / "out").exists()
