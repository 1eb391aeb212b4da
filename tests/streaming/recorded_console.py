"""A console whose output a test can read."""

from __future__ import annotations

import io
from collections.abc import Callable

from rich.console import Console


def recorded(action: Callable[[Console], None]) -> str:
    """What `action` prints."""
    out = io.StringIO()
    action(Console(file=out, width=120))
    return out.getvalue()
