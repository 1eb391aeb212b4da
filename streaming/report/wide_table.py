"""A table that may be wider than the page."""

from __future__ import annotations


def wide(title: str, table: str) -> str:
    """The table in a frame that scrolls; the page's script shows the hint while there is more to the right."""
    hint = '<p class="sideways" aria-hidden="true" hidden>more columns &rarr;</p>'
    return f'{hint}<div class="wide" tabindex="0" role="group" aria-label="{title}">{table}</div>'
