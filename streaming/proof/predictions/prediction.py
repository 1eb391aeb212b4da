"""What a recording and a simulated run of the same set-up have in common, and how far they may differ.

Shares within 5 points: of healthy brokers beside a troubled one the least is held against the least, and so on. Failed
messages within 20 % or 10, first avoidance and return within one step of the fault table: the shortest
notAvailableDuration that is not 0.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from simulator.outcomes import WELL
from simulator.run.simulate import Result
from simulator.tolerance import SHARE_POINTS, is_near, of_failed
from streaming.recording.recording import Recording

CREATE_TOPIC_KEY = "TBW102"
SEEN_TABLES = ("attempts", "sends", "fault_items")  # that `seen_in_run` reads

Column = npt.NDArray[Any]


@dataclass(frozen=True)
class Seen:
    """What was seen of one run; times in microseconds of the run, one entry an attempt, a message, a penalty."""

    attempt_broker: Column
    attempt_begin_us: Column
    attempt_ok: Column
    send_ok: Column
    penalty_broker: Column
    penalty_at_us: Column

    def share(self, broker: str) -> float:
        """Attempts that went to the broker, %."""
        return 100.0 * float((self.attempt_broker == broker).sum()) / max(len(self.attempt_broker), 1)

    @property
    def failed(self) -> int:
        """Messages whose caller got no SEND_OK."""
        return int((~self.send_ok).sum())

    def first_avoidance(self, broker: str, since_us: int) -> float:
        """Seconds until the first producer has penalised the broker."""
        return _first(self.penalty_at_us[self.penalty_broker == broker], since_us)

    def back(self, broker: str, since_us: int) -> float:
        """Seconds until the first message is sent to the broker that it stores."""
        return _first(self.attempt_begin_us[(self.attempt_broker == broker) & self.attempt_ok], since_us)


def _first(times_us: Column, since_us: int) -> float:
    """Seconds from then to the first of the times; inf: there is none."""
    times_us = times_us[times_us >= since_us]
    return float(times_us.min() - since_us) / 1e6 if len(times_us) else math.inf


def _numpy(table: pa.Table, name: str, fill: Any = -1) -> Column:
    column = table.column(name)
    if pa.types.is_dictionary(column.type):
        column = column.cast(pa.string())
    return np.asarray(pc.fill_null(column, fill).to_numpy(zero_copy_only=False))


def seen_in_recording(recording: Recording) -> Seen:
    """What the recorder saw; a penalty is an update that set startTimestamp later than its own moment."""
    rows = recording.rows.filter(pc.is_null(recording.rows.column("problem")))
    attempts, sends, updates = (
        rows.filter(pc.equal(rows.column("event"), event)) for event in ("attempt_end", "send_end", "fault_update")
    )
    begin = pc.coalesce(attempts.column("start_us"), attempts.column("run_us"))
    attempts = attempts.append_column("begin_us", begin)
    penalised = pc.greater(updates.column("item_start_ms"), updates.column("ms_pre"))
    updates = updates.filter(pc.fill_null(penalised, False))
    return Seen(
        attempt_broker=_numpy(attempts, "broker", ""),
        attempt_begin_us=_numpy(attempts, "begin_us"),
        attempt_ok=np.isin(_numpy(attempts, "outcome", ""), WELL),
        send_ok=np.isin(_numpy(sends, "outcome", ""), WELL),
        penalty_broker=_numpy(updates, "broker", ""),
        penalty_at_us=_numpy(updates, "ms_pre") * 1000,
    )


def topics_of(recording: Recording) -> frozenset[str]:
    """The topics that the recorded producers sent to."""
    return frozenset(pc.unique(recording.rows.column("topic")).to_pylist()) - {None, CREATE_TOPIC_KEY}


def seen_in_run(result: Result, topics: Collection[str]) -> Seen:
    """The same of a simulated run, of the producers that send to those topics only: all others are noise."""
    wanted = pa.array(sorted(topics))
    attempts, sends = (
        table.filter(pc.is_in(table.column("topic").cast(pa.string()), wanted))
        for table in (result.attempts, result.sends)
    )
    own = pc.unique(sends.column("producer"))
    items = result.fault_items.filter(pc.is_in(result.fault_items.column("producer"), own))
    start_us = _numpy(items, "start_timestamp_ms") * 1000
    at_us = _numpy(items, "at_us")
    later = (start_us > at_us) & ~_numpy(items, "removed", False)
    return Seen(
        attempt_broker=_numpy(attempts, "broker", ""),
        attempt_begin_us=_numpy(attempts, "begin_us"),
        attempt_ok=np.isin(_numpy(attempts, "outcome", ""), WELL),
        send_ok=np.isin(_numpy(sends, "result", ""), WELL),
        penalty_broker=_numpy(items, "broker", "")[later],
        penalty_at_us=at_us[later],
    )


@dataclass(frozen=True)
class Compared:
    """One figure, predicted and recorded, and how far apart they may be."""

    figure: str
    unit: str
    predicted: float
    recorded: float
    tolerance: float

    @property
    def is_met(self) -> bool:
        """Whether they are within the tolerance of each other; two times that never came are."""
        return is_near(self.predicted, self.recorded, self.tolerance)


@dataclass(frozen=True)
class Trouble:
    """When a broker's trouble began and ended, microseconds of the run."""

    broker: str
    began_us: int
    ended_us: int


def _shares(
    predicted: Seen, recorded: Seen, brokers: Sequence[str], troubled: Collection[str]
) -> Iterator[tuple[str, float, float]]:
    """Name, predicted and recorded share of every broker; healthy ones beside a troubled one by rank, least first.

    Which of them gets what the troubled one loses is decided by chance.
    """
    healthy = [broker for broker in brokers if broker not in troubled]
    ranked = healthy if troubled and len(healthy) > 1 else []
    for broker in brokers:
        if broker not in ranked:
            yield broker, predicted.share(broker), recorded.share(broker)
    shares = [sorted(seen.share(broker) for broker in ranked) for seen in (predicted, recorded)]
    for place, (one, other) in enumerate(zip(*shares, strict=True)):
        yield f"healthy {place + 1} of {len(ranked)}", one, other


def compared(
    predicted: Seen, recorded: Seen, brokers: Sequence[str], troubles: Sequence[Trouble], step_ms: int
) -> list[Compared]:
    """Every figure of a set-up with those brokers, of which some had trouble."""
    shares = _shares(predicted, recorded, brokers, {trouble.broker for trouble in troubles})
    figures = [Compared(f"share of attempts, {of}", "%", one, other, SHARE_POINTS) for of, one, other in shares]
    figures.append(Compared("failed messages", "", predicted.failed, recorded.failed, of_failed(recorded.failed)))
    for trouble in troubles:
        first = [seen.first_avoidance(trouble.broker, trouble.began_us) for seen in (predicted, recorded)]
        back = [seen.back(trouble.broker, trouble.ended_us) for seen in (predicted, recorded)]
        figures.append(Compared(f"first avoidance of {trouble.broker}", "s", first[0], first[1], step_ms / 1000))
        figures.append(Compared(f"return of {trouble.broker}", "s", back[0], back[1], step_ms / 1000))
    return figures


def troubles_of(periods: Mapping[str, Sequence[tuple[int, int]]]) -> list[Trouble]:
    """The first begin and the last end of the trouble of each broker."""
    return [
        Trouble(broker, min(at for at, _ in own), max(until for _, until in own))
        for broker, own in sorted(periods.items())
        if own
    ]
