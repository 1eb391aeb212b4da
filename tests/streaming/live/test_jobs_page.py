"""The list of jobs in a window as wide as a laptop's: every column can be seen."""

from __future__ import annotations

import pytest

from streaming.live.loopback_server import LoopbackServer
from streaming.live.pages import Pages
from tests.browser import browse
from tests.streaming.report.fake_output import write_run

MEASURE = """
<script>
const timer = setInterval(() => {
  if (!document.querySelector("#jobs tr")) return;
  clearInterval(timer);
  const wide = document.querySelector(".wide");
  document.body.dataset.hidden = wide.scrollWidth - wide.clientWidth;
}, 50);</script>
"""


@pytest.mark.timeout(150)
def test_no_column_is_clipped_at_1440_pixels(chromium, tmp_path):
    write_run(
        tmp_path / "jobs" / ("a-rather-long-name-of-a-folder-" * 4) / "of-a-run-of-last-night-with-another-release"
    )
    pages = Pages([tmp_path / "jobs"])

    def measured(environ, start):
        more = MEASURE.encode() if environ["PATH_INFO"] == "/" else b""
        return [body + more for body in pages(environ, start)]

    server = LoopbackServer(measured, 0)
    try:
        page = browse(chromium, tmp_path, "--window-size=1440,900", "--dump-dom", f"http://127.0.0.1:{server.port}/")
    finally:
        server.close()
    assert 'data-hidden="0"' in page
