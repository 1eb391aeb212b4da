"""The tables of clients over proxies: what gRPC producers sent, and which proxy a consumer hung on."""

from __future__ import annotations

import pyarrow as pa

from state.table import (
    CELL,
    GROUP,
    NAME,
    PRODUCER,
    PRODUCER_GROUP,
    SEND_SEQ,
    THREAD,
    TOPIC,
    Column,
    Table,
)

PROXIED_ATTEMPTS = Table(
    "proxied_attempts",
    "one attempt of a gRPC producer, also one that reached no broker, which has no row in attempts",
    ("producer", "thread", "topic", "send_seq", "attempt"),
    (
        CELL,
        PRODUCER,
        THREAD,
        TOPIC,
        SEND_SEQ,
        PRODUCER_GROUP,
        Column("attempt", pa.int32(), "", "1 for the first attempt"),
        Column("proxy", NAME, "", "proxy that it was sent to; null if none was there, or it is the broker's own"),
        Column("broker", NAME, "", "broker that the proxy chose; null if it asked none"),
        Column("begin_us", pa.int64(), "us", "virtual time at which the attempt began"),
        Column("end_us", pa.int64(), "us", "virtual time at which the client knew its outcome"),
        Column("outcome", NAME, "", "SEND_OK, another SendStatus, or the exception"),
        Column("response_code", pa.int32(), "", "response code of the broker, null where there was no response"),
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
        Column("instance", NAME, "", "the group's instance: its client id"),
        Column("proxy", NAME, "", "name of the proxy; null if the client has no connection"),
    ),
)

PROXIED_TABLES = (PROXIED_ATTEMPTS, PROXIED_CONSUMERS)
