"""What a person with a keyboard, a screen reader or weak eyes would stumble over in a page, found in a real browser.

The rules are those of WCAG 2.1 AA that a program can see: names of controls and pictures, headers of tables, contrast,
regions that scroll, ids that are there twice, the order of headings, focus. Also what went to the console as an error.
"""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

from tests.browser import browse

LISTEN = "<script>window.logged = []; console.error = (...said) => window.logged.push(said.join(' '));</script>"
LOOK = """<script>
(async () => {
  const root = document.documentElement, wait = (ms) => new Promise((done) => setTimeout(done, ms));
  while (!root.dataset.charts && !root.dataset.error) await wait(50);
  document.querySelectorAll("details").forEach((each) => { each.open = true; });
  await wait(300);
  const found = [], all = (what) => [...document.querySelectorAll(what)];
  const short = (each) => each.outerHTML.slice(0, 80);
  const seen = (each) => each.getClientRects().length > 0 && getComputedStyle(each).visibility !== "hidden";
  if (root.dataset.error) found.push("error: " + root.dataset.error);
  window.logged.forEach((said) => found.push("console: " + said));
  if (!root.lang || !document.title) found.push("no language or title");
  if (all("main").length !== 1 || all("h1").length !== 1) found.push("not one main and one h1");
  const name = (each) => (each.getAttribute("aria-label") || each.textContent).trim();
  all("button, a, summary, [role=img], [role=group]").filter((e) => !name(e))
    .forEach((e) => found.push("no name: " + short(e)));
  all("th").filter((e) => !e.scope && e.textContent).forEach((e) => found.push("no scope: " + short(e)));
  const ids = all("main [id]").filter((e) => !e.closest(".js-plotly-plot")).map((e) => e.id);
  ids.filter((id, place) => ids.indexOf(id) !== place).forEach((id) => found.push("id twice: " + id));
  all("main h2, main h3, h1").map((e) => Number(e.tagName[1])).reduce((before, now) => {
    if (now > before + 1) found.push(`h${now} after h${before}`); return now; }, 0);
  all("main *").filter((e) => seen(e) && /auto|scroll/.test(getComputedStyle(e).overflowX)
    && e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0)
    .forEach((e) => found.push("scrolls without focus: " + short(e)));
  all("button, summary, [tabindex='0']").filter(seen).forEach((e) => { e.focus();
    if (document.activeElement !== e) found.push("no focus: " + short(e)); });
  const numbers = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = (c) => { const [r, g, b] = c.map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (e) => { for (; e; e = e.parentElement) { const c = numbers(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] > 0.5) return c.slice(0, 3); } return [255, 255, 255]; };
  const contrast = (theme) => all("h1, h2, h3, p, li, th, td, button, summary, footer, pre, span").filter(seen)
    .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && !e.closest(".js-plotly-plot"))
    .forEach((e) => { const [a, b] = [numbers(getComputedStyle(e).color).slice(0, 3), behind(e)].map(light);
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < 4.5) found.push(`${theme}: contrast ${ratio.toFixed(1)}: ` + short(e)); });
  contrast("as it is");
  document.getElementById("theme").click();
  await wait(300);
  contrast("other theme");
  if (root.scrollWidth > innerWidth) found.push("wider than the window");
  root.dataset.found = JSON.stringify([...new Set(found)]);
})();
</script>"""


def findings(page: str, chromium: str, folder: Path, width: int) -> list[str]:
    """What is wrong with a page in a window of that width, in both themes."""
    (folder / "page.html").write_text(page.replace("<head>", f"<head>{LISTEN}", 1) + LOOK, encoding="utf-8")
    outer = folder / "outer.html"
    outer.write_text(
        f'<iframe src="page.html" style="width:{width}px;height:900px"></iframe><script>setInterval(() => {{'
        'document.documentElement.dataset.found = document.querySelector("iframe").contentDocument.documentElement'
        '.dataset.found || ""; }, 50);</script>'
    )
    text = browse(chromium, folder, f"--window-size={width + 40},950", "--dump-dom", outer.as_uri(), patience_s=150)
    seen = re.search(r'data-found="([^"]+)"', text)
    assert seen, text[-300:]
    return list(json.loads(unescape(seen[1])))
