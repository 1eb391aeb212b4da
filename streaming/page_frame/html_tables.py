"""Tables that may be wider than the page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

SENTENCE = 40  # letters; a cell with more is read as a text


def wide(title: str, table: str) -> str:
    """The table in a frame that scrolls; the page's script shows the hint while there is more to the right."""
    hint = '<p class="sideways" aria-hidden="true" hidden>more columns &rarr;</p>'
    return f'{hint}<div class="wide" tabindex="0" role="group" aria-label="{title}">{table}</div>'


def text_table(title: str, head: Iterable[str], rows: Iterable[Iterable[str]], name: str = "") -> str:
    """A table of plain texts, which are escaped; `name`: its id."""
    cells = "".join(f'<th scope="col">{escape(one)}</th>' for one in head)
    body = ""
    for first, *rest in rows:
        body += f'<tr><th scope="row">{escape(first)}</th>{"".join(map(_cell, rest))}</tr>'
    own = f" id={name}" if name else ""
    return wide(escape(title), f"<table{own}><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>")


def _cell(text: str) -> str:
    return f'<td class="text">{escape(text)}</td>' if len(text) > SENTENCE else f"<td>{escape(text)}</td>"
