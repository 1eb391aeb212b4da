"""Percentiles of a latency: the mapping of a scenario, and the points of a table."""

from __future__ import annotations

from typing import Any

from simulator.scenario.reading.fields import DURATION, MILLION, SERVICE_TIME_MAX_US, Reads
from simulator.scenario.reading.scenario_error import Problem, raise_any
from simulator.scenario.texts.message_texts import MessageTexts
from simulator.units import format_duration, parse_duration_us, shown
from state.texts import sentence_of

Points = tuple[tuple[int, int], ...]


def percentile_millionths(key: Any) -> int:
    """Rank in millionths of a percentile such as `p99.9`; at most four decimals."""
    text = key if isinstance(key, str) else ""
    number, _, decimals = text[1:].partition(".")
    digits = number + decimals
    if not text.startswith("p") or not number or len(digits) > 7 or not (digits.isascii() and digits.isdigit()):
        raise ValueError(MessageTexts.PERCENTILE_EXPECTED())
    if len(decimals) > 4 or text.endswith("."):
        raise ValueError(MessageTexts.PERCENTILE_EXPECTED())
    rank = int(number) * 10_000 + int(decimals.ljust(4, "0"))
    if rank > MILLION:
        raise ValueError(MessageTexts.PERCENTILE_OUT_OF_RANGE())
    return rank


def percentile_text(rank_millionths: int) -> str:
    """The key that `percentile_millionths` reads back."""
    number, decimals = divmod(rank_millionths, 10_000)
    return f"p{number}.{decimals:04d}".rstrip("0").rstrip(".") if decimals else f"p{number}"


def table_points(value: Any) -> Points:
    """(rank in millionths, microseconds) of a mapping of percentiles to durations, both rising."""
    if not isinstance(value, dict):
        raise ValueError(MessageTexts.PERCENTILES_EXPECTED(got=shown(value)))
    points: list[tuple[int, int]] = []
    problems: list[Problem] = []
    for key, text in value.items():
        try:
            rank = percentile_millionths(key)
            points.append((rank, _service_time(text)))
        except ValueError as error:
            problems.append(Problem((key,), sentence_of(error)))
            continue
        if len(points) > 1 and points[-2][0] >= rank:
            problems.append(Problem((key,), MessageTexts.PERCENTILE_NOT_ABOVE(before=percentile_text(points[-2][0]))))
        elif len(points) > 1 and points[-2][1] > points[-1][1]:
            before = f"{percentile_text(points[-2][0])}, {format_duration(points[-2][1])}"
            problems.append(
                Problem((key,), MessageTexts.DURATION_BELOW(before=before, got=format_duration(points[-1][1])))
            )
    ranks = [rank for rank, _ in points]
    missing = [percentile_text(rank) for rank in (0, MILLION) if rank not in ranks]
    if missing and not problems:
        problems.append(Problem((), MessageTexts.ENDS_MISSING(missing=" and ".join(missing))))
    raise_any(problems)
    return tuple(points)


def _service_time(text: Any) -> int:
    time_us = parse_duration_us(text)
    if not 0 <= time_us <= SERVICE_TIME_MAX_US:
        raise ValueError(MessageTexts.SERVICE_TIME_EXPECTED(most=format_duration(SERVICE_TIME_MAX_US), got=shown(text)))
    return time_us


def table_text(points: Points | None) -> dict[str, str] | None:
    """The mapping that `table_points` reads back."""
    return None if points is None else {percentile_text(rank): format_duration(us) for rank, us in points}


TABLE = Reads(
    table_points,
    expects="a mapping of percentiles such as {p0: 1ms, p100: 9ms}",
    schema={"type": "object", "patternProperties": {"^p": DURATION}, "additionalProperties": False},
)
