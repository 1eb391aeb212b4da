"""What is on the page, read as text."""

import errno
import re

import pytest

from simulator.experiments.texts.verdict_texts import SameBecauseTexts
from streaming.clock import clock
from streaming.errors import EnvironmentProblem, InputError
from streaming.outputs.summary_texts import SummaryTexts
from streaming.page_frame.template_texts import TemplateTexts
from streaming.report import report_command, write_report
from streaming.report.collected.data import MAX_POINTS, MAX_SHOWN, collect
from streaming.report.texts.card_texts import CardTexts
from streaming.report.texts.page_texts import PageTexts
from streaming.texts.output_texts import OutputTexts
from tests.says import Says, raises
from tests.streaming.report.fake_output import SECOND, about, write_output, write_run


def page_of(folder, **changes):
    return write_report(write_output(folder, 3_000, **changes)).read_text()


def text_of(page):
    """The page without its scripts and style."""
    return re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)


def test_page_is_one_file_that_loads_nothing(tmp_path):
    page = page_of(tmp_path)
    assert not re.search(r"""src\s*=|href\s*=(?!"#)|url\(|@import|https?://""", page)
    assert len(page) < 3_000_000


def test_default_place_is_in_the_output_folder(tmp_path, capsys):
    assert report_command(str(write_output(tmp_path, 100)), None) == 0
    assert str(tmp_path / "report.html") in capsys.readouterr().out


def test_no_other_file_is_left_behind(tmp_path):
    out = write_report(write_output(tmp_path / "run", 100), tmp_path / "new" / "page.html")
    assert [file.name for file in out.parent.iterdir()] == ["page.html"]


def test_a_place_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_report(write_output(tmp_path / "run", 100), tmp_path / "file" / "report.html")


def test_story_names_the_client_the_switch_and_the_fault(tmp_path):
    text = text_of(page_of(tmp_path))
    assert "client 4.9.8" in text
    assert "sendLatencyFaultEnable on" in text
    assert "broker-b hang (1:00 to 2:00)" in text


def test_names_cannot_become_markup(tmp_path):
    name = '</script><img src=x onerror="alert(1)">'
    group = about()["producer_groups"][0] | {"group": name}
    fault = about()["faults"][0] | {"broker": name, "label": name}
    yaml = f"name: {name}"
    page = page_of(
        tmp_path, scenario_name=name, brokers=["a", name], producer_groups=[group], faults=[fault],
        scenario_yaml=yaml, description=name, release=name, run="main",
    )  # fmt: skip
    assert "<img" not in page
    assert page.count("</script>") == 3


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"strategy": False}, CardTexts.STRATEGY_OFF()),
        ({"faults": []}, CardTexts.NO_ATTEMPT_FAILED()),
        ({"faults": []}, TemplateTexts.NO_FAULTS()),
        ({"finished": False, "clock_us": 150 * SECOND}, TemplateTexts.NOT_ALL_SIMULATED(done="2:30 of 5:00")),
    ],
)
def test_empty_parts_say_so(tmp_path, changes, sentence):
    assert sentence in text_of(page_of(tmp_path, **changes))


def test_a_run_without_rows_still_has_a_page(tmp_path):
    text = text_of(write_report(write_run(tmp_path)).read_text())
    assert CardTexts.NO_ATTEMPTS() in text
    assert PageTexts.SENDS_EMPTY() in text


def test_a_run_that_has_simulated_nothing_yet_has_no_report(tmp_path):
    with raises(InputError, Says("output.nothing-simulated")):
        report_command(str(write_run(tmp_path, clock_us=0, finished=False)), None)
    assert not (tmp_path / "report.html").exists()


def test_what_was_not_written_is_not_said_to_be_nothing(tmp_path):
    text = text_of(write_report(write_run(tmp_path, tables=["rejects"])).read_text())
    assert TemplateTexts.TABLES_NOT_WRITTEN(tables="attempts, sends, fault_items, windows") in text
    assert CardTexts.NO_ATTEMPTS_TABLE() in text
    assert PageTexts.SENDS_NOT_WRITTEN() in text
    assert SameBecauseTexts.NO_ISOLATION() not in text


def test_isolation_is_a_share_of_the_time(tmp_path):
    tile = re.search(r"<dt>Isolation</dt><dd>([\d.]+) %<small>(.*?)</small>", page_of(tmp_path))
    assert 0 < float(tile[1]) < 100
    assert tile[2] == PageTexts.AVOIDED(broker="broker-b")


def test_faults_after_the_end_are_reported(tmp_path):
    late = [{"at_us": 900 * SECOND, "label": "broker-c hang"}]
    text = text_of(page_of(tmp_path, faults=[], faults_after_end=late))
    assert PageTexts.NEVER_HAPPENS(faults="broker-c hang at 15:00") in text
    assert TemplateTexts.NO_FAULTS() not in text


@pytest.mark.parametrize("begun", [[], [about()["faults"][0] | {"at_us": 0}]])
def test_faults_that_have_not_begun_are_reported_while_it_runs(tmp_path, begun):
    coming = about()["faults"][0] | {"at_us": 200 * SECOND, "until_us": 210 * SECOND, "label": "broker-c hangs"}
    so_far = {"faults": [*begun, coming], "finished": False, "clock_us": 150 * SECOND}
    text = text_of(page_of(tmp_path, **so_far))
    assert PageTexts.STILL_TO_COME(faults="broker-c hangs at 3:20") in text
    assert (PageTexts.NO_FAULTS_YET(faults="broker-c hangs at 3:20") in text) == (not begun)
    assert PageTexts.NO_FAULTS() not in text


def test_what_was_changed_while_it_ran_is_reported(tmp_path):
    reloads = [{"at_us": 90 * SECOND, "changes": ["rate of <web>: 10/s, now 20/s"]}]
    page = page_of(tmp_path, reloads=reloads)
    assert "rate of &lt;web&gt;: 10/s, now 20/s <time>from 1:30 on</time>" in page
    assert TemplateTexts.CHANGED() not in page_of(tmp_path)


def test_tables_that_contradict_each_other_are_reported(tmp_path):
    folder = write_output(tmp_path, 1_000)
    write_run(folder, counts={"sends": 999})
    differ = OutputTexts.SENDS_DIFFER(one=999, other=1_000)
    assert f"{SummaryTexts.TOTALS_DIFFER(contradiction=differ)}." in text_of(write_report(folder).read_text())


def test_a_replay_has_no_report(tmp_path):
    with raises(InputError, Says("output.a-replay")):
        write_report(write_run(tmp_path, kind="recording"))


def test_a_full_disk_leaves_the_old_page_and_nothing_half_written(tmp_path, monkeypatch):
    out = write_report(write_output(tmp_path, 100))
    before = out.read_bytes()

    def full(self, *_, **__):
        self.write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_text", full)
    with raises(EnvironmentProblem, Says("job.disk-full", ".../report.html")):
        write_report(tmp_path)
    assert out.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir() if "part" in file.name] == []


def test_two_hours_are_cut_to_a_few_hundred_points(tmp_path):
    data = collect(write_output(tmp_path, 2_000, clock_us=7_201 * SECOND))
    assert data.series.attempts.shape[1] <= MAX_POINTS
    assert data.bin_us % SECOND == 0
    assert data.series.attempts.sum() == sum(b.attempts for b in data.summary.brokers)


def test_rows_beyond_the_clock_of_a_running_job_are_not_piled_up_at_its_end(tmp_path):
    folder = write_output(tmp_path, 3_000)
    write_run(folder, clock_us=100 * SECOND, finished=False)
    attempts = collect(folder).series.attempts.sum(axis=0)
    assert attempts[-1] < 3 * attempts[:60].mean()


def test_a_job_that_was_killed_before_its_first_record_has_a_page(tmp_path):
    folder = write_output(tmp_path, 1_000)
    write_run(folder, clock_us=0, finished=False, events={})
    assert "Not finished: 0:00 of 5:00" in text_of(write_report(folder).read_text())


def test_many_brokers_share_a_line_but_not_those_with_faults(tmp_path):
    brokers = [f"b{i:02}" for i in range(40)]
    fault = about()["faults"][0] | {"broker": "b33"}
    data = collect(write_output(tmp_path, 4_000, brokers=brokers, faults=[fault]))
    assert len(data.series.names) == MAX_SHOWN
    assert data.series.names[-1] == "29 other brokers"
    assert "b33" in data.series.names


def test_windows_give_the_same_load_as_attempts(tmp_path):
    exact = collect(write_output(tmp_path, 200_000)).series
    (tmp_path / "attempts").rename(tmp_path / "_attempts")
    series = collect(tmp_path).series
    assert (series.attempts == exact.attempts).all()
    assert (series.retries == exact.retries).all()
    assert not series.exact


def test_sixty_of_many_producers_get_a_row(tmp_path):
    group = about()["producer_groups"][0] | {"count": 10_000}
    data = collect(write_output(tmp_path, 3_000, producer_groups=[group]))
    assert len(data.sample) == 60
    assert data.sample[-1] == 9_999


@pytest.mark.parametrize(
    ("us", "text"),
    [(0, "0:00"), (61 * SECOND, "1:01"), (3_600 * SECOND, "1:00:00"), (90_061 * SECOND, "1 d 01:01:01")],
)
def test_clock(us, text):
    assert clock(us) == text
