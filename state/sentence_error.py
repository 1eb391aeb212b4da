"""The errors whose text is all that a user needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from state.texts import NO_FACTS, Sentence, sentence_of


class SentenceError(Exception):
    """An error of one sentence: a notebook shows that, and no traceback.

    id, place, facts: of the text of the catalogue that it was made with; empty for any other.
    """

    @property
    def sentence(self) -> str:
        """The sentence; the first one where there are several."""
        return sentence_of(self)

    @property
    def id(self) -> str:
        """The id of its text: `fault.ramp-above-for`."""
        return self.sentence.id if isinstance(self.sentence, Sentence) else ""

    @property
    def place(self) -> str:
        """File, line and key path, as they are printed."""
        return self.sentence.place if isinstance(self.sentence, Sentence) else ""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What the text was filled in with."""
        return self.sentence.facts if isinstance(self.sentence, Sentence) else NO_FACTS

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]  # IPython asks for this
