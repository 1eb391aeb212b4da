"""What is measured of a run: one number a measure, from its totals. The names are the same wherever figures are shown.

A measure is of all messages, of one producer group (`p99_ms[orders]`), or by broker (`share_percent[broker-b]`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from simulator.compiled.records import Array
from simulator.experiments.measures.consumer_measures import (
    NEEDS,
    check_backs_per_s,
    consumed_twice_percent,
    end_to_end_ms,
    lag_max,
    late_p99_ms,
    out_of_order_percent,
    passed_by,
    transaction_visible_p99_ms,
    why_not_delayed,
)
from simulator.experiments.measures.draining import count as consumer_count
from simulator.experiments.measures.draining import drain_s, why_no_drain
from simulator.experiments.measures.failures import dead_letters, retried_percent, why_no_failures
from simulator.experiments.measures.masters import no_master_us, why_no_masters
from simulator.experiments.measures.pop_measures import invisible_at_end, redelivered_percent, revived
from simulator.experiments.measures.recovery import recovery_s, why_no_recovery
from simulator.experiments.texts.measure_texts import MeasureTexts
from simulator.kernel import histogram
from simulator.run.run_totals import GROUP_COUNTS, Totals, bin_us_of
from simulator.scenario import Scenario

# How the interval of a measure is found (intervals.py).
MEAN, PERCENTILE, EVENTS, COUNT, WAIT = "mean", "percentile", "events", "count", "wait"


@dataclass(frozen=True)
class MeasuredRun:
    """A run to be measured: its totals, its scenario, and the warm-up that was cut."""

    totals: Totals
    scenario: Scenario
    warm_up_us: int

    @property
    def counted_us(self) -> int:
        """Virtual time after the warm-up."""
        return self.scenario.duration_us - self.warm_up_us

    @cached_property
    def no_master_us(self) -> tuple[int | None, ...]:
        """Counted time in which a broker had no master, in the order of the brokers; None of those that are no sets."""
        return no_master_us(self.scenario, self.warm_up_us)

    def count(self, name: str, group: int | None = None) -> int:
        """One of GROUP_COUNTS, of a producer group or of all."""
        column = self.totals.groups[:, GROUP_COUNTS.index(name)]
        return int(column.sum() if group is None else column[group])

    def latency(self, group: int | None = None) -> Array:
        """The latency histogram of a producer group or of all."""
        found: Array = self.totals.latency.sum(axis=0) if group is None else self.totals.latency[group]
        return found


@dataclass(frozen=True)
class RunMeasure:
    """What a measure means. `of_run`: of a run; `of_broker`: of a run and a broker's number, also beside `of_run`;
    `of_group`: of a run and a group (None = all); `of_consumers`: of a run and the number of a consumer group.

    kind: MEAN, PERCENTILE, EVENTS, COUNT or WAIT; per: for EVENTS, the measure that says how often it could have
    happened and how much of it one event is.
    """

    unit: str
    meaning: str
    kind: str = MEAN
    of_group: Callable[[MeasuredRun, int | None], float] | None = None
    of_run: Callable[[MeasuredRun], float] | None = None
    of_broker: Callable[[MeasuredRun, int], float] | None = None
    of_consumers: Callable[[MeasuredRun, int], float] | None = None
    per: str = ""
    scale: float = 1.0


def ratio(part: float, whole: float) -> float:
    """part / whole, nan of nothing."""
    return part / whole if whole else math.nan


def _percentile_ms(rank_ppm: int) -> Callable[[MeasuredRun, int | None], float]:
    def of(run: MeasuredRun, group: int | None) -> float:
        return histogram.percentile_us(run.latency(group), rank_ppm) / 1000

    return of


def _mean_ms(run: MeasuredRun, group: int | None) -> float:
    return ratio(run.count("took_us", group), int(run.latency(group).sum())) / 1000


def _max_queue_share(run: MeasuredRun) -> float:
    by_topic = run.totals.queue_attempts.reshape(len(run.totals.queue_attempts), -1)
    return max((ratio(100 * int(row.max()), int(row.sum())) for row in by_topic if row.sum()), default=math.nan)


def _share(run: MeasuredRun, broker: int) -> float:
    attempts = run.totals.queue_attempts.sum(axis=(0, 2))
    return ratio(100 * int(attempts[broker]), int(attempts.sum()))


def _isolated_s(run: MeasuredRun, broker: int) -> float:
    """Mean of the producers; nan of a run without messages: nobody found out how a broker is."""
    if not run.count("messages"):
        return math.nan
    return int(run.totals.isolated_us[broker]) / run.scenario.producer_count / 1e6


def _sends_per_s(run: MeasuredRun, group: int | None) -> float:
    return ratio(run.count("messages", group), run.counted_us / 1e6)


def _no_master_s(run: MeasuredRun, broker: int | None = None) -> float:
    """Of a set, or the sum of all; nan of what is no set."""
    found = [us for us in (run.no_master_us if broker is None else [run.no_master_us[broker]]) if us is not None]
    return sum(found) / 1e6 if found else math.nan


def _of(name: str, per: str = "", scale: float = 1.0) -> Callable[[MeasuredRun, int | None], float]:
    def of(run: MeasuredRun, group: int | None) -> float:
        return scale * ratio(run.count(name, group), run.count(per, group)) if per else float(run.count(name, group))

    return of


def _of_messages(name: str) -> Callable[[MeasuredRun, int | None], float]:
    """How many messages something became of; nan where there were none that it could become of."""

    def of(run: MeasuredRun, group: int | None) -> float:
        return float(run.count(name, group)) if run.count("messages", group) else math.nan

    return of


def _out_of_order(run: MeasuredRun) -> float:
    """Of the stretches that do not end within the warm-up; nan without messages after it."""
    first = run.warm_up_us // bin_us_of(run.scenario.duration_us, run.scenario.window_us)
    return float(run.totals.bins[first:, -1].sum()) if run.count("messages") else math.nan


# of groups some of whose deliveries can fail
OF_FAILURES: dict[str, RunMeasure] = {
    "dead_letters": RunMeasure(
        "", "messages that a group gave up after their last retry, in a run", COUNT,
        of_consumers=lambda run, group: dead_letters(run.totals, group),
    ),
    "retried_percent": RunMeasure(
        "%", "consumptions of a group that failed, so that the message comes again",
        of_consumers=lambda run, group: retried_percent(run.totals, run.scenario, group),
    ),
}  # fmt: skip

# of POP groups
OF_POP: dict[str, RunMeasure] = {
    "revived": RunMeasure(
        "", "deliveries that came again as a POP group did not acknowledge them in time, in a run", COUNT,
        of_consumers=lambda run, group: revived(run.totals, group),
    ),
    "redelivered_percent": RunMeasure(
        "%", "deliveries of a POP group that came again for any reason, of all",
        of_consumers=lambda run, group: redelivered_percent(run.totals, group),
    ),
    "invisible_at_end": RunMeasure(
        "", "messages that a POP group popped and that are invisible at the end of the run",
        of_consumers=lambda run, group: invisible_at_end(run.totals, group),
    ),
}  # fmt: skip

OF_OWNERS = ("unowned_s", "double_owned_s")  # of groups whose instances share the queues

CONSUMERS: dict[str, RunMeasure] = {
    "missed": RunMeasure(
        "", "messages that were deleted before a consumer group had consumed them", COUNT,
        of_consumers=lambda run, group: passed_by(run.totals, run.scenario, run.warm_up_us, group, "missed"),
    ),
    "skipped": RunMeasure(
        "", "messages that a consumer group went past without consuming them", COUNT,
        of_consumers=lambda run, group: passed_by(run.totals, run.scenario, run.warm_up_us, group, "skipped"),
    ),
    "lag_max": RunMeasure(
        "", "most messages that are stored and not consumed by a consumer group",
        of_consumers=lambda run, group: lag_max(run.totals, run.scenario, run.warm_up_us, group),
    ),
    "drain_s": RunMeasure(
        "s", "from the end of the last fault, or of the load's last step down, until a group's lag is back", WAIT,
        of_consumers=lambda run, group: drain_s(run.totals, run.scenario, run.warm_up_us, group),
    ),
    "end_to_end_p50_ms": RunMeasure(
        "ms", "median from the intended send time until a group has consumed the message", PERCENTILE,
        of_consumers=lambda run, group: end_to_end_ms(run.totals, run.scenario, run.warm_up_us, group, 500_000),
    ),
    "end_to_end_p99_ms": RunMeasure(
        "ms", "its 99th percentile", PERCENTILE,
        of_consumers=lambda run, group: end_to_end_ms(run.totals, run.scenario, run.warm_up_us, group, 990_000),
    ),
    "consumed_twice_percent": RunMeasure(
        "%", "consumptions of messages that the group had consumed before, without retries of failed ones",
        of_consumers=lambda run, group: consumed_twice_percent(run.totals, group),
    ),
    "out_of_order_percent": RunMeasure(
        "%", "messages whose first delivery ended after that of a later one of their queue",
        of_consumers=lambda run, group: out_of_order_percent(run.totals, group),
    ),
    "unowned_s": RunMeasure(
        "s", "time in which queues had no owner in a group, sum of all queues",
        of_consumers=lambda run, group: consumer_count(run.totals, group, "unowned_us") / 1e6,
    ),
    "instances_mean": RunMeasure(
        "", "instances of a group that run, mean of the windows",
        of_consumers=lambda run, group: ratio(
            consumer_count(run.totals, group, "instances"),
            len(run.totals.consumer_lag) - run.warm_up_us // run.scenario.window_us,
        ),
    ),
    "instances_changed": RunMeasure(
        "", "instances of a group that started or stopped, in a run",
        of_consumers=lambda run, group: float(consumer_count(run.totals, group, "scaled")),
    ),
    "double_owned_s": RunMeasure(
        "s", "time in which queues had several owners in a group, sum of all queues",
        of_consumers=lambda run, group: consumer_count(run.totals, group, "double_owned_us") / 1e6,
    ),
    **OF_FAILURES,
    **OF_POP,
}  # fmt: skip

# of messages that become readable later than they are stored
OF_LATER: dict[str, RunMeasure] = {
    "late_p99_ms": RunMeasure(
        "ms", "how long after its time a delayed message became readable, 99th percentile", PERCENTILE,
        of_run=lambda run: late_p99_ms(run.totals, None),
        of_broker=lambda run, broker: late_p99_ms(run.totals, broker),
    ),
    "check_backs_per_s": RunMeasure(
        "/s", "check-backs of half messages a second",
        of_run=lambda run: check_backs_per_s(run.totals, None, run.counted_us),
        of_broker=lambda run, broker: check_backs_per_s(run.totals, broker, run.counted_us),
    ),
    "transaction_visible_p99_ms": RunMeasure(
        "ms", "from the intended send time until a transaction message is readable, 99th percentile", PERCENTILE,
        of_group=lambda run, group: transaction_visible_p99_ms(run.totals, group),
    ),
}  # fmt: skip

MEASURES: dict[str, RunMeasure] = {
    "failed_percent": RunMeasure(
        "%", "messages whose caller got an error or a status other than SEND_OK", EVENTS,
        of_group=_of("failed", "messages", 100), per="messages", scale=100,
    ),
    "failed_messages": RunMeasure("", "their number in a run", EVENTS, of_group=_of_messages("failed")),
    "lost": RunMeasure("", "acknowledged messages without a durable copy, in a run", EVENTS,
                       of_group=_of_messages("lost")),
    "lost_unseen": RunMeasure("", "one-way messages without a durable copy, in a run", EVENTS,
                              of_group=_of_messages("lost_unseen")),
    "not_stored": RunMeasure("", "failed messages without a durable copy, in a run", EVENTS,
                             of_group=_of_messages("not_stored")),
    "copies_per_message": RunMeasure("", "copies that brokers store of a message", of_group=_of("copies", "messages")),
    "attempts_per_message": RunMeasure("", "attempts made for a message", of_group=_of("attempts", "messages")),
    "mean_ms": RunMeasure("ms", "mean time from a message's arrival to its end", of_group=_mean_ms),
    "p50_ms": RunMeasure("ms", "its median", PERCENTILE, of_group=_percentile_ms(500_000)),
    "p99_ms": RunMeasure("ms", "its 99th percentile", PERCENTILE, of_group=_percentile_ms(990_000)),
    "p999_ms": RunMeasure("ms", "its 99.9th percentile", PERCENTILE, of_group=_percentile_ms(999_000)),
    "max_queue_share_percent": RunMeasure(
        "%", "part of its topic's attempts that the busiest queue gets", of_run=_max_queue_share
    ),
    "share_percent": RunMeasure("%", "part of all attempts that a broker gets", of_broker=_share),
    "isolated_s": RunMeasure(
        "s", "how long a broker is isolated, mean of the producers", of_broker=_isolated_s
    ),
    "sends_per_s": RunMeasure("/s", "messages a second", of_group=_sends_per_s),
    "out_of_order": RunMeasure(
        "", "copies stored after a later message of their thread and key, in a run", EVENTS,
        of_run=_out_of_order,
    ),
    "recovery_s": RunMeasure(
        "s", "from the end of the last fault until shares and p99 are back", WAIT,
        of_run=lambda run: recovery_s(run.totals, run.scenario, run.warm_up_us),
    ),
    "no_master_s": RunMeasure(
        "s", "time in which no machine of a broker's set was its master and answered, sum of all sets",
        of_run=_no_master_s, of_broker=_no_master_s,
    ),
    **CONSUMERS,
    **OF_LATER,
    "messages": RunMeasure("", "messages in a run after the warm-up", of_group=_of("messages")),
    "warm_up_messages": RunMeasure("", "messages that were cut with the warm-up",
                                of_group=_of("warm_up")),
    "drained_messages": RunMeasure("", "messages that were in flight at the end and let end",
                                of_group=_of("drained")),
}  # fmt: skip


def plain(measure: str) -> str:
    """The name of a measure without the broker or group in brackets."""
    return measure.partition("[")[0]


Measured = Callable[[MeasuredRun], float]


def _at(of: Callable[[MeasuredRun, Any], float], place: int | None) -> Measured:
    return lambda run: of(run, place)


def _ways(scenario: Scenario) -> Iterator[tuple[str, Measured]]:
    """How each measure of a scenario's runs is found, by its name."""
    groups = [group.group for group in scenario.producers]
    for name, measure in MEASURES.items():
        if name == "out_of_order" and not has_order(scenario):
            continue
        if measure.of_run is not None:
            yield name, measure.of_run
        if measure.of_broker is not None:
            for number, broker in enumerate(scenario.brokers):
                yield f"{name}[{broker}]", _at(measure.of_broker, number)
        elif measure.of_consumers is not None:
            for number, consumers in enumerate(scenario.consumers):
                if name in OF_FAILURES and why_no_failures(name, scenario, consumers) is not None:
                    continue
                if name in OF_POP and not scenario.consumers[consumers].is_pop:
                    continue
                if name in OF_OWNERS and not scenario.consumers[consumers].shares_queues:
                    continue
                yield f"{name}[{consumers}]", _at(measure.of_consumers, number)
        elif measure.of_group is not None:
            yield name, _at(measure.of_group, None)
            for number, group in enumerate(groups if len(groups) > 1 else ()):
                yield f"{name}[{group}]", _at(measure.of_group, number)


def measures_of(run: MeasuredRun, wanted: Collection[str] | None = None) -> dict[str, float]:
    """Every measure of a run that has a value, or of those that are wanted; `inf` for a recovery that was not seen."""
    ways = _ways(run.scenario)
    found = {name: of(run) for name, of in ways if wanted is None or name in wanted}
    return {name: value for name, value in found.items() if not math.isnan(value)}


def known_measures(scenario: Scenario) -> list[str]:
    """The names that `measures_of` can give for a scenario."""
    groups = [group.group for group in scenario.producers]
    names = []
    for name, measure in MEASURES.items():
        of_each = measure.of_broker is not None or (measure.of_consumers is not None and scenario.consumers)
        names += [] if of_each and measure.of_run is None else [name]
        if measure.of_group is not None and len(groups) > 1:
            names += [f"{name}[{group}]" for group in groups]
        if measure.of_broker is not None:
            names += [f"{name}[{broker}]" for broker in scenario.brokers]
        if measure.of_consumers is not None:
            names += [f"{name}[{consumers}]" for consumers in scenario.consumers]
    return names


def why_not_measured(measure: str, scenario: Scenario, warm_up_us: int) -> str | None:
    """Why no run of a scenario has a measure that is known, None if its runs can have it."""
    if plain(measure) in CONSUMERS and not scenario.consumers:
        return MeasureTexts.NO_CONSUMERS()
    if plain(measure) in OF_FAILURES:
        group = measure.partition("[")[2].removesuffix("]")
        if (why := why_no_failures(plain(measure), scenario, group)) is not None:
            return why
    if plain(measure) in OF_POP:
        group = measure.partition("[")[2].removesuffix("]")
        if group not in scenario.consumers or not scenario.consumers[group].is_pop:
            return MeasureTexts.PULLS(group=group or MeasureTexts.EVERY_GROUP())
    if plain(measure) in OF_OWNERS:
        group = measure.partition("[")[2].removesuffix("]")
        if group in scenario.consumers and not scenario.consumers[group].shares_queues:
            return MeasureTexts.SHARES_NO_QUEUES(group=group)
    if plain(measure) in NEEDS:
        return why_not_delayed(measure, scenario)
    if plain(measure) == "drain_s":
        return why_no_drain(scenario)
    if plain(measure) == "no_master_s":
        return why_no_masters(measure, scenario)
    if measure == "recovery_s":
        return why_no_recovery(scenario, warm_up_us)
    if measure == "out_of_order" and not has_order(scenario):
        return MeasureTexts.ORDER_NOT_CHECKED()
    return None


def has_order(scenario: Scenario) -> bool:
    """Whether the order of some topic's messages is looked at."""
    return any(topic.check_order for topic in scenario.topics.values())
