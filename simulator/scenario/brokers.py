"""The brokers of a scenario: how long they take to store a message, and how much they do at once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from statistics import NormalDist
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field, PlainSerializer, model_validator

from simulator.client.releases import RELEASES
from simulator.consumer.broker.delay_levels import DEFAULT_LEVELS
from simulator.latency import WORDS, Table, service_us, table_of_points_us, table_us
from simulator.scenario.client_settings import Release
from simulator.scenario.consuming.keeping import Keeping
from simulator.scenario.later.delay import MessageDelayLevel
from simulator.scenario.reading.fields import (
    DURATION,
    MILLION,
    SERVICE_TIME_MAX_US,
    Flag,
    Model,
    Reads,
    ServiceTimeUs,
    TimeUs,
    WaitMs,
    choice,
    duration_us,
    whole,
)
from simulator.scenario.reading.scenario_error import Problem, ProblemsError, raise_any
from simulator.scenario.storage import (
    FLUSH_KINDS,
    ROLES,
    STORES,
    Append,
    ReleaseRules,
    Replicas,
    Slaves,
    refusal_code,
    rules_of,
)
from simulator.units import US_PER_S, format_duration, parse_duration_us, shown

SPREAD_MAX = 1_000  # p99 / p50 of a lognormal: beyond it the mean lies in values that no one has measured
NORMAL = NormalDist()
NO_TIMEOUT_US = 1 << 60
KINDS = ("constant", "uniform", "exponential", "lognormal", "table")

TIMER_MAX_DELAY_US = 3 * 86_400 * US_PER_S

PositiveUs = Annotated[int, duration_us(1, SERVICE_TIME_MAX_US), PlainSerializer(format_duration)]
TimerPrecisionUs = Annotated[int, duration_us(10_000, 10 * US_PER_S), PlainSerializer(format_duration)]
Points = tuple[tuple[int, int], ...]


class Uniform(Model):
    """Every value from `min_us` to `max_us` is as likely."""

    min_us: ServiceTimeUs = Field(alias="min", title="a duration such as 1ms", description="shortest")
    max_us: ServiceTimeUs = Field(alias="max", title="a duration such as 3ms", description="longest")

    @model_validator(mode="after")
    def _check(self) -> Uniform:
        if self.min_us > self.max_us:
            text = f"expected at least min, {format_duration(self.min_us)}, got {format_duration(self.max_us)}"
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
            text = f"expected above p50, {p50}, and at most {SPREAD_MAX} times p50, got {p99}"
            raise ProblemsError([Problem(("p99",), text)])
        return self

    @property
    def sigma(self) -> float:
        """Standard deviation of the logarithm."""
        return math.log(self.p99_us / self.p50_us) / NORMAL.inv_cdf(0.99)


def percentile_millionths(key: Any) -> int:
    """Rank in millionths of a percentile such as `p99.9`; at most four decimals."""
    text = key if isinstance(key, str) else ""
    number, _, decimals = text[1:].partition(".")
    digits = number + decimals
    if not text.startswith("p") or not number or len(digits) > 7 or not (digits.isascii() and digits.isdigit()):
        raise ValueError("expected a percentile such as p50 or p99.9 with at most four decimals")
    if len(decimals) > 4 or text.endswith("."):
        raise ValueError("expected a percentile such as p50 or p99.9 with at most four decimals")
    rank = int(number) * 10_000 + int(decimals.ljust(4, "0"))
    if rank > MILLION:
        raise ValueError("expected a percentile from p0 to p100")
    return rank


def percentile_text(rank_millionths: int) -> str:
    """The key that `percentile_millionths` reads back."""
    number, decimals = divmod(rank_millionths, 10_000)
    return f"p{number}.{decimals:04d}".rstrip("0").rstrip(".") if decimals else f"p{number}"


def table_points(value: Any) -> Points:
    """(rank in millionths, microseconds) of a mapping of percentiles to durations, both rising."""
    if not isinstance(value, dict):
        raise ValueError(f"expected a mapping of percentiles such as {{p0: 1ms, p100: 9ms}}, got {shown(value)}")
    points: list[tuple[int, int]] = []
    problems: list[Problem] = []
    for key, text in value.items():
        try:
            rank = percentile_millionths(key)
            points.append((rank, _service_time(text)))
        except ValueError as error:
            problems.append(Problem((key,), str(error)))
            continue
        if len(points) > 1 and points[-2][0] >= rank:
            problems.append(Problem((key,), f"expected a percentile above {percentile_text(points[-2][0])} before it"))
        elif len(points) > 1 and points[-2][1] > points[-1][1]:
            before = f"{percentile_text(points[-2][0])}, {format_duration(points[-2][1])}"
            problems.append(Problem((key,), f"expected at least {before}, got {format_duration(points[-1][1])}"))
    ranks = [rank for rank, _ in points]
    missing = [percentile_text(rank) for rank in (0, MILLION) if rank not in ranks]
    if missing and not problems:
        problems.append(Problem((), f"{' and '.join(missing)} missing; expected p0 and p100 among the percentiles"))
    raise_any(problems)
    return tuple(points)


def _service_time(text: Any) -> int:
    time_us = parse_duration_us(text)
    if not 0 <= time_us <= SERVICE_TIME_MAX_US:
        raise ValueError(f"expected a duration from 0us to {format_duration(SERVICE_TIME_MAX_US)}, got {shown(text)}")
    return time_us


def table_text(points: Points | None) -> dict[str, str] | None:
    """The mapping that `table_points` reads back."""
    return None if points is None else {percentile_text(rank): format_duration(us) for rank, us in points}


TABLE = Reads(
    table_points,
    expects="a mapping of percentiles such as {p0: 1ms, p100: 9ms}",
    schema={"type": "object", "patternProperties": {"^p": DURATION}, "additionalProperties": False},
)


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
            got = " and ".join(given) or "none of them"
            kinds = [*KINDS, *self.resolved_away[:1]]
            yield Problem((), f"expected exactly one of {', '.join(kinds)}, got {got}")

    def service_table_us(self) -> Table:
        """The lookup table of `simulator.latency.service_us`, read-only int64[EDGES]."""
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


def _constant(text: str) -> Latency:
    return Latency.model_validate({"constant": text})


class Broker(Keeping):
    """One broker: service time, send threads, fast failure, commit log, flush and slaves; times in microseconds.

    `send_threads` and `slave_timeout_us` are None for the release's own. Defaults: BrokerConfig and
    MessageStoreConfig, 4.2.0 to 5.3.3. What is not set costs nothing, but for fast failure, which is on.
    """

    resolved_away = ("like", "like_file", "count")

    latency: Latency = Field(
        title="a distribution such as {lognormal: {p50: 1ms, p99: 12ms}}",
        description="service time of a send thread for one message",
    )
    release: Release = Field(RELEASES[-1], description="release of the broker")
    send_threads: Annotated[int, whole(1, 1_024)] | None = Field(
        None, description="send threads; default the release's, 4 (1 up to 4.9.0)"
    )
    send_queue: Annotated[int, whole(1, 10_000_000)] = Field(
        10_000, description="capacity of the send queue; a full queue answers SYSTEM_BUSY"
    )
    fast_failure: Flag = Field(True, description="requests that wait too long are answered SYSTEM_BUSY, every 10 ms")
    wait_time_in_send_queue_ms: WaitMs = Field(
        200, alias="wait_time_in_send_queue", description="limit for fast_failure"
    )
    page_cache_busy_ms: WaitMs = Field(
        1_000, alias="page_cache_busy", description="a commit log's lock held for longer refuses every put"
    )
    append: Append | None = Field(None, description="time that a put holds the commit log's lock; default none")
    store: Annotated[Literal["writeable", "read_only", "shutting_down", "disk_full"], choice(*STORES)] = Field(
        "writeable", description="whether it takes messages"
    )
    flush: Annotated[Literal["async", "sync"], choice(*FLUSH_KINDS)] = Field(
        "async", description="sync: group commit, a put is answered when it is on the disk"
    )
    flush_latency: Latency = Field(
        default_factory=lambda: _constant("1ms"), description="duration of one flush; default {constant: 1ms}"
    )
    sync_flush_timeout_us: PositiveUs = Field(
        5_000_000, alias="sync_flush_timeout", description="time after which a put is answered FLUSH_DISK_TIMEOUT"
    )
    transient_store_pool: Flag = Field(
        False, description="messages are committed every 200 ms, and a kill loses what is not"
    )
    role: Annotated[Literal["async_master", "sync_master", "slave"], choice(*ROLES)] = Field(
        "async_master", description="sync_master: a put is answered when a slave has it"
    )
    slaves: Slaves = Field(0, description="slaves of the broker")
    slave_latency: Latency = Field(
        default_factory=lambda: _constant("1ms"),
        description="delay until a slave has a message; default {constant: 1ms}",
    )
    slave_latency_per_kib_us: ServiceTimeUs = Field(
        0, alias="slave_latency_per_kib", description="what that delay grows by for each KiB of the message"
    )
    slave_timeout_us: PositiveUs | None = Field(
        None, alias="slave_timeout", description="maximum wait for slaves; default the release's, 3 s (4.9.3 on)"
    )
    in_sync_replicas: Replicas = Field(
        1, description="replicas that must have a message, the master among them (5.0.0 and later)"
    )
    slave_acting_master: Flag = Field(False, description="a slave stands in for its master (5.0.0 and later)")
    message_delay_level: MessageDelayLevel = Field(
        DEFAULT_LEVELS, title='a text such as "1s 5s 10s 30s"', description="delays of the levels from 1 on"
    )
    delayed_delivery_us: PositiveUs = Field(
        12, alias="delayed_delivery", description="what delivering one delayed message takes its thread; default 12us"
    )
    timer_wheel_enable: Flag = Field(True, description="timerWheelEnable (5.0.0 and later)")
    timer_precision_us: TimerPrecisionUs = Field(
        US_PER_S, alias="timer_precision", title="a duration such as 1s",
        description="timerPrecisionMs: timer messages become readable in such steps; default 1s",
    )  # fmt: skip
    timer_max_delay_us: TimeUs = Field(
        TIMER_MAX_DELAY_US, alias="timer_max_delay", title="a duration such as 3d",
        description="timerMaxDelaySec: the broker refuses a longer delay; default 3d",
    )  # fmt: skip
    timer_delivery_us: PositiveUs = Field(
        62, alias="timer_delivery",
        description="what delivering one timer message takes the broker; default 62us, 500,000 in 31 s (#6566)",
    )  # fmt: skip

    @model_validator(mode="after")
    def _check(self) -> Broker:
        raise_any(self._problems())
        return self

    def _problems(self) -> Iterator[Problem]:
        if self.transient_store_pool and self.flush == "sync":
            yield Problem(("transient_store_pool",), "only flush: async has a transient store pool; drop one of them")
        if self.slave_timeout_us is not None and self.rules.slave_timeout_us is None:
            text = f"release {self.release} has no slaveTimeout, it came in 4.9.3; set sync_flush_timeout instead"
            yield Problem(("slave_timeout",), text)
        if not self.rules.counts_acks:
            for key, given in (
                ("in_sync_replicas", self.in_sync_replicas > 1),
                ("slave_acting_master", self.slave_acting_master),
            ):
                if given:
                    yield Problem((key,), f"release {self.release} has it not, it came in 5.0.0")

    @property
    def rules(self) -> ReleaseRules:
        """What the release decides."""
        return rules_of(self.release)

    @property
    def threads(self) -> int:
        """Send threads: those given, or the release's default on four or more processors."""
        return self.send_threads or self.rules.send_threads

    @property
    def acks(self) -> int:
        """Slaves that must have a message before it is answered.

        5.0.0+ counts the master among inSyncReplicas, so that its default of 1 waits for no slave.
        """
        if self.role != "sync_master":
            return 0
        return self.in_sync_replicas - 1 if self.rules.counts_acks else 1

    @property
    def refusal(self) -> int:
        """Code that every put is answered with, 0 if the broker takes messages."""
        return refusal_code(self.role, self.store, self.release)

    @property
    def flush_timeout_us(self) -> int:
        """How long a message is waited for to reach the disk."""
        return self.sync_flush_timeout_us if self.rules.flush_times_out else NO_TIMEOUT_US

    @property
    def slave_wait_us(self) -> int:
        """How long a message is waited for to reach the slaves."""
        return self.slave_timeout_us or self.rules.slave_timeout_us or self.sync_flush_timeout_us

    def service_table_us(self) -> Table:
        """The lookup table of `simulator.latency.service_us`, read-only int64[EDGES]."""
        return self.latency.service_table_us()

    def quantiles_us(self, n: int = 4097) -> Table:
        """Service time in microseconds at ranks i / (n - 1), int64[n], never falling."""
        if n < 2:
            raise ValueError(f"expected at least 2 ranks, got {n}")
        table = self.service_table_us()
        words = [min(i * WORDS // (n - 1), WORDS - 1) for i in range(n)]
        return np.array([service_us(table, word) for word in words], dtype=np.int64)
