"""Where commands print: no value of a table is ever cut, whatever is at the other end."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

WIDE = 10_000  # letters of a line where nobody looks at a screen: tables are as wide as they need to be


class OutputConsole(Console):
    """A console whose tables are as wide as they need where no terminal is, and wrap on one that is narrower.

    All consoles of the product are of this class. given: as for rich's; a `width` is kept.
    """

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        if not self.is_terminal and given.get("width") is None:
            self.width = WIDE

    def print(self, *objects: Any, **how: Any) -> None:
        """Print as rich does, with cells of tables folded instead of cut."""
        for each in objects:
            if isinstance(each, Table):
                self._fold(each)
        super().print(*objects, **how)

    def _fold(self, table: Table) -> None:
        needs = Measurement.get(self, self.options.update(max_width=WIDE), table).maximum
        for column in table.columns:
            column.overflow = "fold"
            column.no_wrap = column.no_wrap and needs <= self.width
