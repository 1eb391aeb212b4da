"""The page in a real browser: pictures are drawn, nothing overflows, buttons work."""

import json
import re
from html import unescape

import pytest

from streaming.report import write_report
from tests.browser import browse
from tests.streaming.report.fake_output import SECOND, write_output, write_run

pytestmark = pytest.mark.timeout(180)

# Waits for the pictures, runs ACTION, and leaves what it measured in an attribute that --dump-dom shows.
PROBE = """<script>
(async () => {
  const root = document.documentElement, wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const figure = (name) => document.querySelector(`[data-figure="${name}"]`);
  while (!root.dataset.charts && !root.dataset.error) await wait(50);
  ACTION
  await wait(800);
  root.dataset.probe = JSON.stringify({
    error: root.dataset.error || null,
    theme: root.dataset.theme || null,
    spread: figure("latency") && figure("latency").querySelector(".scatterlayer").getBBox().width /
      figure("latency").clientWidth,
    drawn: [...document.querySelectorAll(".js-plotly-plot")].map((each) => each.dataset.figure),
    paths: document.querySelectorAll(".figure svg path").length,
    range: figure("latency") && figure("latency").layout.xaxis.range.map(Number),
    visible: Object.fromEntries([...document.querySelectorAll(".js-plotly-plot")].map(
      (each) => [each.dataset.figure, each.data.filter((trace) => trace.visible).length])),
    sideways: [...document.querySelectorAll(".wide")].filter((each) => each.clientWidth).map((each) => ({
      name: each.ariaLabel, goes_on: each.scrollWidth - each.clientWidth - each.scrollLeft > 2,
      marked: each.classList.contains("more") && (!each.previousElementSibling.matches(".sideways") ||
        !each.previousElementSibling.hidden),
    })),
    wider: root.scrollWidth - innerWidth,
    small: [...document.querySelectorAll("body *")].filter(
      (each) => each.textContent.trim() && parseFloat(getComputedStyle(each).fontSize) < 12).length,
  });
})();
</script>"""


@pytest.fixture
def look(chromium, tmp_path):
    def measured(report, width=1366, action=""):
        """Load the report in a frame, for a window cannot be as narrow as a phone; return what was measured."""
        inner = tmp_path / "probed.html"
        inner.write_text(report.read_text() + PROBE.replace("ACTION", action))
        outer = tmp_path / "outer.html"
        frame = f'<iframe src="probed.html" style="width:{width}px;height:900px"></iframe>'
        relay = """<script>
          const inner = () => document.querySelector("iframe").contentDocument.documentElement;
          setInterval(() => { document.documentElement.dataset.probe = inner().dataset.probe || ""; }, 50);
        </script>"""
        outer.write_text(frame + relay)
        size = f"--window-size={width + 40},950"
        printed = browse(chromium, tmp_path, size, "--dump-dom", outer.as_uri())
        found = re.search(r'data-probe="([^"]+)"', printed)
        assert found, f"the page did not finish: {printed[:300]}"
        return json.loads(unescape(found[1]))

    return measured


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return write_report(write_output(tmp_path_factory.mktemp("run"), 5_000))


@pytest.mark.parametrize("width", [1366, 390])
def test_all_pictures_are_drawn_without_an_error(report, look, width):
    seen = look(report, width)
    assert seen["error"] is None
    assert seen["drawn"] == ["load", "latency", "fates", "failures", "waits", "avoidance", "retries"]
    assert seen["paths"] > 50


@pytest.mark.parametrize("width", [1366, 390])
def test_page_does_not_scroll_sideways_and_has_no_tiny_text(report, look, width):
    seen = look(report, width, 'document.querySelectorAll("details").forEach((each) => each.open = true);')
    assert seen["wider"] <= 0
    assert seen["small"] == 0
    assert "producers" in seen["drawn"]


def test_a_table_that_goes_on_to_the_right_says_so_until_it_is_scrolled_there(report, look):
    narrow = look(report, 390)["sideways"]
    assert {table["name"] for table in narrow if table["goes_on"]} >= {"Brokers", "Producer groups"}
    assert all(table["marked"] == table["goes_on"] for table in narrow)
    scroll = 'document.querySelectorAll(".wide").forEach((each) => each.scrollLeft = 9999);'
    # The page hears of it with one of the next frames, which a busy machine draws late.
    scroll += 'for (let i = 0; i < 200 && document.querySelector(".wide.more"); i++) await wait(50);'
    assert not any(table["marked"] for table in look(report, 390, scroll)["sideways"])


def test_a_table_that_fits_says_nothing(report, look):
    assert not any(table["marked"] for table in look(report, 1366)["sideways"])


def test_zoom_of_one_picture_zooms_all(report, look):
    zoom = 'await Plotly.relayout(figure("load"), {"xaxis.range[0]": 1e12, "xaxis.range[1]": 1.1e12});'
    assert look(report, action=zoom)["range"] == [1e12, 1.1e12]


def test_a_broker_is_hidden_in_all_pictures(report, look):
    seen = look(report, action='document.querySelector("[data-line]").click();')
    assert seen["visible"]["load"] == 2
    assert seen["visible"]["latency"] == 2


def test_dark_theme_is_a_click(report, look):
    seen = look(report, action='document.getElementById("theme").click();')
    assert seen["theme"] == "dark"
    assert seen["error"] is None


def test_times_of_four_digits_are_not_taken_for_years(look, tmp_path):
    # 7,200 s in points of 12 s: the first stands at 6000 ms.
    folder = write_output(tmp_path / "run", 5_000, clock_us=7_200 * SECOND, duration_us=7_200 * SECOND)
    assert 0.7 < look(write_report(folder))["spread"] <= 1


def test_a_page_without_pictures_has_no_error(look, tmp_path):
    assert look(write_report(write_run(tmp_path / "run")))["error"] is None
