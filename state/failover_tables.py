"""The tables of replica sets: who becomes the master and when, and what each machine is and lacks."""

from __future__ import annotations

import pyarrow as pa

from state.table import BROKER, CELL, NAME, Column, Table

ELECTIONS = Table(
    "elections",
    "one attempt of a replica set to name another master; of the first cell, as all cells have the same brokers",
    ("broker", "at_us"),
    (
        CELL,
        Column("at_us", pa.int64(), "us", "virtual time of the election"),
        BROKER,
        Column("machine", pa.int32(), "", "replica that is elected, from 1; null where nobody can be"),
        Column("epoch", pa.int32(), "", "epoch of the master from then on; the first master has 1"),
        Column("sync_set", NAME, "", "members of the sync set then, or of the majority, such as 2,3"),
        Column("reason", NAME, "", "why there was an election"),
        Column("gone_us", pa.int64(), "us", "virtual time since which the master before was gone"),
        Column("named_us", pa.int64(), "us", "from when on name servers name the new master; null where nobody is"),
    ),
)

REPLICAS = Table(
    "replicas",
    "a machine of a replica set that a fault strikes, from a moment to its next row; of the first cell",
    ("broker", "machine", "at_us"),
    (
        CELL,
        Column("at_us", pa.int64(), "us", "virtual time from which on this holds"),
        BROKER,
        Column("machine", pa.int32(), "", "number of the machine, from 1"),
        Column("role", NAME, "", "master, in sync, not in the sync set, down, cut off or frozen"),
        Column(
            "lacks_since_us",
            pa.int64(),
            "us",
            "virtual time from which on it lacks what masters stored, each second if it copies slowly; null: nothing",
        ),
    ),
)

SET_TABLES = (ELECTIONS, REPLICAS)
