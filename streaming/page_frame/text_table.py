"""A titled table of plain texts, for a page or for Markdown."""

from __future__ import annotations

from dataclasses import dataclass

from streaming.page_frame.cell_text import is_text


@dataclass(frozen=True)
class TextTable:
    """The first column names the row."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def text_columns(self) -> frozenset[int]:
        """Places of the columns that are read as texts, from the head to the last cell."""
        return frozenset(place for row in self.rows for place, cell in enumerate(row) if is_text(cell))
