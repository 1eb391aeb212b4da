"""A sheet of cards cut from reports: one page of frames, two beside each other, photographed by a headless browser."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path

from tests.browser import browse
from tests.pictures.gallery import Cards

WIDTH = 1204  # above the breadth at which a report becomes that of a phone
LIVE_SIZE = (1366, 1580)
REPORT_SIZE = (1366, 1900)  # down to the backlog of consumer groups
PATIENCE_S = 300
TRIES = 6
LIVE_MS = 20_000  # at most
VIRTUAL_MS = 6_000_000  # it flies where nothing but unpacking is under way
# Once the charts are drawn, leaves the title and one card of a report; says its height in an attribute.
CUT = """<script>
(async () => {
  const root = document.documentElement, wait = (ms) => new Promise((done) => setTimeout(done, ms));
  while (!root.dataset.charts && !root.dataset.error) await wait(50);
  const [card, titled, set] = CHOSEN;
  const all = [...document.querySelectorAll(".card")];
  const by = { results: (each) => each.querySelector(".results"),
    groups: (each) => each.querySelector("h2").textContent === "Producer groups" };
  const found = all.find(by[card] || ((each) => each.querySelector(`[data-figure="${card}"]`)));
  if (set) {
    document.querySelector(`button[data-of="${card}"][data-set="${set}"]`).click();
    await wait(300);
  }
  const sheet = document.createElement("div");
  const title = document.querySelector("h1");
  title.style.fontSize = "19px";
  title.style.whiteSpace = "nowrap";
  if (!titled) title.style.visibility = "hidden";
  sheet.append(title);
  if (["load", "latency"].includes(card)) sheet.append(document.querySelector(".legend"));
  sheet.append(found);
  for (const each of [...document.body.children]) if (each.tagName !== "SCRIPT") each.hidden = true;
  for (const each of ["header", "main", "footer"]) document.querySelector(each).style.display = "none";
  document.body.style.padding = "10px";
  document.body.append(sheet);
  for (const each of sheet.querySelectorAll(".card")) each.style.margin = "8px 0 0";
  for (const each of sheet.querySelectorAll(".wide > table:not(.results)")) each.style.fontSize = "12.5px";
  for (const each of sheet.querySelectorAll(".wide > table:not(.results) :is(th, td)")) each.style.padding = "5px";
  await wait(300);
  root.dataset.height = String(Math.ceil(sheet.getBoundingClientRect().height) + 20);
})();
</script>"""

SHEET = """<!doctype html><meta charset="utf-8">
<style>body { margin: 0; background: #f5f6f8; } main { display: grid; grid-template-columns: 1fr 1fr; }
iframe { border: 0; width: 602px; height: 900px; }</style>
<main>FRAMES</main>
<script>
(async () => {
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  for (const frame of document.querySelectorAll("iframe")) {
    const height = () => frame.contentDocument && frame.contentDocument.documentElement.dataset.height;
    while (!height()) await wait(50);
    frame.style.height = height() + "px";
  }
  await wait(300);
  document.documentElement.dataset.height = document.querySelector("main").scrollHeight;
})();
</script>"""


def photograph_page(browser: str, report: Path, picture: Path) -> None:
    """The top of a report."""
    for _ in range(TRIES):
        if 'data-charts="' in _photograph(browser, report, picture, *REPORT_SIZE):
            return
    raise RuntimeError(f"{picture.name}: this machine is too busy to draw it")


def photograph_cards(browser: str, reports: Mapping[Path, Cards], picture: Path, folder: Path) -> None:
    """The cards of reports on one sheet; `folder` is for pages in between. Raises RuntimeError if one is not there."""
    frames = []
    cells = [(report, card.partition(":"), n == 0) for report, cards in reports.items() for n, card in enumerate(cards)]
    for number, (report, (card, _, chosen), titled) in enumerate(cells):
        if titled and number % 2 and len(reports[report]) == 2:
            raise RuntimeError(f"{picture.name}: the two cards of {report.stem} would not stand beside each other")
        cut = folder / f"{picture.stem}-{number}.html"
        cut.write_text(report.read_text() + CUT.replace("CHOSEN", json.dumps([card, titled, chosen])))
        frames.append(f'<iframe src="{escape(cut.name)}"></iframe>')
    page = folder / f"{picture.stem}.html"
    page.write_text(SHEET.replace("FRAMES", "".join(frames)))
    height = 2_000
    for _ in range(TRIES):
        seen = re.search(r'data-height="(\d+)"', _photograph(browser, page, picture, WIDTH, height))
        if seen and int(seen[1]) == height:
            return
        height = int(seen[1]) if seen else height
    raise RuntimeError(f"{picture.name}: a card is not in its report, or this machine is too busy to draw it")


def photograph_plain(browser: str, page: Path, picture: Path, size: tuple[int, int]) -> None:
    """A page that is ready as soon as it is there."""
    _photograph(browser, page, picture, *size)


def photograph_live(browser: str, url: str, picture: Path, folder: Path) -> None:
    """A page that asks its server again and again, once it is drawn. Virtual time would stand still at each."""
    options = f"--window-size={LIVE_SIZE[0]},{LIVE_SIZE[1]}", f"--screenshot={picture}"
    browse(browser, folder, *options, url, patience_s=PATIENCE_S, until=f"--timeout={LIVE_MS}")


def _photograph(browser: str, page: Path, picture: Path, width: int, height: int) -> str:
    """Take the picture, and say what the page was when it was taken: it may not have been ready."""
    options = f"--window-size={width},{height}", f"--virtual-time-budget={VIRTUAL_MS}"
    asked = "--dump-dom", f"--screenshot={picture}"
    return browse(browser, page.parent, *options, *asked, page.as_uri(), patience_s=PATIENCE_S)
