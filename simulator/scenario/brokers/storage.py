"""How a broker stores: its commit log, its flush, its slaves."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from simulator.scenario.reading.fields import Model, ServiceTimeUs, whole

FLUSH_KINDS = ("async", "sync")
ROLES = ("async_master", "sync_master", "slave")
STORES = ("writeable", "read_only", "shutting_down", "disk_full")
SLAVES_MAX = 8


class Append(Model):
    """What a put holds the commit log's lock for: `base_us`, and `per_kib_us` for each KiB of the message."""

    base_us: ServiceTimeUs = Field(alias="base", title="a duration such as 10us", description="for every put")
    per_kib_us: ServiceTimeUs = Field(0, alias="per_kib", description="for each KiB of the message")


Slaves = Annotated[int, whole(0, SLAVES_MAX)]
Replicas = Annotated[int, whole(1, SLAVES_MAX + 1)]
