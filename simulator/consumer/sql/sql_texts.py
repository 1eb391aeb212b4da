"""What is printed about an expression that distinguishes too much."""

from __future__ import annotations

from state.texts import Text


class SqlTexts:
    """What is printed about an expression that distinguishes too much."""

    TOO_MANY_COMBINATIONS = Text("it distinguishes {count:,} combinations of values; expected at most {most:,}")
