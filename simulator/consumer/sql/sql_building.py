"""What the broker builds of the parts of an SQL92 expression, and refuses to build.

Source: rocketmq 4.2.0-5.5.0, ComparisonExpression.create*, ConstantExpression, SelectorParser.asBooleanExpression.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from simulator.consumer.sql.java_values import (
    INT_MAX,
    RUNTIME,
    JavaError,
    JavaInt,
    JavaLong,
    compared,
    double_text,
    java_text,
    whole_of,
)
from simulator.consumer.sql.sql_expression import (
    BooleanCast,
    Constant,
    Equal,
    Expression,
    In,
    Logic,
    Not,
    Ordered,
    Property,
)

PARSE_EXCEPTION = "org.apache.rocketmq.filter.parser.ParseException"
TINY = 5e-324


def as_boolean(value: Expression) -> Expression:
    """A condition. Raises JavaError for a number or a text."""
    if isinstance(value, Property):
        return BooleanCast(value)
    if not value.is_boolean:
        raise JavaError(PARSE_EXCEPTION, f"Expression will not result in a boolean value: {value}")
    return value


def decimal_of(text: str) -> Constant:
    """A whole number: an Integer where it fits, else a Long. Raises JavaError beyond a Long."""
    value = whole_of(text.rstrip("lL"), JavaLong)
    return Constant(JavaInt(value) if value <= INT_MAX else value)


def float_of(text: str) -> Constant:
    """A Double. Raises JavaError for 0.0, which is below the smallest one above 0, and beyond the greatest."""
    value = float(text)
    if value > sys.float_info.max:
        raise JavaError(RUNTIME, f"{text} is greater than {double_text(sys.float_info.max)}")
    if value < TINY:
        raise JavaError(RUNTIME, f"{text} is less than 4.9E-324")
    return Constant(value)


def equal_to(left: Expression, right: Expression) -> Expression:
    """`=`. Raises JavaError for NULL, and for TRUE or FALSE on the left of a number or a text."""
    for each in (left, right):
        if isinstance(each, Constant) and each.value is None:
            raise JavaError(RUNTIME, f"'{each}' cannot be compared.")
    if isinstance(left, Constant) and isinstance(right, Constant) and left.is_boolean and not right.is_boolean:
        raise JavaError(RUNTIME, f"'{left}' cannot be compared with '{right}'")
    return Equal(left, right)


def ordered(symbol: str, left: Expression, right: Expression) -> Expression:
    """`>`, `>=`, `<` or `<=`. Raises JavaError for a literal that is no number, and for a condition."""
    for each in (left, right):
        is_number = isinstance(each, Constant) and isinstance(each.value, int | float) and not each.is_boolean
        if (isinstance(each, Constant) and not is_number) or (not isinstance(each, Constant) and each.is_boolean):
            raise JavaError(RUNTIME, f"Value '{each}' cannot be compared.")
    return Ordered(symbol, left, right)


def between(value: Expression, low: Expression, high: Expression) -> Expression:
    """BETWEEN. Raises JavaError for literals in the wrong order."""
    if isinstance(low, Constant) and isinstance(high, Constant):
        if low.value is None or high.value is None:
            raise JavaError(RUNTIME, "Illegal values of between, values can not be null!")
        if compared(high.value, low.value) < 0:
            first, second = java_text(low.value), java_text(high.value)
            text = f"left value({first}) must less than or equal to right value({second})"
            raise JavaError(RUNTIME, f"Illegal values of between, {text}")
    return Logic("&&", ordered(">=", value, low), ordered("<=", value, high))


def not_between(value: Expression, low: Expression, high: Expression) -> Expression:
    """NOT BETWEEN: either side of it, in whatever order the two are."""
    return Logic("||", ordered("<", value, low), ordered(">", value, high))


def in_list(left: Expression, elements: Sequence[str], is_not: bool) -> Expression:
    """IN and NOT IN. Raises JavaError for what is no property."""
    if not isinstance(left, Property):
        raise JavaError(RUNTIME, f"Expected a property for In expression, got: {left}")
    return In(left, tuple(elements), is_not)


def is_null(left: Expression, is_not: bool) -> Expression:
    """IS NULL and IS NOT NULL."""
    found = Equal(left, Constant(None))
    return Not(found) if is_not else found
