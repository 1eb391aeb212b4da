"""What is printed about durations, sizes and rates."""

from __future__ import annotations

from state.texts import Text


class UnitTexts:
    """What is printed about durations, sizes and rates."""

    CLOCK = Text("{expected}; a time of the run is written as a duration since its begin, such as 1m30s")
    DECIMAL_COMMA = Text("{expected}; decimals begin with a point")
    ENDLESS_RATE = Text("{rate} events per second have no finite decimal in any unit of a rate")
    EXPECTED = Text("expected a {noun} such as {example}, got {got}")
    UNIT_MISSING = Text("{expected}: the unit is missing ({units})")
    UNKNOWN_UNIT = Text("{expected}: unknown unit {unit}; known: {units}")
    WHOLE = Text("expected a {noun} of whole {unit}, got {got}")
