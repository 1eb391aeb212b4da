"""The card of the findings on the page: a cause, and its consequences beneath it."""

from __future__ import annotations

from collections.abc import Sequence

from streaming.page_frame.html_tables import sentence
from streaming.report.causes.cause_lines import CauseLine

MOST = 6  # consequences of a cause that are shown at once


def findings_card(lines: Sequence[CauseLine]) -> str:
    """The card; empty where nothing stands out."""
    if not lines:
        return ""
    items = "".join(_item(line) for line in lines)
    head = '<section class="card" aria-labelledby="title-findings"><h2 id="title-findings">Findings</h2>'
    note = "" if all(line.proven for line in lines) else _note()
    return f"{head}<ul>{items}</ul>{note}</section>"


def _note() -> str:
    return '<p class="note">Likely: not proven by a run without it; it only happened at the same time.</p>'


def _item(line: CauseLine) -> str:
    shown = [
        f'<li>{sentence(one.text)} <a href="#title-{one.place}">Look</a></li>' for one in line.consequences
    ]  # fmt: skip
    more = f"<li>{len(shown) - MOST} more</li>" if len(shown) > MOST else ""
    return f"<li><b>{sentence(line.head)}</b><ul>{''.join(shown[:MOST])}{more}</ul></li>"
