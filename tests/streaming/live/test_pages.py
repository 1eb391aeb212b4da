"""What the pages of `sendlab serve` answer, without a browser."""

from __future__ import annotations

import json

import pytest

from streaming.jobs.folders.folder_lock import held
from streaming.live.job_states import state_of
from streaming.live.live_report import LiveReport
from streaming.live.pages import Pages
from tests.says import Printed, Says
from tests.streaming.page_frame.parsed import wrong_in
from tests.streaming.report.fake_output import write_output, write_run, write_table


@pytest.fixture
def get(tmp_path):
    """Status and text of a path: get("/")."""
    pages = Pages([tmp_path])

    def asked(path):
        said = []
        body = pages({"PATH_INFO": path}, lambda status, headers: said.append((status, dict(headers))))
        assert said[0][1]["Cache-Control"] == "no-store"
        return said[0][0], b"".join(body).decode()

    return asked


def job_of(get):
    return json.loads(get("/jobs.json")[1])[0]


def test_the_list_tells_how_far_a_job_is(get, tmp_path):
    write_run(tmp_path / "out", finished=False, clock_us=90_000_000, counts={"sends": 7, "failures": 0, "retries": 1})
    job = job_of(get)
    assert (job["state"], job["clock_us"], job["counts"]["sends"]) == ("killed", 90_000_000, 7)
    assert job["path"] == str(tmp_path / "out")


def test_a_job_that_begins_later_is_there_when_asked_again(get, tmp_path):
    assert get("/jobs.json")[1] == "[]"
    write_run(tmp_path / "out")
    assert job_of(get)["state"] == "finished"


def test_the_page_of_a_job_is_its_report_with_a_line_that_is_kept_up_to_date(get, tmp_path):
    write_output(tmp_path / "out", sends=2000)
    status, page = get(f"/jobs/{job_of(get)['id']}/")
    assert (status, 'id="live-state"' in page, 'data-figure="latency"' in page) == ("200 OK", True, True)


def test_the_parts_of_an_open_page_are_those_of_the_report(get, tmp_path):
    write_output(tmp_path / "out", sends=2000)
    report = json.loads(get(f"/jobs/{job_of(get)['id']}/report.json")[1])
    assert report["version"] == "300000000-finished"
    assert "latency" in report["pictures"]["figures"]
    assert all(f'data-part="{name}"' in get(f"/jobs/{job_of(get)['id']}/")[1] for name in ("story", "tiles", "tables"))
    assert {"story", "tiles", "pair", "tables", "footer"} <= report["parts"].keys()


def test_how_far_a_report_is_stays_that_of_its_micro_batch_while_the_job_runs_on(get, tmp_path):
    out = write_output(tmp_path / "out", sends=2000, finished=False)
    where = f"/jobs/{job_of(get)['id']}"
    first = json.loads(get(f"{where}/report.json")[1])
    note = json.loads((out / "run.json").read_text())
    (out / "run.json").write_text(json.dumps(note | {"clock_us": note["clock_us"] + 9_000_000, "counts": {"sends": 9}}))
    again = json.loads(get(f"{where}/report.json")[1])
    assert json.loads(get(f"{where}/state.json")[1])["clock_us"] == note["clock_us"] + 9_000_000
    assert again["reached"] == first["reached"]
    assert again["version"] == f"{first['reached']['clock_us']}-killed"


def test_a_report_that_was_read_later_than_the_state_is_numbered_by_what_it_shows(tmp_path):
    out = write_output(tmp_path / "out", sends=2000, finished=False)
    before = state_of(out)
    note = json.loads((out / "run.json").read_text())
    (out / "run.json").write_text(json.dumps(note | {"clock_us": note["clock_us"] + 9_000_000}))
    version = LiveReport(out).version(before)
    assert version.number == f"{version.reached['clock_us']}-killed" == f"{note['clock_us'] + 9_000_000}-killed"


def test_a_name_cannot_write_into_the_page(get, tmp_path):
    write_output(tmp_path / "out", sends=2000, scenario_name="<script>alert(1)</script>")
    assert "<script>alert(1)" not in get(f"/jobs/{job_of(get)['id']}/")[1]


@pytest.mark.parametrize("path", ["/nothing", "/jobs/unknown/", "/jobs/../../etc/passwd", "/jobs/x/run.json"])
def test_there_is_nothing_else(get, path, tmp_path):
    write_run(tmp_path / "out")
    assert get(path)[0] == "404 Not Found"


def test_a_job_whose_note_is_damaged_is_in_the_list_and_its_page_says_why(get, tmp_path):
    (write_run(tmp_path / "out") / "run.json").write_text("{")
    job = job_of(get)
    assert (job["state"], job["path"], job["scenario_name"]) == ("damaged", str(tmp_path / "out"), None)
    status, page = get(f"/jobs/{job['id']}/")
    assert (status, Says("output.not-json", "...run.json") in Printed(page)) == ("503 Service Unavailable", True)


def test_a_job_whose_note_is_gone_is_in_the_list_and_its_page_says_so(get, tmp_path):
    (write_output(tmp_path / "out", sends=20) / "run.json").unlink()
    job = job_of(get)
    assert (job["state"], Says("output.no-run-json") in Printed(job["why"])) == ("damaged", True)


def test_a_job_that_cannot_be_read_is_reported_in_a_sentence(get, tmp_path):
    write_output(tmp_path / "out", sends=2000)
    where = f"/jobs/{job_of(get)['id']}/"
    (tmp_path / "out" / "attempts" / "run=main" / "b00000000-p0000.parquet").write_bytes(b"PAR1 no")
    status, page = get(where)
    assert (status, Says("output.table-damaged") in Printed(page)) == ("503 Service Unavailable", True)


def write_lags(folder, block, starts_s, groups, lags):
    rows = {"window_start_us": [at * 1_000_000 for at in starts_s], "consumer_group": groups, "lag": lags}
    write_table(folder, "consumer_windows", rows, block)


def test_the_list_tells_the_lag_of_each_group_of_a_running_job_at_its_newest_window(get, tmp_path):
    out = write_run(tmp_path / "out", finished=False)
    write_lags(out, 1, [0, 0], ["audit", "billing"], [900, 5])
    write_lags(out, 2, [2, 1, 1, 2], ["billing", "billing", "audit", "audit"], [1234, 40, 7, 0])
    with held(out, "busy"):
        assert job_of(get)["lags"] == {"audit": 0, "billing": 1234}
    assert job_of(get)["lags"] is None  # it does not run any more


def test_a_running_job_without_windows_of_groups_tells_no_lag(get, tmp_path):
    out = write_run(tmp_path / "out", finished=False)
    with held(out, "busy"):
        assert job_of(get)["lags"] is None


@pytest.mark.parametrize("path", ["/", "/nowhere"])
def test_the_markup_is_whole(get, path):
    assert wrong_in(get(path)[1]) == []
