"""What the page of an advice says beside its figures."""

from __future__ import annotations

from state.texts import Text


class AdvicePageTexts:
    """What the page of an advice says beside its figures."""

    COMPARISONS = Text(
        "{settings:,} {settings:setting|settings} are compared with each other: some differences are shown by chance, "
        "fewer with more --seeds. Check your choice with `sendlab whatif` and other seeds."
    )
    DOMINATES = Text(
        "A setting dominates another that is shown to be worse in one figure, does not measure better in any, each "
        "figure being the mean of all situations, and is not shown to be better in any single situation. Differences "
        "under 2 % count as none, and so do those under {least}."
    )
    NOT_TRIED = Text("Not tried: {name}: {why}")
    NO_COST = Text("nothing: these are the current settings")
    NO_GAIN = Text("none shown over the current settings")
    PAIRED = Text(
        "{seeds:,} {seeds:seed|seeds} for each setting and situation, the same for all: {runs:,} {runs:run|runs}. "
        "Arrivals, service times and the affected broker are shared, so differences are paired; ± and what is called "
        "shown is Student's t over seeds, {confidence:g} %."
    )
