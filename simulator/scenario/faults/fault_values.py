"""Readers of the values that faults have: names of what they strike, factors, probabilities, codes."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import PlainSerializer

from simulator.codes import RESPONSE_CODES, SEND_STATUS_CODES
from simulator.scenario.faults.fault_kinds import CONTROLLER, KINDS, LEADER
from simulator.scenario.faults.targets import ALL, EXPECTED, LEADS, read_targets, written
from simulator.scenario.reading.fields import MILLION, Reads, code_number, decimal, name_of, whole
from simulator.scenario.reading.scenario_error import Problem, ProblemsError, not_known, snake_case
from simulator.scenario.reading.usual_words import OF_FAULTS
from simulator.scenario.texts.fault_texts import FaultTexts
from simulator.scenario.texts.field_texts import FieldTexts
from simulator.units import shown
from state.texts import Text, sentence_of

FACTOR_MAX = 1_000
NAME_SERVERS_MAX = 100
REPLICAS_MAX = 9


def _names(what: str, *, pattern: bool = False) -> Any:
    plain = name_of(what)

    def read(value: Any) -> str:
        if pattern and isinstance(value, str) and "*" in value:
            plain(value.replace("*", "x"))
            return value
        return plain(value)

    def check(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            return (read(value),)
        if not value:
            raise ValueError(FaultTexts.EMPTY_LIST(what=what))
        names: list[str] = []
        for i, name in enumerate(value):
            try:
                names.append(read(name))
            except ValueError as error:
                raise ProblemsError([Problem((i,), sentence_of(error))]) from None
        return tuple(names)

    return check


def read_name_servers(value: Any) -> tuple[int, ...]:
    """Numbers of name servers from 1; `all` is ()."""
    return _numbers(value, FaultTexts.NAME_SERVER_EXPECTED)


def _numbers(value: Any, expected: Text) -> tuple[int, ...]:
    if value == ALL or value == ():
        return ()
    numbers = value if isinstance(value, list | tuple) and value else [value]
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= NAME_SERVERS_MAX:
            raise ValueError(expected(got=shown(value)))
    return tuple(sorted(set(numbers)))


def read_controllers(value: Any) -> tuple[int, ...]:
    """Numbers of controllers from 1; `all` is (), `leader` (LEADER,)."""
    if value == LEADS or value == (LEADER,):
        return (LEADER,)
    return _numbers(value, FaultTexts.CONTROLLER_EXPECTED)


def read_kind(value: Any) -> str:
    """The name of a kind of faults."""
    if not isinstance(value, str) or value not in KINDS:
        text = not_known("fault kind", str(value), KINDS, OF_FAULTS.get(snake_case(str(value))))
        raise ValueError(text if isinstance(value, str) else FaultTexts.KIND_EXPECTED(got=shown(value)))
    return value


def read_factor(value: Any) -> int:
    """A factor above 0 and at most 1000 in millionths."""
    expected = FaultTexts.A_FACTOR(most=FACTOR_MAX)
    factor = decimal(value, expected) * MILLION
    if factor.denominator != 1 or not 0 < factor <= FACTOR_MAX * MILLION:
        raise ValueError(FieldTexts.EXPECTED(expected=expected, got=shown(value)))
    return int(factor)


def read_probability(value: Any) -> int:
    """A probability above 0 and below 1 in millionths."""
    expected = FaultTexts.A_PROBABILITY()
    probability = decimal(value, expected) * MILLION
    if probability.denominator != 1 or not 0 < probability < MILLION:
        raise ValueError(FieldTexts.EXPECTED(expected=expected, got=shown(value)))
    return int(probability)


def read_response_code(value: Any) -> int:
    """A response code that is an error, by name or number."""
    if not isinstance(value, bool) and (value in SEND_STATUS_CODES or value in SEND_STATUS_CODES.values()):
        raise ValueError(FaultTexts.SEND_STATUS(got=shown(value)))
    return code_number(value, RESPONSE_CODES, "response code")


def read_send_status(value: Any) -> str:
    """The name of a SendStatus other than SEND_OK."""
    if not isinstance(value, str) or value not in SEND_STATUS_CODES:
        raise ValueError(not_known("send status", str(value), SEND_STATUS_CODES))
    return value


def factor_number(millionths: int) -> int | float:
    """The number that `read_factor` reads back."""
    return millionths // MILLION if millionths % MILLION == 0 else millionths / MILLION


NAMES = {"type": ["string", "integer", "array"]}
BrokerNames = Annotated[
    tuple[str, ...],
    Reads(
        read_targets,
        expects="the name of a broker, a pattern such as broker-*, a list of those, {any: 2}, or all",
        schema={"type": ["string", "integer", "array", "object"]},
    ),
    PlainSerializer(written),
]
ConsumerNames = Annotated[
    tuple[str, ...],
    Reads(
        _names("consumer", pattern=True),
        expects="the name of an instance such as billing-2 or of a group, a pattern such as billing-*, a list, or all",
        schema=NAMES,
    ),
    PlainSerializer(list),
]
GroupNames = Annotated[
    tuple[str, ...],
    Reads(_names("producer group"), expects="the name of a producer group, a list of names, or all", schema=NAMES),
    PlainSerializer(list),
]
NameServers = Annotated[
    tuple[int, ...],
    Reads(read_name_servers, expects="the number of a name server, a list of numbers, or all", schema=NAMES),
    PlainSerializer(lambda numbers: list(numbers) or ALL),
]
Controllers = Annotated[
    tuple[int, ...],
    Reads(read_controllers, expects=EXPECTED[CONTROLLER], schema=NAMES),
    PlainSerializer(lambda numbers: LEADS if numbers == (LEADER,) else list(numbers) or ALL),
]
KindName = Annotated[str, Reads(read_kind, expects="a fault kind such as hang", schema={"enum": list(KINDS)})]
Factor = Annotated[
    int,
    Reads(
        read_factor,
        expects=f"a factor above 0 and at most {FACTOR_MAX}",
        schema={"type": "number", "exclusiveMinimum": 0, "maximum": FACTOR_MAX},
    ),
    PlainSerializer(factor_number),
]
Probability = Annotated[
    int,
    Reads(
        read_probability,
        expects="a probability above 0 and below 1",
        schema={"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    ),
    PlainSerializer(factor_number),
]
ErrorCode = Annotated[
    int,
    Reads(
        read_response_code,
        expects="the name or number of a response code",
        schema={"anyOf": [{"enum": sorted(RESPONSE_CODES)}]},
    ),
]
StatusName = Annotated[
    str,
    Reads(read_send_status, expects="a SendStatus other than SEND_OK", schema={"enum": list(SEND_STATUS_CODES)}),
]
ReplicaNumber = Annotated[int, whole(1, REPLICAS_MAX)]
