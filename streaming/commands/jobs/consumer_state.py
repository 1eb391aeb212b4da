"""What a checkpoint remembers of consumer groups: offsets and owners of every queue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from simulator.compiled.records import Array
from simulator.compiled.region_store import columns
from simulator.consumer.memory.consumer_side import NOT_BEGUN, QueueProgress
from simulator.consumer.memory.queue_log import QueueLog
from simulator.plan.compile import compile_scenario
from simulator.plan.consumers.consumer_plan import ConsumerPlan
from simulator.scenario import Scenario
from state.packing import StatePart, unpack
from state.row import StateRow

PROGRESS = "consumers.progress"
SCHEMA = pa.schema(
    {
        "consumer_group": pa.string(),
        "topic": pa.string(),
        "broker": pa.string(),
        "queue_id": pa.int64(),
        "max_offset": pa.int64(),
        "committed_offset": pa.int64(),
        "lag": pa.int64(),
        "owners": pa.int64(),
    }
)


def has_consumers(row: StateRow) -> bool:
    """Whether the state is of a scenario with consumers. Raises LayoutError."""
    return PROGRESS in unpack(row.engine)


def consumer_offsets(scenario: Scenario, row: StateRow) -> pa.Table:
    """A row a queue and group: its end, the group's offset in the broker's table (null without one), messages that are
    not consumed, instances that hold it. Raises LayoutError.
    """
    plan = compile_scenario(scenario).cells[0].consumers
    assert plan is not None
    return pa.Table.from_pylist(list(_offsets(plan, unpack(row.engine))), SCHEMA)


def _lag(progress: Array, of: Mapping[str, int], max_offset: int) -> int:
    """What the group is to consume, as `lag` of the table `stored` (consumer/machine/lag.py)."""
    if progress[of["standing"]] == NOT_BEGUN:
        return 0
    first_times, returned, missed, skipped = (
        int(progress[of[name]]) for name in ("first_times", "returned", "missed", "skipped")
    )
    return max_offset - first_times + returned - missed - skipped


def _offsets(plan: ConsumerPlan, parts: dict[str, StatePart]) -> Iterator[dict[str, Any]]:
    progress, logs = parts[PROGRESS], parts["consumers.logs"]
    own = progress.values.reshape(-1, len(columns(QueueProgress)))
    ends = logs.values.reshape(-1, len(columns(QueueLog)))
    of, end = columns(QueueProgress), columns(QueueLog)
    names, topics = plan.names, plan.cluster["log_topics"].reshape(len(plan.names.topics), -1)
    place = 0
    for subscription, topic in enumerate(names.topic_of_subscription.tolist()):
        first, count = topics[topic, :2].tolist()
        for log in range(first, first + count):
            committed = int(own[place, of["committed"]])
            yield {
                "consumer_group": names.groups[names.group_of_subscription[subscription]],
                "topic": names.topics[topic],
                "broker": names.brokers[names.broker_of_log[log]],
                "queue_id": int(names.queue_of_log[log]),
                "max_offset": int(ends[log, end["max_offset"]]),
                "committed_offset": None if committed < 0 else committed,
                "lag": _lag(own[place], of, int(ends[log, end["max_offset"]])),
                "owners": int(own[place, of["owners"]]),
            }
            place += 1
