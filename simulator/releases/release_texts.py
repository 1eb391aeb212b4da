"""What is printed about a release that is not known."""

from __future__ import annotations

from simulator.texts import Text


class ReleaseTexts:
    """What is printed about a release that is not known."""

    UNKNOWN = Text("unknown RocketMQ release {release!r}: the nearest known is {near}")
