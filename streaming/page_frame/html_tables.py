"""Tables that may be wider than the page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

LEFT = ' class="text"'
NO_BREAK = "\u00a0"
WITHIN = re.compile(r"(?<!,) (?!\()")  # a space of a figure at which it is not broken
WITH_UNIT = re.compile(r"(?<=\d) (?=(?:ms|s)\b|%)|(?<=[\d%s]) (?=± )|(?<=±) (?=\d)")
SENTENCE = 40  # letters; a column with a cell of more is read as a text


def wide(title: str, table: str) -> str:
    """The table in a frame that scrolls; the page's script shows the hint while there is more to the right."""
    hint = '<p class="sideways" aria-hidden="true" hidden>more columns &rarr;</p>'
    return f'{hint}<div class="wide" tabindex="0" role="group" aria-label="{title}">{table}</div>'


def text_table(title: str, head: Iterable[str], rows: Iterable[Iterable[str]], name: str = "") -> str:
    """A table of plain texts, which are escaped; `name`: its id."""
    body, listed = "", [list(row) for row in rows]
    texts = {place for row in listed for place, cell in enumerate(row) if is_text(cell)}
    cells = "".join(
        f'<th scope="col"{LEFT if place in texts else ""}>{escape(one)}</th>' for place, one in enumerate(head)
    )
    for first, *rest in listed:
        inner = "".join(_cell(cell, place in texts) for place, cell in enumerate(rest, 1))
        body += f'<tr><th scope="row">{breakable(first)}</th>{inner}</tr>'
    own = f" id={name}" if name else ""
    return wide(escape(title), f"<table{own}><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>")


def sentence(text: str) -> str:
    """Words as HTML in which no figure is parted from its unit, nor from the half width of its interval."""
    return escape(WITH_UNIT.sub(NO_BREAK, text))


def breakable(name: str) -> str:
    """A name as HTML that may be broken where a reader would: after an underscore, before a bracket."""
    return escape(name).replace("_", "_<wbr>").replace("[", "<wbr>[")


def is_text(cell: str) -> bool:
    """Whether a cell is words to be read, and not a figure with what belongs to it."""
    return len(cell) > SENTENCE and cell[0] not in "+-0123456789"


def _cell(text: str, in_words: bool) -> str:
    if in_words:
        return f"<td{LEFT}>{escape(text)}</td>"
    return f"<td>{escape(WITHIN.sub(NO_BREAK, text))}</td>"
