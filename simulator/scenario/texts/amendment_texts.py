"""What is printed about a scenario that changes while it runs."""

from __future__ import annotations

from state.texts import Text


class AmendmentTexts:
    """What is printed about a scenario that changes while it runs."""

    ADDED = Text("new, at {at}")
    ANOTHER_SCENARIO = Text("another scenario")
    CONTINUES = Text("continues until {until}")
    CONTINUES_NO_MORE = Text("continues until {until}, then no more")
    MAY_CHANGE = Text("only producers' rates and faults that have not begun can change")
    NOT_SET = Text("not set")
    NO_MORE = Text("no more")
    OTHER_VALUE = Text("{before} there, {now} now")
    REMOVED = Text("removed")
