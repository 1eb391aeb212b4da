"""Samples of metrics: Prometheus' text format (a page, /federate) and the answers of its HTTP API."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from streaming.errors import InputError
from streaming.init.saved_part import SavedPart
from streaming.texts.init_texts import InitTexts

PREFIX = "rocketmq_"


@dataclass(frozen=True)
class MetricSample:
    """One value: metric without its prefix, labels, seconds since 1970 (None in a text without times)."""

    metric: str
    labels: Mapping[str, str]
    at_s: float | None
    value: float


# What Prometheus adds: the same figure may come from two exporters, or from a master and its slave.
SCRAPED = frozenset({"instance", "job", "pod", "namespace", "service", "endpoint", "container", "node", "prometheus"})


class MetricSamples:
    """The finite samples of a part by their metric; of those that differ in who was scraped alone the highest."""

    def __init__(self, samples: list[MetricSample]) -> None:
        highest: dict[tuple[object, ...], MetricSample] = {}
        for one in samples:
            labels = {name: text for name, text in one.labels.items() if name not in SCRAPED}
            key = (one.metric, one.at_s, *sorted(labels.items()))
            if math.isfinite(one.value) and (key not in highest or one.value > highest[key].value):
                highest[key] = MetricSample(one.metric, labels, one.at_s, one.value)
        self.by_metric: dict[str, list[MetricSample]] = defaultdict(list)
        for one in highest.values():
            self.by_metric[one.metric].append(one)

    def __getitem__(self, metric: str) -> list[MetricSample]:
        return self.by_metric.get(metric, [])

    def has(self, *metrics: str) -> bool:
        """Whether there is one of these."""
        return any(self.by_metric.get(metric) for metric in metrics)


Sums = dict[float | None, dict[str, float]]


def sums_of(samples: list[MetricSample], key: Callable[[MetricSample], str]) -> Sums:
    """Values added up by a key, at each moment."""
    found: Sums = defaultdict(lambda: defaultdict(float))
    for one in samples:
        found[one.at_s][key(one)] += one.value
    return found


def latest(sums: Sums) -> dict[str, float]:
    """The sums of the last moment."""
    return dict(sums[max(sums, key=lambda at_s: at_s or 0)]) if sums else {}


def is_answer(part: SavedPart) -> bool:
    """An answer of Prometheus' HTTP API."""
    text = part.text.lstrip()
    return text.startswith("{") and '"status"' in text[:200]


def is_exposition(part: SavedPart) -> bool:
    """Prometheus' text format: /federate, or a page of metrics."""
    return any(line.startswith(PREFIX) and ("{" in line or " " in line) for line in part.lines)


def samples_of(part: SavedPart) -> MetricSamples:
    """Raises InputError with the line of what is no sample, or for an answer that is none."""
    return MetricSamples(list(_answer(part) if is_answer(part) else _exposition(part)))


def _answer(part: SavedPart) -> Iterator[MetricSample]:
    """Of /api/v1/query_range or /api/v1/query."""
    try:
        answer = json.loads(part.text)
    except ValueError as error:
        raise InputError(InitTexts.PROMETHEUS_CUT_OFF(why=error).at(part.file)) from None
    if answer.get("status") != "success":
        raise InputError(InitTexts.PROMETHEUS_ERROR(why=answer.get("error", "without a reason")).at(part.file))
    try:
        yield from _answered(answer["data"]["result"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(InitTexts.PROMETHEUS_RESULT_EXPECTED().at(part.file)) from None


def _answered(result: list[dict[str, Any]]) -> Iterator[MetricSample]:
    for series in result:
        labels = dict(series["metric"])
        name = labels.pop("__name__", "")
        for at_s, value in series.get("values") or [series["value"]]:
            yield MetricSample(name.removeprefix(PREFIX), labels, float(at_s), float(value))


def _exposition(part: SavedPart) -> Iterator[MetricSample]:
    for number, line in enumerate(part.lines):
        if not line.startswith(PREFIX):
            continue
        try:
            for family in text_string_to_metric_families(line + "\n"):
                for one in family.samples:
                    at_s = None if one.timestamp is None else float(one.timestamp)
                    yield MetricSample(one.name.removeprefix(PREFIX), one.labels, at_s, one.value)
        except (ValueError, KeyError, IndexError):
            raise InputError(InitTexts.SAMPLE_EXPECTED(got=line[:60]).at(part.place(number))) from None
