"""Metrics of a RocketMQ exporter, as Prometheus' text format has them: what brokers say of their load and their puts.

Source: apache/rocketmq-exporter, RMQMetricsCollector: `rocketmq_broker_tps` (labels cluster, brokerIP, broker; messages
stored a second over the last minute, or in some builds the sum of that minute: texts/minute_sums.py). With brokerIP
alone: `rocketmq_brokeruntime_put_tps10` (over ten seconds), `rocketmq_brokeruntime_pmdt_*` (puts by how long they took)
and `rocketmq_brokeruntime_put_latency_99` (ms, brokers of 5.x). The exporter writes no times: a line
`# time 2026-11-21T20:15:00Z` before each scrape says when it was, or every sample has a timestamp, as Prometheus' own
/federate gives them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow as pa
from prometheus_client.parser import text_string_to_metric_families

from simulator.calibrate.broker_metrics import LONGEST_MS
from streaming.errors import InputError
from streaming.importing.hosts import broker_of
from streaming.importing.log_part import LogPart, text_blocks, text_parts
from streaming.importing.log_rows import RECORD_MAX
from streaming.importing.texts.minute_sums import TpsUnit, unit_by, unit_by_figures, unit_by_fractions
from streaming.importing.texts.times import time_us
from streaming.importing.trace import REJECT_COLUMNS
from streaming.texts.import_note_texts import ImportNoteTexts
from streaming.texts.import_texts import ImportTexts
from streaming.texts.output_texts import OutputTexts

LOAD_60, LOAD_10, PUT_99 = (
    *("rocketmq_broker_tps", "rocketmq_brokeruntime_put_tps10", "rocketmq_brokeruntime_put_latency_99"),
)
PUT_CLASS = "rocketmq_brokeruntime_pmdt_"
# The longest put of each class in ms; the last has no end.
CLASS_MS = {
    "0ms": 0.0, "0to10ms": 10.0, "10to50ms": 50.0, "50to100ms": 100.0, "100to200ms": 200.0, "200to500ms": 500.0,
    "500to1s": 1_000.0, "1to2s": 2_000.0, "2to3s": 3_000.0, "3to4s": 4_000.0, "4to5s": 5_000.0, "5to10s": 10_000.0,
    "10stomore": LONGEST_MS,
}  # fmt: skip
USED = (LOAD_60, LOAD_10, PUT_99, *(PUT_CLASS + name for name in CLASS_MS))
TIME = "# time "
SAMPLES = pa.schema(
    [
        pa.field("at_us", pa.int64(), False),  # since 1970
        pa.field("broker", pa.string(), False),
        pa.field("metric", pa.string(), False),
        pa.field("value", pa.float64(), False),
    ]
)


class Exposition:
    """The samples of files, line by line. jumps: where time goes back within a file; sums: what of them is a sum."""

    def __init__(self, hosts: Mapping[str, str]) -> None:
        self.hosts = hosts
        self.rows: list[tuple[int, str, str, float]] = []
        self.rejects: list[dict[str, str]] = []
        self.jumps: list[str] = []
        self.sums: str | None = None
        self.named: dict[str, str] = {}  # address to broker, as rocketmq_broker_tps says it

    def read(self, file: Path) -> None:
        """Take a file. Raises InputError for one that cannot be read."""
        at_us, last_us = None, 0
        for number, line in _lines(file):
            try:
                if line.startswith(TIME):
                    at_us, _ = time_us(line.removeprefix(TIME).strip())
                    if at_us < last_us:
                        back_s = (last_us - at_us) / 1e6
                        self.jumps.append(ImportNoteTexts.TIME_BACK(seconds=back_s).at(f"{file}, line {number}"))
                    last_us = max(last_us, at_us)
                elif line.startswith(USED):
                    self._take(line, at_us)
            except ValueError as error:
                said = {"position": f"{file}, line {number}", "reason": str(error), "record": line[:RECORD_MAX]}
                self.rejects.append(said)

    def _take(self, line: str, at_us: int | None) -> None:
        try:
            (family,) = text_string_to_metric_families(line + "\n")
            (sample,) = family.samples
        except (ValueError, KeyError, IndexError):
            raise ValueError(ImportTexts.NO_SAMPLE()) from None
        if sample.name not in USED:
            return
        if not math.isfinite(sample.value) or sample.value < 0:
            raise ValueError(ImportTexts.VALUE_NEGATIVE(value=sample.value))
        when_us = at_us if sample.timestamp is None else round(float(sample.timestamp) * 1e6)
        if when_us is None:
            raise ValueError(ImportTexts.NO_TIME())
        address = sample.labels.get("brokerIP", "")
        broker = sample.labels.get("broker", "")
        if not broker and not address:
            raise ValueError(ImportTexts.NO_BROKER())
        if broker and address:
            self.named[address] = broker
        self.rows.append((when_us, broker or address, sample.name, sample.value))

    def table(self) -> pa.Table:
        """The samples in the order of time, brokers by their names, loads as messages a second."""
        names = dict(self.named) | dict(self.hosts)
        unit = self._unit()
        self.sums = ImportNoteTexts.DIVIDED_BY_60(metric=LOAD_60, why=unit.why) if unit.is_sum else None
        rows = sorted(
            (at_us, broker_of(broker, names), metric, value / (unit.divisor if metric == LOAD_60 else 1.0))
            for at_us, broker, metric, value in self.rows
        )
        columns: list[Any] = list(zip(*rows, strict=True)) if rows else [[]] * len(SAMPLES)
        return pa.table(
            [pa.array(own, field.type) for own, field in zip(columns, SAMPLES, strict=True)], schema=SAMPLES
        )

    def _unit(self) -> TpsUnit:
        """What the load over a minute is: by the load over ten seconds beside it, or by its figures."""
        values = [value for _, _, metric, value in self.rows if metric == LOAD_60]
        if unit := unit_by_fractions(values):
            return unit
        beside = [value for _, _, metric, value in self.rows if metric == LOAD_10]
        known_per_s = median(beside) if beside else 0.0
        return unit_by(median(values), known_per_s, LOAD_10) or unit_by_figures(values)

    def rejected(self) -> pa.Table:
        """What could not be used."""
        return pa.Table.from_pylist(self.rejects, REJECT_COLUMNS)


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    try:
        parts: list[LogPart] = text_parts([file], b"\n")
        for part in parts:
            for block, first in text_blocks(part, b"\n"):
                yield from enumerate(block.decode(errors="replace").splitlines(), start=first)
    except (OSError, EOFError) as error:
        raise InputError(OutputTexts.UNREADABLE(why=error).at(file)) from error
