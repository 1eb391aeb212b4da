"""What a JVM said before it ended."""

from __future__ import annotations

from pathlib import Path

MOST_BYTES = 1 << 20


class JvmLog:
    """A JVM's log, from where it ended when this was made: earlier runs write to the same file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._from = path.stat().st_size if path.exists() else 0

    def since(self) -> str:
        """What was added, its last MOST_BYTES; empty if it cannot be read."""
        try:
            with self.path.open("rb") as log:
                log.seek(max(self._from, self.path.stat().st_size - MOST_BYTES))
                return log.read().decode(errors="replace")
        except OSError:
            return ""
