"""A text of a log that is not the value that it should be."""

from __future__ import annotations

from state.texts import Sentence

SHOWN = 60  # characters of a value
MOST = 160  # with a hint behind it


class BadValue(ValueError):
    """`reason` is the same for all values of a kind, so that rejects can be grouped; `value` is the text."""

    def __init__(self, reason: Sentence, value: str = "") -> None:
        super().__init__(f"{reason}: {value[:MOST]!r}" if value else reason)
        self.reason, self.value = reason, value[:MOST]
