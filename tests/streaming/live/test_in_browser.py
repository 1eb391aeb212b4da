"""The pages in a real browser beside a real job: numbers and pictures move, nothing is written to the console."""

from __future__ import annotations

import json
import re
import threading
import time
from queue import Queue
from urllib.parse import unquote

import pytest

from simulator.scenario import parse_scenario
from streaming.jobs.folders.checkpoint import Checkpoint
from streaming.jobs.scenario_job import scenario_job
from streaming.live.job_states import jobs_in
from streaming.live.loopback_server import LoopbackServer
from streaming.live.pages import Pages
from tests.browser import browsing
from tests.simulator.small import fault, text_of
from tests.streaming.lives import last_commit
from tests.streaming.shared import run_shared

pytestmark = pytest.mark.timeout(600)

# Every page of the server tells its errors to the page around it.
TELL = """<script>
  const tell = (...words) => parent.postMessage({ error: words.join(" ") }, "*");
  console.error = console.warn = tell;
  addEventListener("error", (event) => tell(event.message));
  addEventListener("unhandledrejection", (event) => tell(event.reason));
</script>"""
# Looks at a page until it has seen enough, and tells the server what changed; again at a page that is half drawn.
PROBE = """<!doctype html><iframe src="PAGE" style="width:1200px;height:900px"></iframe><script>
(async () => {
  const seen = [], errors = [], missed = [];
  addEventListener("message", (event) => errors.push(event.data.error));
  const looked = (page) => {
    const found = (name) => [...page.querySelectorAll(name)].map((each) => each.textContent);
    const ends = [...page.querySelectorAll(".js-plotly-plot")].map((each) => each.layout?.xaxis?.range?.[1] ?? 0);
    return { updates: Number(page.documentElement.dataset.updates || 0), states: found(".state"),
      sends: found("[data-count=sends]"), tiles: found(".tiles dd").join("|"), line: found("#live-state").join(),
      until_ms: Math.max(0, ...ends.map(Number)) };
  };
  for (let look = 0; look < LOOKS && !(seen.length && LAST); look += 1) {
    await new Promise((done) => setTimeout(done, 250));
    try {
      const now = looked(document.querySelector("iframe").contentDocument);
      if (JSON.stringify(now) !== JSON.stringify(seen.at(-1))) seen.push(now);
    }
    catch (error) { missed.push(`${error}`); }
  }
  const found = { seen: seen.slice(-40), errors, missed: missed.slice(-3) };
  await fetch("/seen?" + encodeURIComponent(JSON.stringify(found)));
})();
</script>"""
LOOKS = 480
PATIENCE_S = 200


class Probed:
    """The pages, and one that looks at them and tells what it saw."""

    def __init__(self, pages):
        self.pages, self.probe, self.seen = pages, "", Queue()

    def __call__(self, environ, start):
        if environ["PATH_INFO"] == "/seen":
            self.seen.put(json.loads(unquote(environ["QUERY_STRING"])))
        if environ["PATH_INFO"] in ("/seen", "/probe"):
            start("200 OK", [("Content-Type", "text/html; charset=utf-8")])
            return [self.probe.encode()]
        found = b"<!doctype html>" + TELL.encode()
        return [body.replace(b"<!doctype html>", found) for body in self.pages(environ, start)]


@pytest.fixture
def look(chromium, tmp_path):
    """What a browser saw of a page until a condition in JavaScript held, and the errors of the page."""
    app = Probed(Pages([tmp_path / "jobs"]))
    server = LoopbackServer(app, 0)

    def looked(page, until):
        app.probe = PROBE.replace("PAGE", page).replace("LOOKS", str(LOOKS)).replace("LAST", until)
        with browsing(chromium, tmp_path, f"http://127.0.0.1:{server.port}/probe"):
            found = app.seen.get(timeout=PATIENCE_S)
        assert found["seen"], found
        return found["seen"], found["errors"]

    yield looked
    server.close()


@pytest.fixture
def running(spark, tmp_path):
    """Ends a real job of many small micro-batches, which has had its second when the test begins."""
    changes = {"duration": "600s", "producers": {"count": 4, "rate": "50/s"}, "faults": [fault("refuse", "2s", "590s")]}
    job, out, errors = scenario_job(parse_scenario(text_of(**changes))), tmp_path / "jobs" / "live", []
    thread = threading.Thread(target=lambda: errors.append(run_shared(spark, job, out, events=800)))

    def end():
        Checkpoint(out / "_checkpoint").ask_to_stop()
        thread.join()
        assert errors == [None]

    thread.start()
    while thread.is_alive() and last_commit(out) < 1:
        time.sleep(0.05)
    yield end
    end()


def test_a_running_job_moves_and_a_dead_one_is_shown_as_killed(look, running, tmp_path):
    seen, errors = look("/", "new Set(seen.flatMap((one) => one.sends)).size > 2")
    sends = [int(each.replace(",", "")) for one in seen for each in one["sends"]]
    assert errors == []
    assert sends == sorted(sends)
    assert len(set(sends)) > 2
    assert {state for one in seen for state in one["states"]} == {"running"}

    (job,) = jobs_in([tmp_path / "jobs"])
    seen, errors = look(f"/jobs/{job.id}/", "seen.at(-1).updates > 0")
    drawn = [one for one in seen if one["until_ms"]]
    assert errors == []
    assert drawn[0]["tiles"] != drawn[-1]["tiles"]
    assert drawn[0]["until_ms"] < drawn[-1]["until_ms"]
    lines = [(one, found[1]) for one in drawn if (found := re.search(r"([\d,]+) sends", one["line"]))]
    assert len(lines) > 1
    for one, sends in lines:  # the line above the report is of its micro-batch, however far the job is
        assert f"of {sends}|" in one["tiles"], one

    running()
    seen, errors = look("/", "seen.at(-1).states.length > 0")
    assert (seen[-1]["states"], errors) == (["killed"], [])
