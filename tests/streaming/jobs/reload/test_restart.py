"""A changed scenario when a job begins again: what a job without an end takes over, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from simulator.scenario import parse_scenario
from streaming.errors import InputError
from streaming.jobs.claim import claimed
from streaming.jobs.job import FOREVER, Options
from streaming.jobs.reload.change_log import ChangeLog
from streaming.jobs.reload.reload_request import Request, answered, ask
from streaming.jobs.requested_reloads import RequestedReloads
from streaming.jobs.scenario_job import scenario_job
from streaming.texts.job_texts import JobTexts
from tests.says import Says, raises
from tests.simulator.small import fault, text_of
from tests.streaming.asked import ask as sendlab
from tests.streaming.asked import begin_run, job_of, picture_of


def begun(out, step=10, **changes):
    """A job without an end that was killed after a micro-batch of ten steps."""
    checkpoint = begin_run(out, job_of(duration=FOREVER, **changes))
    for log in ("offsets", "commits"):
        (checkpoint.spark / log).mkdir(parents=True)
    (checkpoint.spark / "offsets" / "0").write_text(f'v1\n{{}}\n{{"step": {step}}}')
    (checkpoint.spark / "commits" / "0").write_text('v1\n{"nextBatchWatermarkMs":0}')
    (checkpoint.spark / "metadata").write_text('{"id": "x"}')
    return checkpoint


def restarted(out, **changes):
    """What the same command with a changed scenario runs."""
    with claimed(job_of(duration=FOREVER, **changes), Options(out=out, partitions=1, forever=True)) as claim:
        return claim


def test_a_changed_rate_holds_from_the_next_micro_batch_on(tmp_path):
    begun(tmp_path)
    claim = restarted(tmp_path, producers={"rate": "20/s"})
    ((step, text),) = claim.job.run.spec.later
    assert (step, parse_scenario(text).producers[0].rate_changes) == (10, ((10_000_000, 20),))
    assert claim.lines == ("changed from 0:10 on: rate of producers: 10/s, now 20/s",)
    assert json.loads((tmp_path / "run.json").read_text())["reloads"][0]["at_us"] == 10_000_000


def test_it_goes_on_as_it_was_changed_to_with_either_scenario(tmp_path):
    begun(tmp_path)
    changed = restarted(tmp_path, producers={"rate": "20/s"}).job
    again, first = restarted(tmp_path, producers={"rate": "20/s"}), restarted(tmp_path)
    assert again.job.run.spec == first.job.run.spec == changed.run.spec
    assert "this scenario differs" in first.lines[0]
    assert "differs" not in again.lines[0]


def test_what_may_not_change_is_refused_and_nothing_is_touched(tmp_path):
    begun(tmp_path)
    before = picture_of(tmp_path)
    with raises(InputError, "seed: 3 there, 4 now"):
        restarted(tmp_path, seed=4)
    assert picture_of(tmp_path) == before


@pytest.mark.parametrize(
    ("options", "changes"),
    [
        ({"speed": 10.0}, {}),
        ({"max_events": 77, "keep_us": 10**12, "restarts": 3, "master": "local[1]", "memory": "2g"}, {}),
        ({}, {"faults": [fault("hang", "200s", "5s")]}),
    ],
)
def test_what_may_change_from_one_start_to_the_next_is_taken(tmp_path, options, changes):
    begun(tmp_path)
    asked = Options(out=tmp_path, partitions=1, forever=True)
    with claimed(job_of(duration=FOREVER, **changes), replace(asked, **options)) as claim:
        assert (claim.reached.until_us, len(claim.lines)) == (10_000_000, len(changes))


FOUR = {name: {"latency": {"constant": "2ms"}} for name in "abcd"}


@pytest.mark.parametrize(
    ("options", "changes", "sentence"),
    [
        ({}, {"brokers": FOUR}, "brokers.d"),
        ({}, {"client": {"release": "5.3.3"}}, "client.release: 4.9.8 there, 5.3.3 now"),
        ({}, {"faults": [fault("hang", "2s", "5s")]}, Says("reading.fault-in-the-past", at="2s", now="10s")),
        ({"partitions": 3}, {}, "partitions: 1 there, 3 now"),
    ],
)
def test_what_may_not_is_refused_by_its_name(tmp_path, options, changes, sentence):
    begun(tmp_path)
    asked = replace(Options(out=tmp_path, partitions=1, forever=True), **options)
    with raises(InputError, sentence), claimed(job_of(duration=FOREVER, **changes), asked):
        pass


def test_who_forgets_forever_is_reminded(tmp_path):
    with claimed(job_of(duration=FOREVER), Options(out=tmp_path, forever=True)):
        pass
    with (
        raises(
            InputError,
            Says(
                "job.output-of-another-run",
                found=JobTexts.OTHER_VALUE(key="duration", stored=JobTexts.NO_END(), wanted="2s"),
                hint=JobTexts.WITHOUT_END(),
            ),
        ),
        claimed(job_of(), Options(tmp_path)),
    ):
        pass


def test_a_run_that_has_an_end_is_not_changed_by_its_own_command(tmp_path):
    begin_run(tmp_path, job_of())
    with (
        raises(InputError, Says("job.output-of-another-run")),
        claimed(job_of(producers={"rate": "20/s"}), Options(out=tmp_path)),
    ):
        pass


def test_starting_over_forgets_the_changes(tmp_path):
    checkpoint = begun(tmp_path)
    restarted(tmp_path, producers={"rate": "20/s"})
    with claimed(job_of(), Options(out=tmp_path, fresh=True)) as claim:
        assert claim.job.run.spec.later == ()
    assert not (checkpoint.folder / "reloads.json").exists()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "output.file-unreadable"),
        ("[]", "output.file-damaged"),
        ("{}", "job.changes-damaged"),
        ('{"reloads": [{"at_us": 1}]}', "job.changes-damaged"),
        ('{"reloads": []}', "job.changes-damaged"),
    ],
)
def test_a_damaged_list_of_changes_is_refused(tmp_path, content, says):
    checkpoint = begun(tmp_path)
    (checkpoint.folder / "reloads.json").write_text(content)
    with raises(InputError, Says(says, ".../reloads.json")):
        restarted(tmp_path)


def test_the_command_changes_a_job_that_does_not_run(monkeypatch, capsys, tmp_path):
    checkpoint = begun(tmp_path / "out")
    file = tmp_path / "changed.yaml"
    file.write_text(text_of(duration="9s", faults=[fault("hang", "5s", "1s")]))
    code, said = sendlab(monkeypatch, capsys, "reload", tmp_path / "out", file)
    assert (code, Says("reading.fault-in-the-past", at="5s", now="10s") in said) == (2, True), said
    code, said = sendlab(monkeypatch, capsys, "reload", tmp_path / "out", file, "--from-now")
    assert (code, "changed from 0:10 on: b hangs: new, at 15s" in said) == (0, True), said
    assert ChangeLog.of(checkpoint).now.faults[0].at_us == 15_000_000
    assert "duration stays" not in said


@pytest.mark.parametrize(
    ("changes", "sentence"), [({"seed": 4}, ""), ({"client": {"release": "5.3.3"}}, "4.9.8 there")]
)
def test_a_running_job_answers_what_it_is_asked(tmp_path, changes, sentence):
    begun(tmp_path)
    wanted = Request(text_of(duration=FOREVER, **changes))
    with claimed(job_of(duration=FOREVER), Options(out=tmp_path, partitions=1, forever=True)) as claim:
        ask(claim.checkpoint, wanted)
        reloads = RequestedReloads(claim, print)
        reloads.look()
        found = answered(claim.checkpoint, wanted)
    assert not reloads.is_asked
    assert found is not None
    assert (sentence or "seed: 3 there, 4 now") in found.refused


def test_a_running_job_turns_when_its_query_has_ended(tmp_path):
    begun(tmp_path)
    wanted, text = Request(text_of(duration=FOREVER, producers={"rate": "20/s"})), []
    with claimed(job_of(duration=FOREVER), Options(out=tmp_path, partitions=1, forever=True)) as claim:
        reloads = RequestedReloads(claim, text.append)
        ask(claim.checkpoint, wanted)
        reloads.look()
        assert (reloads.is_asked, claim.checkpoint.stop_file.exists()) == (True, True)
        reloads.take()
        assert (reloads.is_asked, claim.checkpoint.stop_file.exists()) == (False, False)
        assert claim.source.shape.events_per_step == 20
    assert text == ["changed from 0:10 on: rate of producers: 10/s, now 20/s"]


def test_a_finished_run_has_nothing_left_to_change(tmp_path):
    checkpoint = begun(tmp_path, step=FOREVER_STEPS)
    with raises(InputError, Says("job.run-at-its-end")):
        _ = ChangeLog.of(checkpoint).planned_us


FOREVER_STEPS = scenario_job(parse_scenario(text_of(duration=FOREVER))).run.steps


def test_topics_are_changed_by_publishing(monkeypatch, capsys, tmp_path):
    checkpoint = begun(tmp_path / "out")
    manifest = checkpoint.manifest()
    next(iter(manifest["runs"].values()))["kind"] = "kafka"
    (checkpoint.folder / "run.json").write_text(json.dumps(manifest))
    code, said = sendlab(monkeypatch, capsys, "reload", tmp_path / "out", tmp_path / "x.yaml")
    assert (code, "come from Kafka" in said) == (2, True)


def test_sinks_beside_the_files_may_change(tmp_path):
    begun(tmp_path)
    options = Options(out=tmp_path, partitions=1, forever=True, sinks=("parquet", "console"))
    with claimed(job_of(duration=FOREVER), options) as claim:
        assert claim.run_file.content["sink"] == "parquet and console"
    with (
        pytest.raises(InputError, match="sink: parquet there, console now"),
        claimed(job_of(duration=FOREVER), replace(options, sinks=("console",))),
    ):
        pass
