"""What lines.yaml says of each line: the bound that was asked, the bound that holds now, and why the two differ."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

LINES = Path(__file__).with_name("lines.yaml")
BOUND = re.compile(r"(>=|<=) (\d+(?:\.\d+)?)")


class Bound(NamedTuple):
    """The least or the most that a figure may be."""

    sign: str
    value: float

    @classmethod
    def read(cls, text: str) -> Bound:
        """`>= 220` or `<= 1.3`. Raises ValueError for anything else."""
        found = BOUND.fullmatch(text)
        if found is None:
            raise ValueError(f"expected a bound such as '>= 220' or '<= 1.3', found {text!r}")
        return cls(found[1], float(found[2]))

    def holds(self, value: float) -> bool:
        """Whether a figure is within it."""
        return value >= self.value if self.sign == ">=" else value <= self.value

    def text(self, unit: str) -> str:
        """The bound with the unit of its line."""
        return f"{self.sign} {self.value:.4g}{'' if unit == 'x' else ' '}{unit}"


class About(NamedTuple):
    """What the page says of a line.

    `asked`: the bound that was asked for; `required`: the bound that holds now, the asked one unless a weaker one is
    all that is reached. `because`: why it is not as asked, with figures of the same run.
    """

    says: str
    asked: Bound | None
    required: Bound | None
    because: str

    @property
    def is_weakened(self) -> bool:
        """Whether another bound holds than was asked for."""
        return self.asked != self.required


@lru_cache
def lines() -> Mapping[str, About]:
    """What the page says of each line, by its name."""
    return {name: about_of(fields) for name, fields in yaml.safe_load(LINES.read_text()).items()}


def about_of(fields: Mapping[str, str]) -> About:
    """One line of lines.yaml. Raises ValueError where a weaker bound has no reason, and KeyError without `says`."""
    asked = Bound.read(fields["asked"]) if "asked" in fields else None
    required = Bound.read(fields["required"]) if "required" in fields else asked
    about = About(fields["says"], asked, required, fields.get("because", ""))
    if required is not None and (asked is None or required.sign != asked.sign):
        raise ValueError(f"{about.says}: a bound that holds stands beside an asked one of the same direction")
    if about.is_weakened and not about.because:
        raise ValueError(f"{about.says}: {fields['required']} instead of {fields['asked']} needs a reason (because)")
    if about.is_weakened and required is not None and asked is not None and not required.holds(asked.value):
        raise ValueError(f"{about.says}: {fields['required']} is stronger than {fields['asked']}: ask for it instead")
    return about


def is_met(line: Mapping[str, Any]) -> bool:
    """Whether a stored line holds its bound."""
    required = lines()[line["name"]].required
    return required is None or required.holds(line["value"])


def is_as_asked(line: Mapping[str, Any]) -> bool:
    """Whether a stored line is within the bound that was asked for."""
    asked = lines()[line["name"]].asked
    return asked is None or asked.holds(line["value"])


def text_of_bound(bound: Bound | None, unit: str) -> str:
    """The bound with the unit of its line; a dash if its figure is only reported."""
    return "-" if bound is None else bound.text(unit)


def reason_of(line: Mapping[str, Any], by_name: Mapping[str, Mapping[str, Any]]) -> str:
    """Why a line is not as asked, with the figures of the same run that show it; nothing where the run lacks them."""
    try:
        return lines()[line["name"]].because.format_map(by_name)
    except KeyError:
        return ""
