"""What shows a result: whoever can do it says so as an entry point, for the model itself knows no reports."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from simulator.run.views.result_texts import ResultTexts

VIEWS = "sendlab.result_views"


def view(name: str) -> Callable[..., Any]:
    """The function that shows a result so. Raises LookupError if the package that has it is not installed."""
    for found in entry_points(group=VIEWS, name=name):
        shown: Callable[..., Any] = found.load()
        return shown
    raise LookupError(ResultTexts.NO_VIEW(view=name, group=VIEWS))
