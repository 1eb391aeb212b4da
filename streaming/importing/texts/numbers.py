"""Numbers as logs write them: with a decimal point or comma, thousands apart, and a unit behind."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from streaming.importing.texts.bad_value import BadValue
from streaming.texts.import_texts import ImportTexts

POINT, COMMA = ".", ","
MARKS = {"point": POINT, "comma": COMMA}
MS_A_UNIT = {"s": 1_000.0, "ms": 1.0, "us": 1e-3, "ns": 1e-6}
UNIT_NAMES = {"s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}
WITH_UNIT = re.compile(r"(.*?\d)\s*(ns|[uµμ]s|ms|s)", re.ASCII)
PLAIN = re.compile(r"-?\d+(\.\d*)?([eE][+-]?\d+)?", re.ASCII)
EITHER = re.compile(r"\d{1,3}[.,]\d{3}", re.ASCII)
ENOUGH = 20


def _grouped(mark: str) -> re.Pattern[str]:
    """Thousands apart, by anything but the decimal mark."""
    apart = r"[.'’\s]" if mark == COMMA else r"[,'’\s]"
    return re.compile(rf"-?\d{{1,3}}({apart}\d{{3}})(\1|{apart}\d{{3}})*({re.escape(mark)}\d+)?")


GROUPED = {mark: _grouped(mark) for mark in (POINT, COMMA)}


def number_of(text: str, mark: str | None) -> float:
    """A number; `mark`: what its decimals begin with, None: not known. Raises BadValue, without the column's name."""
    if mark is None:
        mark = _own_mark(text)
    if GROUPED[mark].fullmatch(text):
        text = re.sub(r"[.'’\s]" if mark == COMMA else r"[,'’\s]", "", text)
    elif mark == COMMA and "." in text:
        raise BadValue(ImportTexts.POINT_AMONG_COMMAS(), text)
    plain = text.replace(COMMA, POINT) if mark == COMMA else text
    if not PLAIN.fullmatch(plain):
        raise BadValue(ImportTexts.NO_NUMBER(), text)
    number = float(plain)
    if not math.isfinite(number):
        raise BadValue(ImportTexts.NO_NUMBER(), text)
    return number


def milliseconds_of(text: str, mark: str | None, unit: str = "ms") -> float:
    """A duration; `unit`: of a number without one. Raises BadValue, without the column's name."""
    if found := WITH_UNIT.fullmatch(text):
        text, unit = found[1], found[2].replace("µ", "u").replace("μ", "u")
    return number_of(text, mark) * MS_A_UNIT[unit]


def decimal_mark(texts: Iterable[str]) -> str | None:
    """What the decimals of a column begin with; None if that is not clear, or differs."""
    said = [text for text in texts if POINT in text or COMMA in text]
    marks = {mark for text in said if (mark := _sure_mark(text)) is not None}
    if len(marks) == 1:
        return marks.pop()
    # Thousands apart would leave the numbers below a thousand without a mark.
    if not marks and len(said) >= ENOUGH and all(re.fullmatch(r"\d{1,3},\d{3}", text, re.ASCII) for text in texts):
        return COMMA
    return None if marks or any(COMMA in text for text in said) else POINT


def _sure_mark(text: str) -> str | None:
    last = max(text.rfind(POINT), text.rfind(COMMA))
    other = COMMA if text[last] == POINT else POINT
    if text.count(text[last]) == 1 and (other in text or not EITHER.fullmatch(text) or text.startswith("0")):
        return text[last]
    return None


def _own_mark(text: str) -> str:
    if COMMA not in text:
        return POINT
    if EITHER.fullmatch(text) and not text.startswith("0"):
        raise BadValue(ImportTexts.COMMA_OR_SEPARATOR(), text)
    return _sure_mark(text) or POINT
