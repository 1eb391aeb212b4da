"""What is printed where nothing can show a result."""

from __future__ import annotations

from state.texts import Text


class ResultTexts:
    """What is printed where nothing can show a result."""

    NO_VIEW = Text("nothing installed offers the {view} of a result (entry point {group}); install sendlab again")
