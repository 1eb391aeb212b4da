"""What clients of one release met as a replica set lost its master: in a recording, and in a simulated run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from simulator.client.routes.queue_list import MASTER_ID
from simulator.plan.failover.failover_effects import all_effects, set_control, set_histories
from simulator.plan.route_plan import route_plan
from simulator.run.simulate import Result
from simulator.scenario import Scenario
from streaming.proof.consumers.consumer_recording import ConsumerRecording
from streaming.proof.consumers.group_figures import GroupFigure

Numbers = npt.NDArray[Any]
TABLES = ("attempts", "sends", "consumed", "elections")
LIVE_MS = 5_000  # the first sends and pulls of a recording are its start
NOT_STORED = ("ERROR", "NOTSENT")
SENDER, READER = "p", "c"
LEADS_AFTER = "another controller leads after"


@dataclass(frozen=True)
class SetSeen:
    """Times in ms of the recording. lost: None where no epoch is noted. stored, consumed: of queues of the set.

    until_ms: begin of the last send, to whichever broker: who has had nothing by then has had nothing until the end.
    """

    until_ms: int
    failed_sends: int
    failed_attempts: int
    stored_ms: Numbers
    consumed_ms: Mapping[int, Numbers]
    lost: int | None
    never_consumed: int

    def figures(self) -> Iterator[GroupFigure]:
        """Every figure of it."""
        yield GroupFigure("sends that failed", self.failed_sends, "messages")
        yield GroupFigure("attempts at the set that failed", self.failed_attempts, "messages")
        yield GroupFigure("the set stores nothing for", longest_gap_s(self.stored_ms, self.until_ms), "s")
        silences = [longest_gap_s(own, self.until_ms) for own in self.consumed_ms.values()]
        yield GroupFigure("a queue of the set is silent for", max(silences, default=math.inf), "s")
        if self.lost is not None:
            yield GroupFigure("acknowledged, lost", self.lost, "messages")
        yield GroupFigure("acknowledged, never consumed", self.never_consumed, "messages")


def longest_gap_s(times_ms: Numbers, until_ms: int) -> float:
    """The longest time between two of them, or from the last of them to the end, in seconds."""
    in_order = np.sort(np.append(times_ms, max(until_ms, times_ms.max(initial=0))))
    return float(np.diff(in_order).max(initial=0)) / 1000


def column(table: pa.Table, name: str) -> Numbers:
    """A column of a table."""
    found: Numbers = table.column(name).to_numpy(zero_copy_only=False)
    return found


def seen_in_recording(recording: ConsumerRecording, release: str, name: str, target: str) -> SetSeen:
    """What clients such as p-533 met; `name`: of the set, `target`: its process that was master, such as broker-a.1."""
    sends = recording.rows("send").filter(pc.equal(recording.rows("send")["who"], f"{SENDER}-{release}"))
    answers, keys = column(sends, "c"), column(sends, "key")
    is_stored = ~np.isin(answers, NOT_STORED)
    queues = column(sends, "queue").astype(str)
    ended_ms = column(sends, "time_ms") + np.array(column(sends, "b"), np.int64)
    at_set = np.char.startswith(queues, f"{name}:")
    attempts = recording.rows("attempt")
    mine = attempts.filter(pc.equal(attempts["who"], f"{SENDER}-{release}"))
    struck = np.char.startswith(column(mine, "a").astype(str), f"{name}.")
    consumed = recording.rows("consume")
    readers = pc.and_(pc.ends_with(consumed["who"], f"-{release}"), pc.starts_with(consumed["who"], READER))
    consumed = consumed.filter(readers)
    acknowledged = keys[answers == "SEND_OK"]
    return SetSeen(
        until_ms=int(column(sends, "time_ms").max()),
        failed_sends=int((answers == NOT_STORED[0]).sum()),
        failed_attempts=int(struck.sum()),
        stored_ms=live(ended_ms[is_stored & at_set]),
        consumed_ms=dict(_by_queue(consumed, name)),
        lost=_lost(recording, sends, name, target),
        never_consumed=int((~np.isin(acknowledged, column(consumed, "key"))).sum()),
    )


def most_at_once(recording: ConsumerRecording, who: str) -> int:
    """Messages of a producer that were under way at once, at most: the threads of its pool, which takes an idle one."""
    sends = recording.rows("send")
    sends = sends.filter(pc.equal(sends["who"], who))
    begins_ms = column(sends, "time_ms")
    ends_ms = begins_ms + np.array(column(sends, "b"), np.int64)
    steps = np.concatenate([np.ones(len(begins_ms), np.int64), -np.ones(len(ends_ms), np.int64)])
    order = np.lexsort((steps, np.concatenate([begins_ms, ends_ms])))
    return int(np.cumsum(steps[order]).max(initial=1))


def live(times_ms: Numbers) -> Numbers:
    """Those of times in ms that are not of a recording's start."""
    return times_ms[times_ms >= LIVE_MS]


def _by_queue(consumed: pa.Table, name: str) -> Iterator[tuple[int, Numbers]]:
    queues = column(consumed, "queue").astype(str)
    for queue in np.unique(queues[np.char.startswith(queues, f"{name}:")]):
        yield int(queue.partition(":")[2]), live(column(consumed, "time_ms")[queues == queue])


def _lost(recording: ConsumerRecording, sends: pa.Table, name: str, target: str) -> int | None:
    """Messages that the old master acknowledged behind the begin of the next epoch; None where no epoch is noted."""
    begins = [
        int(row["x"].rpartition("epoch:2;startOffset:")[2].partition(";")[0].rstrip("]} "))
        for row in recording.rows("epoch").to_pylist()
        if row["queue"].startswith(f"{name}.") and row["queue"] != target and "epoch:2;startOffset:" in (row["x"] or "")
    ]
    if not begins:
        return None
    places = [text.partition("+") for text in column(sends, "x").astype(str)[column(sends, "c") == "SEND_OK"]]
    return sum(process == target and int(offset) >= begins[0] for process, _, offset in places)


def seen_in_run(run: Result, producers: str, group: str, name: str, begin_ms: int) -> SetSeen:
    """The same of a simulated run; `begin_ms`: when it begins, in the recording's time."""
    attempts, sends = (rows_of(run.tables[table], "producer_group", producers) for table in ("attempts", "sends"))
    consumed = rows_of(run.tables["consumed"], "consumer_group", group)
    is_ok = np.array(attempts["outcome"].to_pylist()) == "SEND_OK"
    at_set = np.array(attempts["broker"].to_pylist()) == name
    of_set = np.array(consumed["broker"].to_pylist()) == name
    at_ms = column(consumed, "begin_us") // 1000 + begin_ms
    queues = column(consumed, "queue_id")
    return SetSeen(
        until_ms=int(column(sends, "begin_us").max()) // 1000 + begin_ms,
        failed_sends=int((~column(sends, "acknowledged")).sum()),
        failed_attempts=int((at_set & ~is_ok).sum()),
        stored_ms=live(column(attempts, "end_us")[at_set & is_ok] // 1000 + begin_ms),
        consumed_ms={int(q): live(at_ms[of_set & (queues == q)]) for q in np.unique(queues[of_set])},
        lost=int(column(sends, "lost").sum()),
        never_consumed=never_consumed(run, producers, sends, consumed),
    )


def _first_senders(threads: Mapping[str, int], producers: str) -> int:
    """The number of a group's first sender thread among all: each group is one producer."""
    first = 0
    for name, count in threads.items():
        if name == producers:
            break
        first += count
    return first


def rows_of(table: pa.Table, place: str, name: str) -> pa.Table:
    """The rows of a table that have a name in one of its columns."""
    return table.filter(pc.equal(pc.cast(table[place], pa.string()), name))


def never_consumed(run: Result, producers: str, sends: pa.Table, consumed: pa.Table) -> int:
    """How many of a group's acknowledged messages were not consumed until the end of a run."""
    threads = {group.group: group.threads for group in run.scenario.producers}
    first = _first_senders(threads, producers)
    sent = zip((first + column(sends, "thread")).tolist(), column(sends, "send_seq").tolist(), strict=True)
    read = {*zip(column(consumed, "sender").tolist(), column(consumed, "send_seq").tolist(), strict=True)}
    acknowledged = column(sends, "acknowledged").tolist()
    return sum(own and key not in read for own, key in zip(acknowledged, sent, strict=True))


def _is_another(said: str, name: str) -> bool:
    """Whether a controller names a master, and not the first one: it may answer nothing, or that it does not lead."""
    return said.startswith("master=") and "master=null" not in said and f" {name}.1 " not in said


def led_in_recording(recording: ConsumerRecording, at_ms: int) -> Sequence[GroupFigure]:
    """When another controller said that it leads, in seconds after the one that led was killed."""
    led = [
        row["time_ms"]
        for row in recording.rows("ctl_leader").to_pylist()
        if row["time_ms"] > at_ms and "is=true" in row["x"]
    ]
    return [GroupFigure(LEADS_AFTER, (led[0] - at_ms) / 1000 if led else math.inf, "s")]


def led_in_plan(scenario: Scenario, at_us: int) -> Sequence[GroupFigure]:
    """The same of a scenario."""
    led = [(until_us - at_us) / 1e6 for from_us, until_us in set_control(scenario).gaps if from_us == at_us]
    return [GroupFigure(LEADS_AFTER, led[0] if led else math.inf, "s")]


def elected_in_recording(recording: ConsumerRecording, name: str, at_ms: int) -> Sequence[GroupFigure]:
    """When the controller had another master, and when name servers named it, in seconds after the fault."""
    decided = [
        row["time_ms"]
        for row in recording.rows("controller").to_pylist()
        if row["queue"] == name and row["time_ms"] >= at_ms and _is_another(row["x"], name)
    ]
    named = [
        row["time_ms"]
        for row in recording.rows("route").to_pylist()
        if row["time_ms"] > at_ms and f"{name}#0=" in row["x"] and f"{name}#0={name}.1 " not in row["x"] + " "
    ]
    found = [GroupFigure("another master is elected after", (decided[0] - at_ms) / 1000, "s")] if decided else []
    return [*found, GroupFigure("name servers name it after", (named[0] - at_ms) / 1000 if named else math.inf, "s")]


def elected_in_run(run: Result, name: str, at_us: int) -> Sequence[GroupFigure]:
    """The same of a simulated run."""
    rows = [row for row in run.tables["elections"].to_pylist() if row["broker"] == name and row["machine"] is not None]
    elected, named = (rows[0][key] / 1e6 - at_us / 1e6 if rows else math.inf for key in ("at_us", "named_us"))
    found = [GroupFigure("another master is elected after", elected, "s")]
    return [*found, GroupFigure("name servers name it after", named, "s")]


def acting_in_plan(scenario: Scenario, name: str, at_us: int) -> GroupFigure:
    """When a name server of a scenario lists a broker without its master, whose slave acts for it, after the fault."""
    routes = route_plan(scenario, all_effects(scenario, {}, set_histories(scenario)))
    named = [
        (from_us - at_us) / 1e6
        for timeline in routes.timelines[0]
        for from_us, version in timeline
        if from_us >= at_us and version >= 0 and MASTER_ID not in routes.versions[version].broker_ids.get(name, {0})
    ]
    return GroupFigure("name servers name it after", min(named, default=math.inf), "s")
