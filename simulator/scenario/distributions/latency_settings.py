"""A latency as a scenario has it: one of five distributions, and its lookup table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from statistics import NormalDist
from typing import Annotated, ClassVar

from pydantic import Field, PlainSerializer, model_validator

from simulator.kernel.latency import Table, table_of_points_us, table_us
from simulator.scenario.distributions.percentiles import TABLE, Points, table_text
from simulator.scenario.reading.fields import MILLION, SERVICE_TIME_MAX_US, Model, ServiceTimeUs, duration_us
from simulator.scenario.reading.scenario_error import Problem, ProblemsError, raise_any
from simulator.scenario.texts.message_texts import MessageTexts
from simulator.units import format_duration

SPREAD_MAX = 1_000  # p99 / p50 of a lognormal: beyond it the mean lies in values that no one has measured
NORMAL = NormalDist()
KINDS = ("constant", "uniform", "exponential", "lognormal", "table")

PositiveUs = Annotated[int, duration_us(1, SERVICE_TIME_MAX_US), PlainSerializer(format_duration)]


class Uniform(Model):
    """Every value from `min_us` to `max_us` is as likely."""

    min_us: ServiceTimeUs = Field(alias="min", title="a duration such as 1ms", description="shortest")
    max_us: ServiceTimeUs = Field(alias="max", title="a duration such as 3ms", description="longest")

    @model_validator(mode="after")
    def _check(self) -> Uniform:
        if self.min_us > self.max_us:
            text = MessageTexts.BELOW_MIN(min=format_duration(self.min_us), got=format_duration(self.max_us))
            raise ProblemsError([Problem(("max",), text)])
        return self


class Exponential(Model):
    """Memoryless with mean `mean_us`."""

    mean_us: PositiveUs = Field(alias="mean", title="a duration such as 2ms", description="its mean")


class Lognormal(Model):
    """Lognormal through its median and 99th percentile."""

    p50_us: PositiveUs = Field(alias="p50", title="a duration such as 1ms", description="its median")
    p99_us: PositiveUs = Field(alias="p99", title="a duration such as 12ms", description="its 99th percentile")

    @model_validator(mode="after")
    def _check(self) -> Lognormal:
        if not self.p50_us < self.p99_us <= SPREAD_MAX * self.p50_us:
            p50, p99 = format_duration(self.p50_us), format_duration(self.p99_us)
            text = MessageTexts.P99_OUT_OF_RANGE(p50=p50, most=SPREAD_MAX, got=p99)
            raise ProblemsError([Problem(("p99",), text)])
        return self

    @property
    def sigma(self) -> float:
        """Standard deviation of the logarithm."""
        return math.log(self.p99_us / self.p50_us) / NORMAL.inv_cdf(0.99)


class Latency(Model):
    """How long a broker takes to store one message: exactly one of five distributions, microseconds.

    `table` is (rank in millionths, microseconds), linear in between; the loader turns a file into one.
    """

    resolved_away: ClassVar[tuple[str, ...]] = ("file", "column", "unit", "where")

    constant_us: ServiceTimeUs | None = Field(None, alias="constant", description="always the same")
    uniform: Uniform | None = Field(None, description="every value between two is as likely")
    exponential: Exponential | None = Field(None, description="memoryless")
    lognormal: Lognormal | None = Field(None, description="a long tail, through its median and 99th percentile")
    table: Annotated[Points, TABLE, PlainSerializer(table_text)] | None = Field(
        None, description="percentiles from p0 to p100 and their durations, linear in between"
    )

    @model_validator(mode="after")
    def _check(self) -> Latency:
        raise_any(self._problems())
        return self

    def _problems(self) -> Iterator[Problem]:
        values = (self.constant_us, self.uniform, self.exponential, self.lognormal, self.table)
        given = [kind for kind, value in zip(KINDS, values, strict=True) if value is not None]
        if len(given) != 1:
            got = " and ".join(given) or MessageTexts.NONE_OF_THEM()
            kinds = [*KINDS, *self.resolved_away[:1]]
            yield Problem((), MessageTexts.EXACTLY_ONE(kinds=", ".join(kinds), got=got))

    def service_table_us(self) -> Table:
        """The lookup table of `simulator.kernel.latency.service_us`, read-only int64[EDGES]."""
        return _service_table_us(self)


@lru_cache(maxsize=256)
def _service_table_us(latency: Latency) -> Table:
    if latency.constant_us is not None:
        return table_of_points_us([(0.0, latency.constant_us), (1.0, latency.constant_us)])
    if latency.uniform is not None:
        return table_of_points_us([(0.0, latency.uniform.min_us), (1.0, latency.uniform.max_us)])
    if latency.exponential is not None:
        mean = latency.exponential.mean_us
        return table_us(lambda rank: -mean * math.log1p(-rank), lambda rank: mean * (1 - math.log1p(-rank)))
    if latency.table is not None:
        return table_of_points_us([(rank / MILLION, value_us) for rank, value_us in latency.table])
    assert latency.lognormal is not None
    return _lognormal_table_us(latency.lognormal)


def _lognormal_table_us(lognormal: Lognormal) -> Table:
    p50, sigma = lognormal.p50_us, lognormal.sigma

    def quantile_us(rank: float) -> float:
        return p50 * math.exp(sigma * NORMAL.inv_cdf(rank)) if rank > 0 else 0.0

    def mean_above_us(rank: float) -> float:
        # Partial expectation of a lognormal; cdf(-x) keeps its digits where 1 - cdf(x) would lose them.
        whole_mean = p50 * math.exp(sigma * sigma / 2)
        return whole_mean * NORMAL.cdf(sigma - NORMAL.inv_cdf(rank)) / (1 - rank)

    return table_us(quantile_us, mean_above_us)
