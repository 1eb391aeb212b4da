"""What a test expects to be printed: the id of a text, its place and facts, and not its wording."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from state.texts import Sentence, Text, sentence_of

ROOT = Path(__file__).parents[1]
PACKAGES = ("simulator", "state", "streaming")


class Says:
    """Equal to a sentence with that id, at that place if one is given, and with these facts.

    A place that begins with `...` is the end of the sentence's. Facts are compared as they are printed.
    """

    def __init__(self, id: str, place: str = "", /, **facts: Any) -> None:
        self.id, self.place, self.given = id, place, facts
        self.facts = {name: str(fact) for name, fact in facts.items()}

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

    def is_printed_in(self, output: str) -> bool:
        """Whether an output has its text, after its place and with these facts."""
        return prints(output, text_of_id(self.id), self.place, **self.given)

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
def raises(kind: type[Exception] | tuple[type[Exception], ...], says: Says | str) -> Iterator[None]:
    """What is done raises an error of that kind that says that."""
    with pytest.raises(kind) as caught:
        yield
    assert says in Said(caught.value)


class Printed(str):
    """What a command prints: `says in Printed(output)` holds if the text of that id is in it."""

    def __contains__(self, wanted: object) -> bool:
        return wanted.is_printed_in(self) if isinstance(wanted, Says) else super().__contains__(str(wanted))


def prints(output: str, text: Text, place: str = "", /, **facts: Any) -> bool:
    """Whether a text of the catalogue is in an output, after this place if one is given, which may begin with `...`.

    It has these facts; others may be anything, and lines may break.
    """
    assert facts.keys() <= text.names, f"{text.id} has no {facts.keys() - text.names}"
    parts = [re.escape(f"{place.removeprefix('...')}: " if place else "")]
    for literal, name, form, conversion in Formatter().parse(text.template):
        parts.append(re.escape(literal))
        if name is not None:
            shown = f"{{{name}{'!' + conversion if conversion else ''}{':' + form if form else ''}}}"
            parts.append(re.escape(Text(shown)(**{name: facts[name]})) if name in facts else ".*?")
    pattern = re.sub(r"(?:\\[ \n]|\s)+", r"\\s+", "".join(parts))
    return re.search(pattern, output, re.DOTALL) is not None


@cache
def text_of_id(id: str) -> Text:
    """The text of the catalogue with that id. Raises LookupError if there is none."""
    owner = re.compile(rf"^class ({id.partition('.')[0].replace('-', '')}Texts)\b", re.IGNORECASE | re.MULTILINE)
    for path in (path for name in PACKAGES for path in sorted((ROOT / name).rglob("*_texts.py"))):
        if found := owner.search(path.read_text("utf-8")):
            module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            for text in vars(getattr(module, found[1])).values():
                if isinstance(text, Text) and text.id == id:
                    return text
    raise LookupError(f"no text of the catalogue is {id}")
