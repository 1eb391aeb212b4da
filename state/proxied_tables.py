"""The tables of clients over proxies: what gRPC producers sent, and which proxy a consumer hung on."""

from __future__ import annotations

import pyarrow as pa

from state.column_groups import ATTEMPT, ATTEMPT_OUTCOME, ATTEMPT_TIMES, INSTANCE, MESSAGE
from state.table import CELL, GROUP, NAME, Column, Table

PROXIED_ATTEMPTS = Table(
    "proxied_attempts",
    "one attempt of a gRPC producer, also one that reached no broker, which has no row in attempts",
    ("producer", "thread", "topic", "send_seq", "attempt"),
    (
        *MESSAGE,
        ATTEMPT,
        Column("proxy", NAME, "", "proxy that it was sent to, in local mode its broker; null if none was there"),
        Column("broker", NAME, "", "broker that the proxy chose; null if it asked none"),
        *ATTEMPT_TIMES,
        *ATTEMPT_OUTCOME,
    ),
)

PROXIED_CONSUMERS = Table(
    "proxied_consumers",
    "one change of the proxy that an instance of a gRPC group hangs on, as its requests find out",
    ("at_us", "consumer_group", "instance"),
    (
        CELL,
        Column("at_us", pa.int64(), "us", "virtual time of the request"),
        GROUP,
        INSTANCE,
        Column("proxy", NAME, "", "name of the proxy, in local mode its broker; null if the client has no connection"),
    ),
)

PROXIED_TABLES = (PROXIED_ATTEMPTS, PROXIED_CONSUMERS)
