"""Java's numbers, as SQL92 expressions have them: how texts become numbers, numbers texts, and what compares with what.

Source: java.lang.Integer, Long, Double (JDK 17); rocketmq 4.2.0-5.5.0, ComparisonExpression.__compare.
"""

from __future__ import annotations

import math
import re
from typing import Any

INT_MIN, INT_MAX = -(2**31), 2**31 - 1
LONG_MIN, LONG_MAX = -(2**63), 2**63 - 1
WHOLE = re.compile(r"[+-]?[0-9]+")
DOUBLE = re.compile(r"[+-]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fFdD]?)")
HEX_DOUBLE = re.compile(r"[+-]?0[xX](?:[0-9a-fA-F]+\.?|[0-9a-fA-F]*\.[0-9a-fA-F]+)[pP][+-]?[0-9]+[fFdD]?")
CONTROLS = "".join(map(chr, range(0x21)))


class JavaInt(int):
    """An Integer."""


class JavaLong(int):
    """A Long."""


class JavaError(ValueError):
    """What a Java class throws: name of its class and message."""

    def __init__(self, name: str, text: str | None = None) -> None:
        super().__init__(name if text is None else f"{name}: {text}")
        self.name = name
        self.text = text


RUNTIME = "java.lang.RuntimeException"


def number_error(text: str) -> JavaError:
    """NumberFormatException.forInputString."""
    return JavaError("java.lang.NumberFormatException", f'For input string: "{text}"')


def whole_of(text: str, kind: type[JavaInt] | type[JavaLong]) -> JavaInt | JavaLong:
    """Integer.valueOf or Long.valueOf. Raises JavaError."""
    value = int(text) if WHOLE.fullmatch(text) else None
    low, high = (INT_MIN, INT_MAX) if kind is JavaInt else (LONG_MIN, LONG_MAX)
    if value is None or not low <= value <= high:
        raise number_error(text)
    return kind(value)


def double_of(text: str) -> float:
    """Double.valueOf. Raises JavaError."""
    trimmed = text.strip(CONTROLS)
    if not trimmed:
        raise JavaError("java.lang.NumberFormatException", "empty String")
    if HEX_DOUBLE.fullmatch(trimmed):
        return float.fromhex(trimmed.rstrip("fFdD") if trimmed[-1] in "fFdD" else trimmed)
    if not DOUBLE.fullmatch(trimmed):
        raise number_error(trimmed)
    named = trimmed.lstrip("+-")
    if named in ("NaN", "Infinity"):
        return float(trimmed.replace("Infinity", "inf"))
    return float(trimmed.rstrip("fFdD"))


def double_text(value: float) -> str:
    """Double.toString."""
    if math.isnan(value) or math.isinf(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value) if "e" not in repr(value) else f"{value:.17f}".rstrip("0")
    digits, exponent = f"{value!r}e".split("e")[:2] if "e" in repr(value) else ("", "")
    if not digits:
        digits, exponent = _scientific(value)
    return f"{digits if '.' in digits else digits + '.0'}E{int(exponent)}"


def _scientific(value: float) -> tuple[str, str]:
    sign, plain = ("-", repr(-value)) if value < 0 else ("", repr(value))
    whole, _, rest = plain.partition(".")
    digits = (whole + rest).lstrip("0")
    exponent = len(whole) - 1 if whole != "0" else -(len(rest) - len(rest.lstrip("0"))) - 1
    digits = digits.rstrip("0") or "0"
    return f"{sign}{digits[0]}.{digits[1:] or '0'}", str(exponent)


def java_text(value: Any) -> str:
    """String.valueOf."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return double_text(value) if isinstance(value, float) else str(value)


def compared(left: Any, right: Any) -> int:
    """Below, at or above 0, as left is to right; -1 for kinds that do not compare.

    Raises JavaError: a text that is no number, and a Boolean on the left of a text (a ClassCastException).
    """
    if type(left) is not type(right):
        found = _alike(left, right)
        if found is None:
            return -1
        left, right = found
    if isinstance(left, float) and isinstance(right, float):
        return _double_order(left, right)
    if isinstance(left, str):
        left, right = left.encode("utf-16-be", "surrogatepass"), right.encode("utf-16-be", "surrogatepass")
    return int(left > right) - int(left < right)


def _double_order(left: float, right: float) -> int:
    """Double.compareTo: -0.0 is below 0.0, NaN above everything and like itself."""
    if math.isnan(left) or math.isnan(right):
        return int(math.isnan(left)) - int(math.isnan(right))
    if left == right == 0:
        return int(math.copysign(1, left) - math.copysign(1, right)) // 2
    return int(left > right) - int(left < right)


def _alike(left: Any, right: Any) -> tuple[Any, Any] | None:
    """Both as the same kind, None where the kinds do not compare."""
    try:
        if isinstance(left, str):
            return _read_as(left, type(right)), right
        if isinstance(right, str):
            return left, _read_as_right(left, right)
    except JavaError as error:
        if error.name == "java.lang.NumberFormatException":
            raise JavaError(RUNTIME, str(error)) from None
        raise
    if isinstance(left, bool) or isinstance(right, bool):
        return None
    if isinstance(left, float) or isinstance(right, float):
        return float(left), float(right)
    return JavaLong(left), JavaLong(right)


def _read_as(text: str, kind: type) -> Any:
    if kind is bool:
        return text.lower() == "true"
    return double_of(text) if kind is float else whole_of(text, kind)


def _read_as_right(left: Any, right: str) -> Any:
    if isinstance(left, bool):
        text = (
            "class java.lang.Boolean cannot be cast to class java.lang.String"
            " (java.lang.Boolean and java.lang.String are in module java.base of loader 'bootstrap')"
        )
        raise JavaError("java.lang.ClassCastException", text)
    return _read_as(right, type(left))
