"""Measured points from a file: a CSV, or what RocketMQ's benchmark producer.sh printed."""

from __future__ import annotations

import csv
import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from simulator.fit.measured_point import Point
from streaming.errors import InputError
from streaming.texts.fit_texts import FitTexts

KIB = 1024
# rocketmq 4.2.0-5.3.3, example benchmark Producer: its first line, and the one that it prints every ten seconds.
HEAD = re.compile(r"threadCount:?\s+(?P<threads>\d+)\s+messageSize:?\s+(?P<bytes>\d+)")
LINE = re.compile(r"TPS:\s*(?P<per_s>\d+).*?Average RT(?:\(ms\))?:\s*(?P<ms>[\d.]+)")
COMPLETE = "[Complete]"
# Names that a column may have; sizes with the bytes of their unit.
THREADS = {"threads": 1, "threadcount": 1}
SIZES = {"message_bytes": 1, "body_bytes": 1, "messagesize": 1, "body_kib": KIB, "message_kib": KIB}
QUEUES = {"queues": 1}
PER_S = {"per_s": 1, "tps": 1, "tps_median": 1, "sends_per_s": 1}
RESPONSE_MS = {"mean_rt_ms": 1, "rt_ms": 1, "response_ms": 1, "average_rt_ms": 1}
COLUMNS = (THREADS, SIZES, QUEUES, PER_S, RESPONSE_MS)


def read_points(file: Path, queues: int) -> list[Point]:
    """Measured points of a file, `queues` where it does not say how many. Raises InputError with file and line."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(FitTexts.UNREADABLE(why=error).at(file)) from None
    lines = text.splitlines()
    points = _printed(file, lines, queues) if LINE.search(text) else _rows(file, lines, queues)
    if not points:
        raise InputError(FitTexts.NO_POINT().at(file))
    twice = next((p for p in points if sum(_place(p) == _place(other) for other in points) > 1), None)
    if twice is not None:
        raise InputError(
            FitTexts.POINT_TWICE(threads=twice.threads, message_bytes=twice.message_bytes, queues=twice.queues).at(file)
        )
    return sorted(points)


def _place(point: Point) -> tuple[int, int, int]:
    return point.message_bytes, point.queues, point.threads


def _printed(file: Path, lines: Sequence[str], queues: int) -> list[Point]:
    """The medians of the lines that each run of producer.sh printed."""
    found: dict[tuple[int, int], list[tuple[float, float]]] = {}
    run: list[tuple[float, float]] | None = None
    for number, line in enumerate(lines, 1):
        if head := HEAD.search(line):
            run = found.setdefault((int(head["threads"]), int(head["bytes"])), [])
        elif COMPLETE not in line and (found_line := LINE.search(line)):
            if run is None:
                raise InputError(FitTexts.FIGURES_BEFORE_HEAD().at(f"{file}:{number}"))
            run.append((float(found_line["per_s"]), float(found_line["ms"])))
    return [
        _checked(f"{file}: threadCount {threads}", Point(size, queues, threads, *map(median, zip(*run, strict=True))))
        for (threads, size), run in found.items()
        if run
    ]


def _rows(file: Path, lines: Sequence[str], queues: int) -> list[Point]:
    rows = csv.DictReader(lines)
    columns = [_column(file, rows.fieldnames or (), names, optional=names is QUEUES) for names in COLUMNS]
    return [
        _checked(f"{file}:{number}", _point(f"{file}:{number}", row, columns, queues))
        for number, row in enumerate(rows, 2)
    ]


def _column(file: Path, header: Sequence[str], names: Mapping[str, int], *, optional: bool) -> tuple[str, int] | None:
    for name in header:
        if name.strip().lower() in names:
            return name, names[name.strip().lower()]
    if optional:
        return None
    near = next((close for name in header for close in difflib.get_close_matches(name.lower(), names, 1)), None)
    hint = FitTexts.MEANT(near=near) if near else ""
    raise InputError(FitTexts.NO_COLUMN(names=" or ".join(names), hint=hint).at(f"{file}:1"))


def _point(place: str, row: Mapping[str, str], columns: Sequence[tuple[str, int] | None], queues: int) -> Point:
    numbers: Iterator[float] = (_number(place, row, column, queues) for column in columns)
    threads, size, own_queues, per_s, response_ms = numbers
    return Point(round(size), round(own_queues), round(threads), per_s, response_ms)


def _number(place: str, row: Mapping[str, str], column: tuple[str, int] | None, default: int) -> float:
    if column is None:
        return default
    name, factor = column
    try:
        return float(row[name]) * factor
    except (TypeError, ValueError):
        raise InputError(FitTexts.NUMBER_EXPECTED(name=name, got=row[name]).at(place)) from None


def _checked(place: str, point: Point) -> Point:
    """The point, if it can be one of a closed loop."""
    if min(point.threads, point.message_bytes, point.queues, point.per_s, point.response_ms) <= 0:
        raise InputError(FitTexts.ABOVE_ZERO().at(place))
    busy = point.per_s * point.response_ms / 1000 / point.threads
    if not 0.5 <= busy <= 1.5:
        raise InputError(
            FitTexts.NOT_A_CLOSED_LOOP(
                rate=point.per_s, response=point.response_ms, busy=busy * point.threads, threads=point.threads
            ).at(place)
        )
    return point
