"""What several pages say at their foot."""

from __future__ import annotations

from state.texts import Text


class FrameTexts:
    """What several pages say at their foot."""

    PERCENTILES = Text("Percentiles are off by less than 1 %. Times are virtual.")
    RUNS_AND_PERCENTILES = Text("{runs:,} {runs:run|runs}. Percentiles are off by less than 1 %. Times are virtual.")
