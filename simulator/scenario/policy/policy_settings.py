"""The policy of a scenario's client: a part that chooses, one that avoids brokers, one that tries again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from simulator.policies.catalogue import PARTS
from simulator.policies.policy import PolicyPart
from simulator.scenario.policy.own_function import said
from simulator.scenario.policy.own_policy import TEXTS, is_own, part_named
from simulator.scenario.reading.fields import DURATION_MAX_US, Model, Reads, within
from simulator.scenario.reading.scenario_error import not_known
from simulator.scenario.texts.field_texts import FieldTexts
from simulator.scenario.texts.policy_texts import PolicyTexts
from simulator.units import format_duration, parse_duration_us, shown

NUMBER_MAX = 1_000_000_000
IN_US = "_us"
Values = dict[str, int | float | str | dict[str, str]]


def _value(part: PolicyPart, key: str, written: Any) -> int | float | str:
    """One parameter as it is written in a resolved scenario."""
    field = next(name for name in part.parameters if name.removesuffix(IN_US) == key)
    if field.endswith(IN_US):
        expected = "a duration above 0"
        return format_duration(within(parse_duration_us(written), 1, DURATION_MAX_US, expected, written))
    if isinstance(written, bool) or not isinstance(written, int | float):
        raise ValueError(PolicyTexts.A_NUMBER_EXPECTED(key=key, got=shown(written)))
    if isinstance(part.parameters[field], int) and not isinstance(written, int):
        raise ValueError(PolicyTexts.A_WHOLE_NUMBER_EXPECTED(key=key, got=shown(written)))
    if not 0 <= written <= NUMBER_MAX:
        raise ValueError(PolicyTexts.NUMBER_OUT_OF_RANGE(key=key, most=NUMBER_MAX, got=shown(written)))
    return written


def _part(kind: str) -> Reads:
    """One part of that kind by its name, or its name with parameters."""
    known = PARTS[kind]
    expects = PolicyTexts.PART_EXPECTED(known=", ".join(known), first=next(iter(known)))

    def check(written: Any) -> dict[str, Values]:
        named = {written: {}} if isinstance(written, str) else written
        if not isinstance(named, Mapping) or len(named) != 1:
            raise ValueError(FieldTexts.EXPECTED(expected=expects, got=shown(written)))
        ((name, values),) = named.items()
        values = {} if values is None else values
        if not isinstance(values, Mapping):
            raise ValueError(FieldTexts.EXPECTED(expected=expects, got=shown(written)))
        if name not in known and not is_own(str(name)):
            raise ValueError(not_known(f"{kind} part", str(name), known))
        if is_own(str(name)) and "source" not in values:
            raise ValueError(PolicyTexts.FILE_NOT_READ(file=name))
        text = {key: values[key] for key in TEXTS if key in values and is_own(str(name))}
        part = part_named(kind, str(name), text)
        keys = [field.removesuffix(IN_US) for field in part.parameters]
        for key in values:
            if key not in keys and key not in text:
                raise ValueError(not_known(f"parameter of {name}", str(key), keys))
        found: Values = {key: _value(part, key, value) for key, value in values.items() if key not in text}
        _try_start(part, found, str(name))
        return {name: text | found}

    return Reads(check, expects=expects, schema={"type": ["string", "object"]})


def _try_start(part: PolicyPart, values: Values, name: str) -> None:
    """Have the part refuse values that it cannot work with."""
    import numpy as np

    from simulator.compiled.records import size_of

    try:
        state = part.state.at(np.zeros(size_of(part.state) + part.behind(1), np.int64))
        part.start(state, 1, **parameters(part, values))
    except Exception as error:
        if not is_own(name):
            raise
        raise ValueError(f"{name}: start raised {said(error)}") from None


def parameters(part: PolicyPart, values: Values) -> dict[str, int | float]:
    """The parameters of a part as numbers: those that are given, the defaults for the others."""
    found = dict(part.parameters)
    for field in found:
        key = field.removesuffix(IN_US)
        if key in values:
            found[field] = parse_duration_us(values[key]) if field.endswith(IN_US) else float(str(values[key]))
            if isinstance(part.parameters[field], int):
                found[field] = int(found[field])
    return found


PartSettings = dict[str, Values]


class PolicySettings(Model):
    """What decides instead of the release's own strategy."""

    choose: Annotated[PartSettings, _part("choose")] = Field(
        {"random": {}}, description="which queue: the name of a part, or {name: {parameter: value}}"
    )
    avoid: Annotated[PartSettings, _part("avoid")] = Field(
        {"none": {}}, description="which brokers are left out, unless all would be"
    )
    retry: Annotated[PartSettings, _part("retry")] = Field(
        {"attempts": {}}, description="whether and when a failed attempt is followed by another"
    )

    @property
    def hedges(self) -> bool:
        """Whether there may be an attempt beside one that has no answer yet."""
        ((name, written),) = self.retry.items()
        return "hedge" in part_named("retry", name, written).rules
