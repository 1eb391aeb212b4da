"""Measured service times of a file as an empirical latency table."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Annotated, Any

from pydantic import Field

from simulator.scenario.distributions.percentiles import percentile_text
from simulator.scenario.reading.fields import MILLION, SERVICE_TIME_MAX_US, Model, Reads, Text, choice
from simulator.scenario.reading.scenario_error import did_you_mean, not_known
from simulator.scenario.texts.message_texts import MessageTexts
from simulator.units import format_duration, shown

UNITS_US = {"us": Fraction(1), "ms": Fraction(1_000), "s": Fraction(MILLION), "ns": Fraction(1, 1_000)}
VALUES_MAX = 20_000_000

# Percentiles kept, in millionths: every half percent, and three finer steps towards the tail.
RANKS = (
    *range(0, 990_000, 5_000),
    *range(990_000, 999_000, 500),
    *range(999_000, 999_900, 50),
    *range(999_900, MILLION, 5),
    MILLION,
)


def conditions(value: Any) -> dict[str, str]:
    """Columns and the text that each must have."""
    if not isinstance(value, dict) or not value:
        raise ValueError(MessageTexts.COLUMN_EXPECTED(got=shown(value)))
    return {column: str(wanted) for column, wanted in value.items()}


WHERE = Reads(conditions, expects="a mapping of column to value", schema={"type": "object"})


class LatencyFile(Model):
    """A file of measured values: one a line, or a `column` of a CSV, of the rows that match `where`."""

    file: Text = Field(
        title="the path of a file, from the scenario's folder",
        description="measured values, one a line; latency of a broker only",
    )
    column: Text | None = Field(None, description="column of a CSV that has the values; default the file is no CSV")
    unit: Annotated[str, choice(*UNITS_US)] = Field("us", description="unit of the values")
    where: Annotated[dict[str, str], WHERE] | None = Field(None, description="rows of the CSV to take; default all")

    def table(self, lines: Iterable[str]) -> dict[str, str]:
        """The `table` of the values in the lines: percentiles to durations, as the YAML has it.

        Raises ValueError if a column does not exist, a value is not a duration or there are none.
        """
        values = sorted(self._values_us(lines))
        if not values:
            raise ValueError(
                (MessageTexts.NO_MATCHING_VALUES if self.where else MessageTexts.NO_VALUES)(file=self.file)
            )
        return {percentile_text(rank): format_duration(quantile_us(values, rank)) for rank in RANKS}

    def _values_us(self, lines: Iterable[str]) -> Iterator[int]:
        factor = UNITS_US[self.unit]
        texts = self._texts(lines) if self.column is not None else _texts_of_lines(lines)
        for count, (line, text) in enumerate(texts):
            if count >= VALUES_MAX:
                raise ValueError(MessageTexts.MORE_VALUES(file=self.file, most=VALUES_MAX))
            try:
                value_us = round(Fraction(text.strip()) * factor) if len(text) <= 40 and "/" not in text else -1
            except ValueError:
                value_us = -1
            if not 0 <= value_us <= SERVICE_TIME_MAX_US:
                limit = format_duration(SERVICE_TIME_MAX_US)
                raise ValueError(MessageTexts.NUMBER_EXPECTED(file=self.file, line=line, limit=limit, got=shown(text)))
            yield value_us

    def _texts(self, lines: Iterable[str]) -> Iterator[tuple[int, str]]:
        reader = csv.reader(lines)
        try:
            header = [name.strip() for name in next(reader, [])]
            wanted = {self._place(header, name): value for name, value in (self.where or {}).items()}
            place = self._place(header, self.column or "")
            for row in reader:
                if not row:
                    continue
                if len(row) != len(header):
                    text = MessageTexts.COLUMNS_UNLIKE(expected=len(header), got=len(row))
                    raise ValueError(f"{self.file} line {reader.line_num}: {text}")
                if all(row[i].strip() == value for i, value in wanted.items()):
                    yield reader.line_num, row[place]
        except csv.Error as error:
            raise ValueError(MessageTexts.NOT_CSV(file=self.file, line=reader.line_num, why=error)) from None

    def _place(self, header: list[str], name: str) -> int:
        if name not in header:
            known = not_known("column", name, header) if header else f"no column {name}{did_you_mean(name, header)}"
            raise ValueError(f"{self.file}: {known}")
        return header.index(name)


def _texts_of_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield number, line


def quantile_us(values_us: list[int], rank_millionths: int) -> int:
    """Value at a rank of sorted values, linear between neighbours (type 7 of Hyndman and Fan), rounded."""
    place, part = divmod(rank_millionths * (len(values_us) - 1), MILLION)
    low = values_us[place]
    high = values_us[min(place + 1, len(values_us) - 1)]
    return low + ((high - low) * part + MILLION // 2) // MILLION
