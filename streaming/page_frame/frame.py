"""A whole page from its parts: one file that needs nothing from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from streaming.own_version import sendlab_version
from streaming.page_frame.plotly_text import packed_plotly

HERE = files("streaming.page_frame")
NO_SCRIPT = '<noscript><p class="empty">The pictures need JavaScript. All tables are readable without.</p></noscript>'
STILL = (HERE / "still.js").read_text("utf-8")  # draws every picture once: they are looked at, not moved


@dataclass(frozen=True)
class Page:
    """What is put into the frame: title, brand and heading as plain text, the rest as HTML.

    pictures: what the script draws, as JSON; None for a page without any. above: what stands over the heading.
    style, script: after those that every page has.
    """

    title: str
    brand: str
    heading: str
    story: str
    main: str
    footer: str
    script: str
    pictures: Mapping[str, Any] | None = None
    has_plotly: bool = True
    style: str = ""
    above: str = ""


def framed(page: Page) -> str:
    """The page as text."""
    return Template((HERE / "frame.html").read_text("utf-8")).substitute(
        title=escape(page.title),
        style=(HERE / "style.css").read_text("utf-8") + page.style,
        above=page.above,
        brand=escape(page.brand),
        heading=escape(page.heading),
        story=page.story,
        main=page.main if page.pictures is None else f"{NO_SCRIPT}\n{page.main}",
        footer=page.footer,
        version=escape(sendlab_version()),
        pictures="" if page.pictures is None else _pictures(page.pictures, page.has_plotly),
        frame_script=(HERE / "frame.js").read_text("utf-8"),
        script=page.script,
    )


def _pictures(pictures: Mapping[str, Any], has_plotly: bool) -> str:
    # "<" would let a name end the script element.
    text = json.dumps(pictures, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    plotly = packed_plotly() if has_plotly else ""
    return (
        f'<script type="application/json" id="figures">{text}</script>\n'
        f'<script type="text/plain" id="plotly">{plotly}</script>'
    )
