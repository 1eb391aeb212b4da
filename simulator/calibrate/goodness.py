"""How well a fitted scenario shows what the trace shows: share by share, quantile by quantile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from simulator import codes, tolerance
from simulator.calibrate.attempts import TraceAttempts
from simulator.run.simulate import Result, simulate
from simulator.scenario import Scenario

ATTEMPTS_PART = 0.05
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999)
JUDGED_TO = 0.99  # a rarer quantile hangs on single requests, and on faults that struck by chance

Reals = npt.NDArray[np.float64]


@dataclass(frozen=True)
class FittedFigure:
    """One figure: of the fitted runs on average, the least and greatest of them, and of the trace.

    tolerance: how far apart they may be; None: it is shown, not judged.
    """

    name: str
    unit: str
    fitted: float
    least: float
    greatest: float
    recorded: float
    tolerance: float | None

    @property
    def is_met(self) -> bool:
        """Whether it is within its tolerance."""
        return self.tolerance is None or tolerance.is_near(self.fitted, self.recorded, self.tolerance)


@dataclass(frozen=True)
class SeenAttempts:
    """The attempts of the trace or of a run: place of the broker, begin, latency, whether SEND_OK; failed messages."""

    broker: npt.NDArray[np.int64]
    begin_us: npt.NDArray[np.int64]
    latency_ms: Reals
    ok: npt.NDArray[np.bool_]
    failed: int

    def share(self, broker: int) -> float:
        """Attempts on the broker, %."""
        return 100.0 * float((self.broker == broker).sum()) / max(len(self.broker), 1)

    def quantile_ms(self, broker: int, rank: float) -> float:
        """Latency of the answers of a broker."""
        own = self.latency_ms[(self.broker == broker) & self.ok]
        return float(np.quantile(own, rank)) if len(own) else float("nan")


def seen_in_trace(attempts: TraceAttempts) -> SeenAttempts:
    """The attempts of a trace."""
    return SeenAttempts(
        attempts.broker, attempts.begin_us, (attempts.end_us - attempts.begin_us) / 1e3,
        (attempts.outcome == codes.SEND_OK) & (attempts.asked > 0), attempts.failed_messages,
    )  # fmt: skip


def seen_in_run(result: Result, brokers: Sequence[str]) -> SeenAttempts:
    """The attempts of a simulated run; `brokers`: the names of the trace, in its order."""
    table = result.attempts
    names = table.column("broker").cast(pa.string()).to_pylist()
    places = {name: place for place, name in enumerate(brokers)}
    begin_us = table.column("begin_us").to_numpy()
    results = result.sends.column("result").cast(pa.string()).to_numpy(zero_copy_only=False)
    return SeenAttempts(
        np.array([places.get(name, -1) for name in names], np.int64),
        begin_us,
        (table.column("end_us").to_numpy() - begin_us) / 1e3,
        np.asarray(table.column("outcome").cast(pa.string()).to_numpy(zero_copy_only=False) == "SEND_OK"),
        int((~np.isin(results, ("SEND_OK", *codes.SEND_STATUS_CODES))).sum()),
    )


@dataclass(frozen=True)
class Goodness:
    """The figures, and what was seen in the trace and in each run."""

    figures: tuple[FittedFigure, ...]
    recorded: SeenAttempts
    runs: tuple[SeenAttempts, ...]
    brokers: tuple[str, ...]

    @property
    def misses(self) -> tuple[FittedFigure, ...]:
        """Figures that are out of their tolerance."""
        return tuple(figure for figure in self.figures if not figure.is_met)


def goodness_of(scenario: Scenario, attempts: TraceAttempts, runs: int) -> Goodness:
    """Simulate the scenario with that many seeds, its own first, and hold the runs against the trace."""
    recorded = seen_in_trace(attempts)
    seeds = [scenario.model_copy(update={"seed": scenario.seed + number}) for number in range(runs)]
    seen = tuple(seen_in_run(simulate(one, tables=("attempts", "sends")), attempts.brokers) for one in seeds)
    return Goodness(tuple(_figures(recorded, seen, attempts)), recorded, seen, attempts.brokers)


def _figures(recorded: SeenAttempts, runs: Sequence[SeenAttempts], attempts: TraceAttempts) -> Iterator[FittedFigure]:
    for place, name in enumerate(attempts.brokers):
        shares = [run.share(place) for run in runs]
        yield _figure(f"share of attempts, {name}", "%", shares, recorded.share(place), tolerance.SHARE_POINTS)
    counts = [float(len(run.broker)) for run in runs]
    total = len(recorded.broker)
    yield _figure("attempts", "", counts, total, ATTEMPTS_PART * total)
    if not attempts.answered_only:
        failed, allowed = [float(run.failed) for run in runs], tolerance.of_failed(recorded.failed)
        yield _figure("failed messages", "", failed, recorded.failed, allowed)
    for place, name in enumerate(attempts.brokers):
        for rank in QUANTILES:
            value = recorded.quantile_ms(place, rank)
            fitted = [run.quantile_ms(place, rank) for run in runs]
            fitted = [one for one in fitted if not np.isnan(one)]
            if np.isnan(value) or not fitted:
                continue
            near = tolerance.of_latency_ms(value) if rank <= JUDGED_TO else None
            yield _figure(f"latency p{100 * rank:g}, {name}", "ms", fitted, value, near)


def _figure(name: str, unit: str, fitted: list[float], recorded: float, near: float | None) -> FittedFigure:
    return FittedFigure(name, unit, float(np.mean(fitted)), min(fitted), max(fitted), recorded, near)
