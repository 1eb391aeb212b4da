"""The texts that programs print, as a catalogue: each has an id and named facts, and stands once.

    class FaultTexts:
        RAMP_ABOVE_FOR = Text("expected at most for, {most}, got {got}")

    FaultTexts.RAMP_ABOVE_FOR(most="10s", got="12s")  # a str, its id fault.ramp-above-for

Tests hold the id, the place and the facts of what is printed (`tests.says`), so that wording can be changed alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from string import Formatter
from typing import Any

NO_FACTS: Mapping[str, Any] = {}
PLAIN = (str, int, float)  # facts of another type are kept as they are printed


class Sentence(str):
    """A text with its facts filled in. id: of the text. place: file, line and key path, where it is known."""

    id: str = ""
    place: str = ""
    facts: Mapping[str, Any] = NO_FACTS

    @classmethod
    def of(cls, text: str, id: str, place: str, facts: Mapping[str, Any]) -> Sentence:
        """The sentence `text`, with what it was made from."""
        made = cls(text)
        made.id, made.place, made.facts = id, place, facts
        return made

    def at(self, place: object) -> Sentence:
        """The same with the place before it, `PLACE: text`; the outermost place comes last."""
        whole = f"{place}: {self.place}" if self.place else f"{place}"
        return Sentence.of(f"{place}: {self}", self.id, whole, self.facts)


class Text:
    """A text of the catalogue: an attribute of a class `...Texts`, whose name and its own are the id."""

    def __init__(self, template: str) -> None:
        self.template = template
        self.id = ""

    def __set_name__(self, owner: type, name: str) -> None:
        room = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", owner.__name__.removesuffix("Texts"))
        self.id = f"{room}.{name.replace('_', '-')}".lower()

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of its facts."""
        return frozenset(name for _, name, _, _ in Formatter().parse(self.template) if name is not None)

    def __call__(self, **facts: Any) -> Sentence:
        """The sentence with these facts, and with those of sentences in it. Raises KeyError if one is missing."""
        kept = {name: fact if isinstance(fact, PLAIN) else str(fact) for name, fact in facts.items()}
        for fact in facts.values():
            kept |= fact.facts if isinstance(fact, Sentence) else NO_FACTS
        return Sentence.of(self.template.format_map(facts), self.id, "", kept)


def at(place: object, text: str) -> str:
    """`PLACE: text`; what is a sentence stays one."""
    return text.at(place) if isinstance(text, Sentence) else f"{place}: {text}"


def sentence_of(error: Exception) -> str:
    """The text of an error, as the sentence that it was made with where there is one."""
    said = getattr(error, "sentences", error.args)
    return said[0] if len(said) == 1 and isinstance(said[0], Sentence) else str(error)
