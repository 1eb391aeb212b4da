"""What an SQL92 expression is once parsed, what it evaluates to, and what the broker refuses to build.

Source: rocketmq 4.2.0-5.5.0, ComparisonExpression, LogicExpression, UnaryExpression, ConstantExpression.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.client.faults.hash_order import spread
from simulator.consumer.sql.java_values import (
    RUNTIME,
    JavaError,
    JavaInt,
    JavaLong,
    compared,
    double_of,
    java_text,
)

Properties = Mapping[str, str]
HASHED_FROM = 5
ORDERS: Mapping[str, Callable[[int], bool]] = {
    ">": lambda order: order > 0,
    ">=": lambda order: order >= 0,
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
}
TEXT_TESTS: Mapping[str, Callable[[str, str], bool]] = {
    "CONTAINS": lambda text, part: part in text,
    "STARTSWITH": str.startswith,
    "ENDSWITH": str.endswith,
}


class Expression(ABC):
    """A part of an expression; `str` is its toString."""

    @property
    def is_boolean(self) -> bool:
        """Whether the broker takes it for a condition."""
        return True

    def evaluate(self, properties: Properties) -> Any:
        """Its value of a message with these properties. Raises JavaError where the class throws."""
        return self._value(properties)

    @abstractmethod
    def _value(self, properties: Properties) -> Any: ...

    def parts(self) -> Sequence[Expression]:
        """What it is made of."""
        return self._parts()

    def _parts(self) -> Sequence[Expression]:
        return ()

    def names(self) -> Iterator[str]:
        """The properties that it asks for."""
        for part in self._parts():
            yield from part.names()


@dataclass(frozen=True)
class Constant(Expression):
    """A literal; None for NULL."""

    value: Any

    @property
    def is_boolean(self) -> bool:
        """Whether the broker takes it for a condition: TRUE, FALSE and NULL."""
        return self.value is None or isinstance(self.value, bool)

    def _value(self, properties: Properties) -> Any:
        return self.value

    def __str__(self) -> str:
        if isinstance(self.value, str):
            return "'" + self.value.replace("'", "''") + "'"
        return "NULL" if self.value is None else java_text(self.value).upper()


@dataclass(frozen=True)
class Property(Expression):
    """A property of the message: a text, or nothing."""

    name: str

    @property
    def is_boolean(self) -> bool:
        """No."""
        return False

    def _value(self, properties: Properties) -> Any:
        return properties.get(self.name)

    def names(self) -> Iterator[str]:
        """Its own name."""
        yield self.name

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Negated(Expression):
    """A minus."""

    right: Expression

    @property
    def is_boolean(self) -> bool:
        """No."""
        return False

    def _value(self, properties: Properties) -> Any:
        value = self.right.evaluate(properties)
        if isinstance(value, JavaInt):
            return JavaInt(-value)
        if isinstance(value, JavaLong):
            return JavaLong(-value)
        return -value if isinstance(value, float) else None

    def _parts(self) -> Sequence[Expression]:
        return (self.right,)

    def __str__(self) -> str:
        return f"(- {self.right})"


@dataclass(frozen=True)
class BooleanCast(Expression):
    """A property as a condition: properties are texts, so it never holds."""

    right: Expression

    def _value(self, properties: Properties) -> Any:
        value = self.right.evaluate(properties)
        return None if value is None else value is True

    def _parts(self) -> Sequence[Expression]:
        return (self.right,)

    def __str__(self) -> str:
        return str(self.right)


@dataclass(frozen=True)
class Not(Expression):
    """NOT: of nothing, nothing."""

    right: Expression

    def _value(self, properties: Properties) -> Any:
        value = self.right.evaluate(properties)
        return None if value is None else not value

    def _parts(self) -> Sequence[Expression]:
        return (self.right,)

    def __str__(self) -> str:
        return f"(NOT {self.right})"


@dataclass(frozen=True)
class Logic(Expression):
    """`&&` or `||` of conditions that may be nothing; the right one is only asked where it decides."""

    symbol: str
    left: Expression
    right: Expression

    def _value(self, properties: Properties) -> Any:
        decides, left = self.symbol == "||", self.left.evaluate(properties)
        if left is decides:
            return decides
        right = self.right.evaluate(properties)
        if right is decides:
            return decides
        return None if left is None or right is None else not decides

    def _parts(self) -> Sequence[Expression]:
        return (self.left, self.right)

    def __str__(self) -> str:
        return f"({self.left} {self.symbol} {self.right})"


@dataclass(frozen=True)
class Equal(Expression):
    """`=` and IS NULL. Two that are nothing are equal; only what is nothing on the left makes the answer nothing."""

    left: Expression
    right: Expression

    def _value(self, properties: Properties) -> Any:
        left, right = self.left.evaluate(properties), self.right.evaluate(properties)
        if left is None or right is None:
            return True if left is right else None if left is None else False
        return compared(left, right) == 0

    def _parts(self) -> Sequence[Expression]:
        return (self.left, self.right)

    def __str__(self) -> str:
        return f"({self.left} == {self.right})"


@dataclass(frozen=True)
class Ordered(Expression):
    """`>`, `>=`, `<` or `<=`: two texts are compared as Doubles, a text with a number as that kind of number."""

    symbol: str
    left: Expression
    right: Expression

    def _value(self, properties: Properties) -> Any:
        left = self.left.evaluate(properties)
        if left is None:
            return None
        right = self.right.evaluate(properties)
        if right is None:
            return None
        if isinstance(left, str) and isinstance(right, str):
            try:
                left, right = double_of(left), double_of(right)
            except JavaError:
                text = f"It's illegal to compare string by '>=', '>', '<', '<='. lv={left}, rv={right}"
                raise JavaError(RUNTIME, text) from None
        return ORDERS[self.symbol](compared(left, right))

    def _parts(self) -> Sequence[Expression]:
        return (self.left, self.right)

    def __str__(self) -> str:
        return f"({self.left} {self.symbol} {self.right})"


@dataclass(frozen=True)
class In(Expression):
    """IN and NOT IN a list of texts."""

    right: Property
    elements: tuple[str, ...]
    is_not: bool

    def _value(self, properties: Properties) -> Any:
        value = self.right.evaluate(properties)
        return None if value is None else (value in self.elements) is not self.is_not

    def _parts(self) -> Sequence[Expression]:
        return (self.right,)

    def __str__(self) -> str:
        return f"{self.right} {'NOT IN' if self.is_not else 'IN'} ( {', '.join(_listed(self.elements))} )"


def _listed(elements: Sequence[str]) -> Sequence[str]:
    """The elements in the order in which the class lists them: five and more are in a HashSet."""
    if len(elements) < HASHED_FROM:
        return elements
    slots = 16
    while slots < int(len(elements) / 0.75) + 1:
        slots *= 2
    return sorted(dict.fromkeys(elements), key=lambda each: spread(each) % slots)


@dataclass(frozen=True)
class TextTest(Expression):
    """CONTAINS, STARTSWITH, ENDSWITH, and NOT with each: false of what is no text, and of an empty part."""

    word: str
    right: Expression
    search: str
    is_not: bool

    def _value(self, properties: Properties) -> Any:
        value = self.right.evaluate(properties)
        if not self.search or not isinstance(value, str):
            return False
        return TEXT_TESTS[self.word](value, self.search) is not self.is_not

    def _parts(self) -> Sequence[Expression]:
        return (self.right,)

    def __str__(self) -> str:
        return f"({'NOT ' if self.is_not else ''}{self.word} {self.right})"
