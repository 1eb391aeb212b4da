"""What is printed about an orderTopicConf that cannot be read."""

from __future__ import annotations

from state.texts import Text


class RouteTexts:
    """What is printed about an orderTopicConf that cannot be read."""

    NOT_A_BROKER_AND_NUMBER = Text("orderTopicConf {conf!r}: {part!r} is not broker:number")
