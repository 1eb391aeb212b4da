"""What is printed about a release that is not known."""

from __future__ import annotations

from state.texts import Text


class ReleaseTexts:
    """What is printed about a release that is not known."""

    UNKNOWN = Text("unknown RocketMQ release {release!r}: the nearest known is {near}")
