"""The texts that programs print, as a catalogue: each has an id and named facts, and stands once.

    class FaultTexts:
        RAMP_ABOVE_FOR = Text("expected at most for, {most}, got {got}")

    FaultTexts.RAMP_ABOVE_FOR(most="10s", got="12s")  # a str, its id fault.ramp-above-for

A word that goes with a number stands in both forms: "{count} {count:queue|queues}".

Tests hold the id, the place and the facts of what is printed (`tests.says`), so that wording can be changed alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from string import Formatter
from typing import Any

NO_FACTS: Mapping[str, Any] = {}
PLAIN = (str, int, float)  # facts of another type are kept as they are printed


def figure(value: float, spec: str = ",.3g") -> str:
    """A number with so many digits that count, never with an exponent: 1149.6 is 1,150 and not 1.15e+03."""
    digits = format(value, spec)
    return format(Decimal(digits), ",f") if "e" in digits else digits


class Sentence(str):
    """A text with its facts filled in. id: of the text. place: file, line and key path, where it is known.

    parts: the sentences that were filled in; its facts hold theirs, the last one's where several have the name.
    """

    id: str = ""
    place: str = ""
    facts: Mapping[str, Any] = NO_FACTS
    parts: tuple[Sentence, ...] = ()

    @classmethod
    def of(cls, text: str, id: str, place: str, facts: Mapping[str, Any], parts: Iterable[object] = ()) -> Sentence:
        """The sentence `text`, with what it was made from; of `parts` those that are sentences."""
        made = cls(text)
        made.id, made.place, made.parts = id, place, tuple(part for part in parts if isinstance(part, Sentence))
        made.facts = {**facts, **{name: fact for part in made.parts for name, fact in part.facts.items()}}
        return made

    def followed_by(self, more: str) -> Sentence:
        """The same with `more` behind it, and with the facts of that if it is a sentence."""
        facts = {**self.facts, **more.facts} if isinstance(more, Sentence) else self.facts
        return Sentence.of(f"{self}{more}", self.id, self.place, facts)

    def at(self, place: object) -> Sentence:
        """The same with the place before it, `PLACE: text`; the outermost place comes last."""
        whole = f"{place}: {self.place}" if self.place else f"{place}"
        return Sentence.of(f"{place}: {self}", self.id, whole, self.facts, self.parts)


class _Words(Formatter):
    """Formats as `str.format` does, and chooses of `{count:one|several}` the form that goes with the number."""

    def format_field(self, value: Any, format_spec: str) -> str:
        one, bar, several = format_spec.partition("|")
        if bar:
            return one if value in (1, "1") else several
        return figure(value, format_spec) if format_spec.endswith("g") else format(value, format_spec)


_WORDS = _Words()


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
        return Sentence.of(_WORDS.vformat(self.template, (), facts), self.id, "", kept, facts.values())


def at(place: object, text: str) -> str:
    """`PLACE: text`; what is a sentence stays one."""
    return text.at(place) if isinstance(text, Sentence) else f"{place}: {text}"


def without(place: object, text: str) -> str:
    """The text without `PLACE: ` before it, where that stands there; what is a sentence stays one."""
    bare = text.removeprefix(f"{place}: ")
    if not isinstance(text, Sentence) or bare == text:
        return bare
    rest = text.place.removeprefix(str(place)).removeprefix(": ")
    return Sentence.of(bare, text.id, rest, text.facts, text.parts)


def joined(separator: str, texts: Sequence[str]) -> str:
    """The texts in a row; as a sentence without an id, which has those among them as its parts."""
    return Sentence.of(separator.join(texts), "", "", NO_FACTS, texts)


def sentence_of(error: Exception) -> str:
    """The text of an error, as the sentence that it was made with where there is one."""
    said = getattr(error, "sentences", error.args)
    return said[0] if len(said) == 1 and isinstance(said[0], Sentence) else str(error)


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`; facts are those of names that are sentences."""
    if len(names) < 2:
        return names[0] if names else ""
    return Sentence.of(f"{', '.join(names[:-1])} and {names[-1]}", "", "", NO_FACTS, names)
