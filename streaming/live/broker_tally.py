"""What a job's tables say of each broker: attempts, failures, retries, latencies, and who avoids it now."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from streaming.outputs.dataset import codes, numbers
from streaming.outputs.kept_out import COLUMNS, kept_out_until_us
from streaming.outputs.totals import OK, ONE_WAY

US_PER_S = 1_000_000
# Upper bounds of the latency histogram, s: around the steps of the clients' latencyMax.
LATENCY_BOUNDS_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.55, 1.0, 2.0, 3.0, 5.0, 15.0)

Ints = npt.NDArray[np.int64]


class BrokerTally:
    """Rows of `attempts`, counted by broker; latencies: int64[brokers, bounds + 1], the last above them all, of
    attempts that wait for an answer.

    share: of the attempts of the last look, None before there were any.
    """

    columns = ("broker", "attempt", "begin_us", "end_us", "outcome")

    def __init__(self, brokers: dict[str, int]) -> None:
        count = len(brokers)
        self.brokers = brokers
        self.attempts, self.failures, self.retries = (np.zeros(count, np.int64) for _ in range(3))
        self.latency_us = np.zeros(count, np.int64)
        self.latencies = np.zeros((count, len(LATENCY_BOUNDS_S) + 1), np.int64)
        self._bounds_us = np.array([round(bound * US_PER_S) for bound in LATENCY_BOUNDS_S])

    def add(self, batch: pa.RecordBatch) -> None:
        """Take more attempts."""
        of, count = codes(batch.column("broker"), self.brokers), len(self.brokers)
        taken_us = numbers(batch.column("end_us")) - numbers(batch.column("begin_us"))
        outcome = codes(batch.column("outcome"), OK, strict=False)
        failed, answered = outcome < 0, outcome != ONE_WAY  # nobody waits for the answer to a one-way send
        again = numbers(batch.column("attempt")) > 1
        self.attempts += np.bincount(of, minlength=count)
        self.failures += np.bincount(of[failed], minlength=count)
        self.retries += np.bincount(of[again], minlength=count)
        self.latency_us += np.bincount(of[answered], taken_us[answered], minlength=count).astype(np.int64)
        step = np.searchsorted(self._bounds_us, taken_us)
        cell, size = of * (len(self._bounds_us) + 1) + step, self.latencies.size
        self.latencies += np.bincount(cell[answered], minlength=size).reshape(count, -1)


class AvoidedNow:
    """Rows of `fault_items`: until when each producer avoids each broker; see `kept_out_until_us`."""

    columns = ("producer", "broker", *COLUMNS)

    def __init__(self, brokers: dict[str, int], unreachable_is_out: npt.NDArray[np.bool_]) -> None:
        self.brokers = brokers
        self._until_us = np.zeros((len(unreachable_is_out), len(brokers)), np.int64)
        self._unreachable_is_out = unreachable_is_out

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next changes; of several of one item the last holds. Proxies are numbered behind the producers."""
        batch = batch.filter(pc.less(batch.column("producer"), len(self._until_us)))
        producer, broker = numbers(batch.column("producer")), codes(batch.column("broker"), self.brokers)
        self._until_us[producer, broker] = kept_out_until_us(batch, unreachable_is_out=self._unreachable_is_out)

    def producers(self, clock_us: int) -> Ints:
        """How many producers avoid each broker at that virtual time."""
        return np.count_nonzero(self._until_us > clock_us, axis=0)
