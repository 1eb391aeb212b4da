"""What is printed of a rule that rows break."""

from __future__ import annotations

from state.texts import Text


class InvariantTexts:
    """What is printed of a rule that rows break."""

    BROKEN = Text("{table}: {rule}, {rows} {rows:row|rows}, such as {first}")
