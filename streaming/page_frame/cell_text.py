"""Texts that are broken where a reader would: figures stay with their units, names break at their parts."""

from __future__ import annotations

import re

from markupsafe import Markup

NO_BREAK = "\u00a0"
WITHIN = re.compile(r"(?<!,) (?!\()")  # a space of a figure at which it is not broken
WITH_UNIT = re.compile(r"(?<=\d) (?=(?:ms|s)\b|%)|(?<=[\d%s]) (?=± )|(?<=±) (?=\d)")
JOINT = re.compile(r"(?<=_)|(?=\[)|(?<=[a-z])(?=[A-Z])")  # where the parts of a name meet
SENTENCE = 40  # letters; a column with a cell of more is read as a text


def sentence(text: str) -> str:
    """Words in which no figure is parted from its unit, nor from the half width of its interval."""
    return WITH_UNIT.sub(NO_BREAK, text)


def unbroken(text: str) -> str:
    """A figure that breaks before its interval only."""
    return WITHIN.sub(NO_BREAK, text)


def breakable(name: str) -> Markup:
    """A name as HTML that may be broken where a reader would: where its parts meet."""
    return Markup("<wbr>").join(JOINT.split(name))


def is_text(cell: str) -> bool:
    """Whether a cell is words to be read, and not a figure with what belongs to it."""
    return len(cell) > SENTENCE and cell[0] not in "+-0123456789"
