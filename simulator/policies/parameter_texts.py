"""Which values parameters of policies can have."""

from __future__ import annotations

from state.texts import Text


class ParameterTexts:
    """Which values parameters of policies can have."""

    AT_LEAST_1 = Text("batch and in_flight are at least 1")
    OUTSIDE_0_TO_1 = Text("extra is above 0 and below 1")
    OUTSIDE_WINDOW = Text("calls and probes are from 1 to {most}")
