"""What callers and single attempts waited, as a log has it: from the call of send() on, not from the message's arrival.

A log does not say how long a message waited for a free thread before, so where a simulated run is held against a
recording that is left out of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from simulator import codes, tolerance
from simulator.calibrate.attempts import Ints, TraceAttempts
from simulator.calibrate.producers.senders import messages_of
from simulator.kernel import histogram
from simulator.plan.run_plan import Plan
from simulator.run.cell import Cell
from simulator.run.run_totals import BIN_COUNTS, GROUP_COUNTS, Totals, bin_us_of, queue_ids, total_on
from simulator.scenario import Scenario

OK, NO_MASTER = codes.OUTCOME_NAMES[codes.SEND_OK], codes.OUTCOME_NAMES[codes.NO_MASTER]
PERCENTILES = (("p50_half_us", 0.5), ("p99_half_us", 0.99))


@dataclass
class RunLatencies:
    """Of sends: number of the producer group, end and length; of attempts: length. Chunks of int64 arrays, us."""

    sends: list[tuple[Ints, Ints, Ints]] = field(default_factory=list)
    attempts: list[Ints] = field(default_factory=list)
    is_answered_only: bool = False

    def take(self, name: str, rows: pa.Table) -> None:
        """Take finished rows of the tables sends and attempts."""
        begin, end = (np.asarray(rows.column(key), np.int64) for key in ("begin_us", "end_us"))
        if name == "attempts":
            outcome = rows.column("outcome").combine_chunks().cast(pa.string()).to_numpy(zero_copy_only=False)
            self.attempts.append((end - begin)[outcome == OK if self.is_answered_only else outcome != NO_MASTER])
        else:
            made = np.asarray(rows.column("attempts")) > 0
            group = np.asarray(rows.column("producer_group").combine_chunks().cast(pa.string()).to_numpy(False))
            self.sends.append((group[made], end[made], (end - begin)[made]))

    @property
    def caller_us(self) -> Ints:
        """How long callers waited."""
        return np.concatenate([took for *_, took in self.sends]) if self.sends else np.empty(0, np.int64)

    @property
    def attempt_us(self) -> Ints:
        """How long attempts took."""
        return np.concatenate(self.attempts) if self.attempts else np.empty(0, np.int64)


def recorded_waits(attempts: TraceAttempts) -> RunLatencies:
    """The same of a trace."""
    rows, begin_us, end_us = messages_of(attempts)
    shown = attempts.outcome == codes.SEND_OK if attempts.answered_only else attempts.asked > 0
    sends = attempts.producer[rows], end_us, end_us - begin_us
    return RunLatencies([sends], [(attempts.end_us - attempts.begin_us)[shown]], attempts.answered_only)


def totals_of(plan: Plan, scenario: Scenario, *, is_answered_only: bool = False) -> tuple[Totals, RunLatencies]:
    """What a run comes to, its latencies those of its callers, and the latencies themselves."""
    waits, found = RunLatencies(is_answered_only=is_answered_only), None
    for own in plan.cells:
        cell = Cell(own, ("attempts", "sends"), uses_up=True)
        totals = total_on(plan, cell, queue_ids(scenario), 0, waits.take)
        found = totals if found is None else found.plus(totals)
    assert found is not None
    return _with_waits(found, waits, scenario), waits


def _with_waits(totals: Totals, waits: RunLatencies, scenario: Scenario) -> Totals:
    """The totals with the latencies of callers."""
    latency, groups, bins = np.zeros_like(totals.latency), totals.groups.copy(), totals.bins.copy()
    for number, group in enumerate(scenario.producers):
        own = [took[of == group.group] for of, _, took in waits.sends]
        took_us = np.concatenate(own) if own else np.empty(0, np.int64)
        histogram.add(latency[number], took_us)
        groups[number, GROUP_COUNTS.index("took_us")] = int(took_us.sum())
    end_us = np.concatenate([end for _, end, _ in waits.sends]) if waits.sends else np.empty(0, np.int64)
    at = np.clip(end_us // bin_us_of(scenario.duration_us, scenario.window_us), 0, len(bins) - 1)
    fill_percentiles(bins, at, waits.caller_us)
    return replace(totals, latency=latency, groups=groups, bins=bins)


def fill_percentiles(bins: Ints, at: Ints, took_us: Ints) -> None:
    """Write p50 and p99 of each bin, in half microseconds, -1 where it has no message; `at`: the bin of each."""
    order = np.argsort(at, kind="stable")
    edges = np.searchsorted(at[order], np.arange(len(bins) + 1))
    for number in range(len(bins)):
        own = took_us[order[edges[number] : edges[number + 1]]]
        for name, rank in PERCENTILES:
            bins[number, BIN_COUNTS.index(name)] = round(2 * float(np.quantile(own, rank))) if len(own) else -1


@dataclass(frozen=True)
class ControlFigure:
    """A figure of the control, the mean of its runs, beside the recorded one. tolerance: allowed difference."""

    name: str
    unit: str
    model: float
    recorded: float
    tolerance: float

    @property
    def is_shown(self) -> bool:
        """Whether the control shows what was recorded."""
        return tolerance.is_near(self.model, self.recorded, self.tolerance)


def latency_figures(recorded: RunLatencies, runs: Sequence[RunLatencies], resolution_us: int) -> list[ControlFigure]:
    """Attempt latency and caller latency, p50 and p99 of each, of the runs and of the recording."""
    found = []
    waits = (recorded, *runs)
    measured = {
        "attempt latency": [one.attempt_us for one in waits],
        "caller latency": [one.caller_us for one in waits],
    }
    for name, values in measured.items():
        for rank in (0.5, 0.99) if all(map(len, values)) else ():
            own, *theirs = (float(np.quantile(one, rank)) / 1e3 for one in values)
            near = tolerance.of_latency_ms(own, resolution_us / 1e3)
            found.append(ControlFigure(f"p{100 * rank:g} {name}", "ms", float(np.mean(theirs)), own, near))
    return found
