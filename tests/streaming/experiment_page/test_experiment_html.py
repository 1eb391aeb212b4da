"""The page of an experiment: the verdict first, every name escaped, every picture drawn in a real browser."""

from __future__ import annotations

import json
import re
import subprocess
from html import unescape
from math import inf

import pytest

from simulator.experiments.experiment_runner import experiment
from simulator.experiments.result import ExperimentResult
from simulator.experiments.study import Study
from simulator.experiments.words import NEVER
from streaming.experiment_page.experiment_html import html
from streaming.experiment_page.markdown import markdown
from streaming.experiment_page.pictures import line_of, search_path
from streaming.page_frame.cell_text import NO_BREAK
from tests.simulator.experiments.small import loaded
from tests.streaming.experiment_page.findings import findings
from tests.streaming.page_frame.parsed import wrong_in

EVIL = '</script><b title="x">arm & co'
FAULTS = [{"at": "2s", "for": "1s", "broker": "broker-b", "kind": "hang"}]
STRATEGY = {"client.send_latency_fault_enable": True}
PROBE = """<script>
(async () => {
  const root = document.documentElement, wait = (ms) => new Promise((done) => setTimeout(done, ms));
  while (!root.dataset.charts && !root.dataset.error) await wait(50);
  THEME
  await wait(500);
  root.dataset.probe = JSON.stringify({
    error: root.dataset.error || null,
    waiting: document.querySelectorAll(".figure.waiting").length,
    drawn: document.querySelectorAll(".js-plotly-plot").length,
    wider: root.scrollWidth - innerWidth,
    ink: getComputedStyle(document.body).color,
    plotted: document.querySelector(".js-plotly-plot").layout.font.color,
  });
})();
</script>"""


@pytest.fixture(scope="module")
def result():
    arms = {"old": {}, EVIL: STRATEGY}
    find = {"smallest": "producers.threads", "in": "1..4", "such_that": ["p99_ms < 900"]}
    return experiment(loaded(arms=arms, seeds=2, set={"faults": FAULTS}, objectives=["p99_ms < 1"], find=find))


@pytest.fixture(scope="module")
def page(result):
    return html(result)


def looked_at(page, chromium, tmp_path, width, theme=""):
    """What the page measures of itself in a frame of that width."""
    (tmp_path / "page.html").write_text(page + PROBE.replace("THEME", theme))
    outer = tmp_path / "outer.html"
    outer.write_text(
        f'<iframe src="page.html" style="width:{width}px;height:900px"></iframe><script>setInterval(() => {{'
        'document.documentElement.dataset.probe = document.querySelector("iframe").contentDocument.documentElement'
        '.dataset.probe || ""; }, 50);</script>'
    )
    command = [
        chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-dev-shm-usage", "--allow-file-access-from-files", "--virtual-time-budget=60000",
        f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width + 40},950", "--dump-dom", outer.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=150, check=True)
    found = re.search(r'data-probe="([^"]+)"', done.stdout)
    assert found, done.stderr[-500:]
    return json.loads(unescape(found[1]))


def test_the_verdict_comes_first(result, page):
    body = page[page.index("<main>") :].replace(NO_BREAK, " ")
    assert unescape(re.sub(r"<[^>]+>", " ", body)).split("Verdict")[1].strip().startswith(result.verdict[0])


def test_names_are_escaped(page):
    assert EVIL not in page
    assert "<b title" not in page


def test_every_number_can_be_traced_to_its_runs(result, page):
    assert all(f'<th scope="row">{seed}</th>' in page for seed in result.study.runs_of("old"))


def test_the_experiment_and_its_scenarios_are_in_the_page(page):
    assert "such_that" in page
    assert "Scenario of old" in page


def test_a_line_can_be_seen_below_another_that_runs_where_it_does():
    looks = [(line["width"], line["dash"]) for line in map(line_of, range(6))]
    assert len(set(looks)) == 6
    assert [width for width, _ in looks] == sorted((width for width, _ in looks), reverse=True)


def test_a_search_for_a_recovery_that_runs_do_not_see_marks_it_above_all_others():
    find = {"smallest": "producers.threads", "in": "1..2", "such_that": ["recovery_s < 4"]}
    study = Study(loaded(find=find, set={"duration": "20s", "faults": [FAULTS[0] | {"at": "9s"}]}))
    for arm, recovery_s in {"as it is": 1.0, "producers.threads=1": inf, "producers.threads=2": 5.0}.items():
        for seed in range(1, 81):
            study.take(arm, seed, {"recovery_s": recovery_s})
    (dots,) = search_path(ExperimentResult(study))["data"]
    assert (dots["y"], dots["marker"]["symbol"]) == ([6.0, 5.0], ["triangle-up", "circle"])
    assert dots["customdata"] == [NEVER, "5 s"]


def test_markdown_has_the_verdict_and_the_tables(result):
    text = markdown(result)
    assert text.splitlines()[2] == f"- {result.verdict[0]}"
    assert "| p99_ms |" in text
    assert "### Paired differences to old" in text


@pytest.mark.timeout(180)
@pytest.mark.parametrize("width", [390, 1440])
def test_every_picture_is_drawn_without_an_error(page, chromium, tmp_path, width):
    seen = looked_at(page, chromium, tmp_path, width)
    assert seen["error"] is None
    assert (seen["waiting"], seen["drawn"]) == (0, page.count('class="figure waiting"'))
    assert seen["wider"] <= 0


@pytest.mark.timeout(180)
def test_the_pictures_follow_the_theme(page, chromium, tmp_path):
    press = 'document.getElementById("theme").click();'
    light, dark = (looked_at(page, chromium, tmp_path, 900, theme) for theme in ("", press))
    assert light["ink"] != dark["ink"]
    assert light["plotted"] != dark["plotted"]


@pytest.mark.timeout(180)
@pytest.mark.parametrize("width", [390, 1440])
def test_nobody_stumbles_in_the_page(page, chromium, tmp_path, width):
    assert findings(page, chromium, tmp_path, width) == []


def test_a_stumbling_block_would_be_found(page, chromium, tmp_path):
    worse = page.replace("</main>", '<button></button><p style="color:#999;background:#aaa">pale</p></main>')
    found = findings(worse, chromium, tmp_path, 900)
    assert [one.partition(":")[0] for one in found] == ["no name", "as it is", "other theme"]


def test_the_markup_is_whole(page):
    assert wrong_in(page) == []
