"""What an SQL92 expression takes, as a table: values of each property that it does not distinguish are one class.

A message is looked up by the class of each property that the expression asks for, so the expression is evaluated once
for each combination of classes, and never for a message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from simulator.consumer.sql.java_values import JavaError
from simulator.consumer.sql.sql_expression import Expression, Logic, Not
from simulator.consumer.sql.sql_texts import SqlTexts

COMBINATIONS_MAX = 1_000_000
Values = Sequence[str | None]  # None: the message has not the property


@dataclass(frozen=True)
class SqlTable:
    """names: the properties, by name; classes: of each of them, the class of each value; sizes: how many classes.

    taken, failed: by classes, the last property's first: whether the broker passes the message, and whether evaluating
    throws, so that it does not.
    """

    names: tuple[str, ...]
    classes: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]
    taken: tuple[bool, ...]
    failed: tuple[bool, ...]

    @property
    def strides(self) -> tuple[int, ...]:
        """How far two classes of each property that follow each other are apart in `taken`."""
        return tuple(prod(self.sizes[at + 1 :]) for at in range(len(self.sizes)))

    def shares(self, weights: Mapping[str, Sequence[float]]) -> tuple[float, float]:
        """Which part of the messages is taken, and which fails; `weights`: the share of each value, by property."""
        each = [
            [sum(w for w, own in zip(weights[name], found, strict=True) if own == number) for number in range(size)]
            for name, found, size in zip(self.names, self.classes, self.sizes, strict=True)
        ]
        combined = [prod(own) for own in product(*each)]
        taken = sum(share for share, is_taken in zip(combined, self.taken, strict=True) if is_taken)
        return taken, sum(share for share, has_failed in zip(combined, self.failed, strict=True) if has_failed)


def sql_table(expression: Expression, values: Mapping[str, Values]) -> SqlTable:
    """The table of an expression; `values`: those that each of its properties may have.

    Raises ValueError where it distinguishes more than COMBINATIONS_MAX combinations.
    """
    names = tuple(sorted(set(expression.names())))
    conditions: dict[str, list[Expression]] = {name: [] for name in names}
    _put_conditions(expression, conditions)
    classes, examples = [], []
    for name in names:
        numbers: dict[Any, int] = {}
        examples.append(list[str | None]())
        own = []
        for value in values[name]:
            answers = tuple(_answer(each, name, value) for each in conditions[name])
            if answers not in numbers:
                numbers[answers] = len(numbers)
                examples[-1].append(value)
            own.append(numbers[answers])
        classes.append(tuple(own))
    sizes = tuple(map(len, examples))
    if prod(sizes) > COMBINATIONS_MAX:
        raise ValueError(SqlTexts.TOO_MANY_COMBINATIONS(count=prod(sizes), most=COMBINATIONS_MAX))
    found = [_evaluated(expression, dict(zip(names, each, strict=True))) for each in product(*examples)]
    taken, failed = tuple(value is True for value in found), tuple(isinstance(value, JavaError) for value in found)
    return SqlTable(names, tuple(classes), sizes, taken, failed)


def _put_conditions(expression: Expression, conditions: dict[str, list[Expression]]) -> None:
    """Give each property the conditions that ask for it alone; of one that asks for several too, as it is."""
    names = set(expression.names())
    if len(names) > 1 and isinstance(expression, Logic | Not):
        for part in expression.parts():
            _put_conditions(part, conditions)
        return
    for name in names:
        conditions[name].append(expression)


def _answer(condition: Expression, name: str, value: str | None) -> Any:
    if len(set(condition.names())) > 1:
        return value
    found = _evaluated(condition, {name: value})
    return str(found) if isinstance(found, JavaError) else found


def _evaluated(expression: Expression, values: Mapping[str, str | None]) -> Any:
    try:
        return expression.evaluate({name: value for name, value in values.items() if value is not None})
    except JavaError as error:
        return error
