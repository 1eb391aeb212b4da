"""The elections of a cell's brokers, and what their machines are, as rows of their tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from simulator.plan.failover.planned_election import NOTHING, PlannedElection, ReplicaState
from state.columns import named, numbers
from state.failover_tables import ELECTIONS, REPLICAS

NOBODY = 0


def elections_between(
    planned: Sequence[PlannedElection], cell: int, brokers: Sequence[str], from_us: int, until_us: int
) -> pa.Table | None:
    """Those in [from_us, until_us), None if there is none."""
    rows = [row for row in planned if from_us <= row.at_us < until_us]
    if not rows:
        return None
    machines, named_us = (np.array([getattr(row, name) for row in rows], np.int64) for name in ("machine", "named_us"))
    reasons, sets = sorted({row.reason for row in rows}), sorted({row.sync_set for row in rows})
    columns = [
        numbers(np.full(len(rows), cell), np.int32),
        numbers(np.array([row.at_us for row in rows], np.int64)),
        named(np.array([row.broker for row in rows]), brokers),
        numbers(machines, np.int32, machines == NOBODY),
        numbers(np.array([row.epoch for row in rows]), np.int32),
        named(np.array([sets.index(row.sync_set) for row in rows]), sets),
        named(np.array([reasons.index(row.reason) for row in rows]), reasons),
        numbers(np.array([row.gone_us for row in rows], np.int64)),
        numbers(named_us, np.int64, machines == NOBODY),
    ]
    return pa.Table.from_arrays(columns, schema=ELECTIONS.schema)


def replicas_between(
    planned: Sequence[ReplicaState], cell: int, brokers: Sequence[str], from_us: int, until_us: int
) -> pa.Table | None:
    """The changes of machines in [from_us, until_us), None if there is none."""
    rows = [row for row in planned if from_us <= row.at_us < until_us]
    if not rows:
        return None
    roles = sorted({row.role for row in rows})
    since_us = np.array([row.lacks_since_us for row in rows], np.int64)
    columns = [
        numbers(np.full(len(rows), cell), np.int32),
        numbers(np.array([row.at_us for row in rows], np.int64)),
        named(np.array([row.broker for row in rows]), brokers),
        numbers(np.array([row.machine for row in rows]), np.int32),
        named(np.array([roles.index(row.role) for row in rows]), roles),
        numbers(since_us, np.int64, since_us == NOTHING),
    ]
    return pa.Table.from_arrays(columns, schema=REPLICAS.schema)
