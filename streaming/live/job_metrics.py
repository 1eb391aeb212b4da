"""The metrics of a running job as Prometheus reads them: base units, `_total` for what only grows."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from streaming.live.broker_tally import LATENCY_BOUNDS_S, US_PER_S, AvoidedNow, BrokerTally
from streaming.live.consumer_tally import GroupsNow, QueuesNow, consumer_metrics
from streaming.live.followed_table import FollowedTable
from streaming.live.metric_texts import MetricTexts
from streaming.live.put_tally import PutTally
from streaming.live.query_watch import BATCH_BOUNDS_S, QueryWatch
from streaming.outputs.kept_out import unreachable_is_out

if TYPE_CHECKING:
    from collections.abc import Mapping

    from streaming.jobs.progress import Progress

BY_BROKER = ("broker",)


def _histogram(bounds: Sequence[float], counts: Iterable[int]) -> list[tuple[str, float]]:
    names = [*(f"{bound:g}" if bound % 1 else f"{bound:.1f}" for bound in bounds), "+Inf"]
    return list(zip(names, map(float, accumulate(counts)), strict=True))


class JobMetrics:
    """A collector of prometheus_client: every scrape reads what the job wrote and counted since the last.

    speed: virtual seconds a real second, 0 = as fast as it can; due_since_s: when virtual time 0 was due by the wall
    clock, seconds since 1970, if it follows that. What was not measured is not there: nothing by broker
    unless the tables attempts and fault_items are written, no lag unless the job is paced.
    """

    def __init__(
        self, out: Path, about: Mapping[str, Any], watch: QueryWatch, speed: float, due_since_s: float | None = None
    ) -> None:
        self._watch, self._speed, self._due_since_s = watch, speed, due_since_s
        self._progress: Progress | None = None
        self._from: tuple[float, int] | None = None
        self._lock = threading.Lock()
        brokers = {name: place for place, name in enumerate(about["brokers"])}
        self._tally = BrokerTally(brokers)
        self._scraped = self._tally.attempts.copy()
        self._avoided = AvoidedNow(brokers, unreachable_is_out(about))
        self._puts = PutTally(brokers, about["topics"])
        run = str(about["run"])
        self._followed = [
            FollowedTable(out, run, "attempts", self._tally, self._puts, from_start=False),
            FollowedTable(out, run, "fault_items", self._avoided, from_start=True),
        ]
        self._queues, self._groups = QueuesNow(), GroupsNow()
        if about.get("consumer_groups"):
            self._followed += [
                FollowedTable(out, run, "stored", self._queues, from_start=False),
                FollowedTable(out, run, "consumer_windows", self._groups, from_start=False),
            ]

    def note(self, progress: Progress) -> None:
        """Take a micro-batch's progress."""
        self._progress = progress
        if self._from is None:
            self._from = time.monotonic(), progress.clock_us

    def _lag_s(self, clock_us: int) -> float | None:
        """Virtual time that is due, by the wall clock or since the first micro-batch; None without a pace."""
        if self._speed <= 0 or self._from is None:
            return None
        if self._due_since_s is not None:
            return max((time.time() - self._due_since_s) * self._speed - clock_us / US_PER_S, 0.0)
        began_s, from_us = self._from
        return max((time.monotonic() - began_s) * self._speed - (clock_us - from_us) / US_PER_S, 0.0)

    def catch_up(self) -> None:
        """Read what was written since the last time."""
        with self._lock:
            self._read()

    def _read(self) -> None:
        for table in self._followed:
            table.catch_up()

    def collect(self) -> Iterable[Metric]:
        """Everything that is known now."""
        with self._lock:
            self._read()
            new, self._scraped = self._tally.attempts - self._scraped, self._tally.attempts.copy()
            yield from self._of_job()
            yield from self._of_query()
            yield from consumer_metrics(self._queues, self._groups)
            if self._progress is not None and self._progress.cells:
                yield from self._puts.metrics(self._progress.clock_us)
            if self._tally.attempts.any():
                yield from self._of_brokers()
            if new.any():
                share = GaugeMetricFamily("sendlab_broker_share_ratio", MetricTexts.BROKER_SHARE(), labels=BY_BROKER)
                for name, place in self._tally.brokers.items():
                    share.add_metric([name], float(new[place] / new.sum()))
                yield share

    def _of_job(self) -> Iterable[Metric]:
        progress = self._progress
        if progress is None or not progress.cells:
            return
        counts, events = progress.counts(), progress.events()
        yield CounterMetricFamily("sendlab_sends", MetricTexts.SENDS(), counts["sends"])
        yield CounterMetricFamily("sendlab_send_failures", MetricTexts.FAILURES(), counts["failures"])
        yield CounterMetricFamily("sendlab_retries", MetricTexts.RETRIES(), counts["retries"])
        yield CounterMetricFamily("sendlab_rejects", MetricTexts.REJECTS(), events["rejected"])
        yield CounterMetricFamily("sendlab_events", MetricTexts.EVENTS(), events["generated"])
        clock_us = progress.clock_us
        yield GaugeMetricFamily("sendlab_virtual_time_seconds", MetricTexts.VIRTUAL_TIME(), clock_us / US_PER_S)
        lag_s = self._lag_s(clock_us)
        if lag_s is not None:
            yield GaugeMetricFamily("sendlab_virtual_time_lag_seconds", MetricTexts.TIME_LAG(), lag_s)
        avoiding = GaugeMetricFamily("sendlab_producers_avoiding", MetricTexts.PRODUCERS_AVOIDING(), labels=BY_BROKER)
        for name, count in zip(self._avoided.brokers, self._avoided.producers(clock_us), strict=True):
            avoiding.add_metric([name], float(count))
        yield avoiding

    def _of_query(self) -> Iterable[Metric]:
        watch = self._watch
        yield CounterMetricFamily("sendlab_restarts", MetricTexts.RESTARTS(), watch.restarts)
        if watch.state_rows is not None and watch.state_bytes is not None:
            yield GaugeMetricFamily("sendlab_state_rows", MetricTexts.STATE_ROWS(), watch.state_rows)
            yield GaugeMetricFamily("sendlab_state_bytes", MetricTexts.STATE_BYTES(), watch.state_bytes)
            batch = HistogramMetricFamily("sendlab_batch_duration_seconds", MetricTexts.BATCH_DURATION())
            batch.add_metric([], _histogram(BATCH_BOUNDS_S, watch.batches), watch.batch_s)
            yield batch

    def _of_brokers(self) -> Iterable[Metric]:
        tally = self._tally
        attempts = CounterMetricFamily("sendlab_attempts", MetricTexts.ATTEMPTS(), labels=BY_BROKER)
        failures = CounterMetricFamily("sendlab_attempt_failures", MetricTexts.ATTEMPT_FAILURES(), labels=BY_BROKER)
        retries = CounterMetricFamily("sendlab_attempt_retries", MetricTexts.RETRIES(), labels=BY_BROKER)
        latency = HistogramMetricFamily(
            "sendlab_attempt_latency_seconds", MetricTexts.ATTEMPT_LATENCY(), labels=BY_BROKER
        )
        for name, place in tally.brokers.items():
            attempts.add_metric([name], int(tally.attempts[place]))
            failures.add_metric([name], int(tally.failures[place]))
            retries.add_metric([name], int(tally.retries[place]))
            buckets = _histogram(LATENCY_BOUNDS_S, tally.latencies[place].tolist())
            latency.add_metric([name], buckets, float(tally.latency_us[place] / US_PER_S))
        yield from (attempts, failures, retries, latency)
