"""What a test expects to be printed: the id of a text, its place and facts, and not its wording."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from string import Formatter
from typing import Any

import pytest

from simulator.texts import Sentence, Text, sentence_of


class Says:
    """Equal to a sentence with that id, at that place if one is given, and with these facts.

    A place that begins with `...` is the end of the sentence's. Facts are compared as they are printed.
    """

    def __init__(self, id: str, place: str = "", /, **facts: Any) -> None:
        self.id, self.place, self.facts = id, place, {name: str(fact) for name, fact in facts.items()}

    def below(self, place: str) -> Says:
        """The same where the place begins with `place`."""
        return Says(self.id, f"{place}{self.place.removeprefix('...')}".removesuffix(": "), **self.facts)

    def is_said_by(self, sentence: str) -> bool:
        """Whether that is the sentence."""
        if not isinstance(sentence, Sentence) or sentence.id != self.id:
            return False
        place, own = sentence.place, self.place
        at_place = place.endswith(own[3:]) if own.startswith("...") else own in ("", place)
        return at_place and all(str(sentence.facts.get(name)) == fact for name, fact in self.facts.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and self.is_said_by(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        facts = "".join(f", {name}={fact!r}" for name, fact in self.facts.items())
        return f"Says({self.id!r}, {self.place!r}{facts})"


class Said:
    """What an error or a sentence says: `says in Said(error)` holds for any of its sentences and their parts.

    A text is looked for in all of it.
    """

    def __init__(self, error: Exception | str) -> None:
        self.error = error
        own = (error,) if isinstance(error, str) else getattr(error, "sentences", None) or (sentence_of(error),)
        self.sentences: tuple[str, ...] = own

    def __contains__(self, wanted: Says | str) -> bool:
        if isinstance(wanted, Says):
            return any(wanted.is_said_by(part) for sentence in self.sentences for part in _with_parts(sentence))
        return wanted in str(self.error)

    def __eq__(self, other: object) -> bool:
        return self.sentences[0] == other if isinstance(other, Says) else str(self.error) == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = [f"{each!r} ({getattr(each, 'id', '')}, {dict(getattr(each, 'facts', {}))})" for each in self.sentences]
        return f"Said({', '.join(parts)})"


def _with_parts(sentence: str) -> Iterator[str]:
    yield sentence
    for part in getattr(sentence, "parts", ()):
        yield from _with_parts(part)


def below(place: str, text: Says | str) -> Says | str:
    """What is expected with a place before it; a plain text may be one that is in no catalogue."""
    return text.below(place) if isinstance(text, Says) else f"{place.removeprefix('...')}{text}"


@contextmanager
def raises(kind: type[Exception], says: Says) -> Iterator[None]:
    """What is done raises an error of that kind that says that."""
    with pytest.raises(kind) as caught:
        yield
    assert says in Said(caught.value)


def prints(output: str, text: Text, **facts: Any) -> bool:
    """Whether a text of the catalogue is in an output, with these facts; others may be anything, lines may break."""
    parts = []
    for literal, name, form, conversion in Formatter().parse(text.template):
        parts.append(re.escape(literal))
        if name is not None:
            shown = f"{{{name}{'!' + conversion if conversion else ''}{':' + form if form else ''}}}"
            parts.append(re.escape(shown.format(**facts)) if name in facts else ".*?")
    assert facts.keys() <= text.names, f"{text.id} has no {facts.keys() - text.names}"
    pattern = re.sub(r"(?:\\[ \n]|\s)+", r"\\s+", "".join(parts))
    return re.search(pattern, output, re.DOTALL) is not None
