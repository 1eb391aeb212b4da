"""Names as a scenario's text has them: bare where YAML reads text, else in quotes."""

from __future__ import annotations

import re

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
WORDS = ("true", "false", "yes", "no", "on", "off", "null", "y", "n")  # what YAML reads as something else


def quoted(text: str) -> str:
    """A text in double quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def name_text(text: str) -> str:
    """A name bare where YAML reads it as text, else in quotes."""
    return text if PLAIN.fullmatch(text) and text.lower() not in WORDS else quoted(text)
