"""How a verb's help ends."""

from __future__ import annotations


def examples(*lines: str) -> str:
    """Examples, a line each."""
    return "Examples:\n\n" + "\n\n".join(f"    {line}" for line in lines)
