"""What clients met while no name server was there: in a recording, and in a simulated run.

Clients that ran before: a producer `p-RELEASE` and two consumers. Those that start meanwhile: a third consumer of the
group, and a producer `pn-RELEASE` of a topic that does not exist yet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from simulator.run.simulate import Result
from streaming.proof.consumers.consumer_recording import ConsumerRecording
from streaming.proof.consumers.group_figures import GroupFigure
from streaming.proof.failovers.failover_seen import READER, Numbers, column, longest_gap_s, never_consumed, rows_of

Gone = tuple[int, int]
Placed = tuple[str, GroupFigure]  # of whom, and what
OK = "SEND_OK"
INSTANCES = "instances that consume"


def without_name_server_in_recording(recording: ConsumerRecording, release: str, gone: Gone) -> Iterator[Placed]:
    """Every figure of the clients of one release; `gone`: from when to when nobody answered, ms."""
    sends, consumed = recording.rows("send"), recording.rows("consume")
    own = sends.filter(pc.equal(sends["who"], f"p-{release}"))
    readers = pc.and_(pc.ends_with(consumed["who"], f"-{release}"), pc.starts_with(consumed["who"], READER))
    consumed = consumed.filter(readers)
    acknowledged = column(own, "key")[column(own, "c") == OK]
    missed = int((~np.isin(acknowledged, column(consumed, "key"))).sum())
    of_group = _seen(consumed, column(consumed, "queue").astype(str), column(consumed, "time_ms"), gone, "who")
    failed = int((column(own, "c") != OK).sum())
    for figure in (GroupFigure("sends that failed", failed, "messages"), *of_group):
        yield f"g{release}", figure
    yield f"g{release}", GroupFigure("acknowledged, never consumed", missed, "messages")
    new = sends.filter(pc.equal(sends["who"], f"pn-{release}"))
    yield from _of_new_topic(f"pn-{release}", column(new, "c") == OK, column(new, "time_ms"), gone[0])


def without_name_server_in_run(run: Result, release: str, begin_ms: int, gone: Gone) -> Iterator[Placed]:
    """The same of a simulated run; `begin_ms`: when it begins, in the recording's time."""
    own, new = (rows_of(run.tables["sends"], "producer_group", f"{who}-{release}") for who in ("p", "pn"))
    consumed = rows_of(run.tables["consumed"], "consumer_group", f"g{release}")
    places = zip(consumed["broker"].to_pylist(), consumed["queue_id"].to_pylist(), strict=True)
    queues = np.array([f"{broker}:{queue}" for broker, queue in places])
    times_ms = column(consumed, "begin_us") // 1000 + begin_ms
    failed = int((~column(own, "acknowledged")).sum())
    of_group = _seen(consumed, queues, times_ms, gone, "instance")
    for figure in (GroupFigure("sends that failed", failed, "messages"), *of_group):
        yield f"g{release}", figure
    missed = never_consumed(run, f"p-{release}", own, consumed)
    yield f"g{release}", GroupFigure("acknowledged, never consumed", missed, "messages")
    yield from _of_new_topic(
        f"pn-{release}", column(new, "acknowledged"), column(new, "begin_us") // 1000 + begin_ms, gone[0]
    )


def _seen(consumed: pa.Table, queues: Numbers, times_ms: Numbers, gone: Gone, who: str) -> Iterator[GroupFigure]:
    meanwhile = (times_ms >= gone[0]) & (times_ms < gone[1])
    silences = [longest_gap_s(times_ms[meanwhile & (queues == queue)], gone[1]) for queue in np.unique(queues)]
    yield GroupFigure("a queue is silent meanwhile for", max(silences, default=math.inf), "s")
    yield GroupFigure(INSTANCES, len(set(consumed[who].to_pylist())), "messages")


def _of_new_topic(who: str, is_ok: Numbers, times_ms: Numbers, at_ms: int) -> Iterator[Placed]:
    first_s = (times_ms[is_ok].min() - at_ms) / 1000 if is_ok.any() else math.inf
    yield who, GroupFigure("sends of the new topic that failed", int((~is_ok).sum()), "messages")
    yield who, GroupFigure("the new topic is stored, since the fault", float(first_s), "s")
