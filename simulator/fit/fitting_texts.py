"""What is printed about measured points that a cluster is fitted to."""

from __future__ import annotations

from state.texts import Text


class FittingTexts:
    """What is printed about measured points that a cluster is fitted to."""

    ONE_NUMBER_OF_THREADS = Text(
        "at least two different numbers of threads are needed: one alone and one that saturates"
    )
    SIZE_ASSUMED = Text(
        "no part of the service grows with the message size: measure a second size with as many threads"
    )
    SPREAD_ASSUMED = Text("spread of the service time (sigma {sigma:g}): measure a third number of threads in between")
