"""What people see on a terminal while a command reads or simulates; a pipe gets nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console


@contextmanager
def working(console: Console, text: str) -> Iterator[None]:
    """Show a spinner and what is being done; takes the line away at the end, also when something fails."""
    if not console.is_terminal:
        yield
        return
    with console.status(text):
        yield
