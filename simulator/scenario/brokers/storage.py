"""How a broker stores: its commit log, its flush, its slaves; and what its release says about them."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pydantic import Field

from simulator.client.releases import CLIENTS, RELEASES
from simulator.codes import INVALID_PARAMETER, SERVICE_NOT_AVAILABLE, SYSTEM_BUSY, SYSTEM_ERROR
from simulator.scenario.reading.fields import Model, ServiceTimeUs, whole

FLUSH_KINDS = ("async", "sync")
ROLES = ("async_master", "sync_master", "slave")
STORES = ("writeable", "read_only", "shutting_down", "disk_full")
SLAVES_MAX = 8


class Append(Model):
    """What a put holds the commit log's lock for: `base_us`, and `per_kib_us` for each KiB of the message."""

    base_us: ServiceTimeUs = Field(alias="base", title="a duration such as 10us", description="for every put")
    per_kib_us: ServiceTimeUs = Field(0, alias="per_kib", description="for each KiB of the message")


class ReleaseRules(NamedTuple):
    """What a broker's release decides."""

    send_threads: int
    page_cache_busy_code: int
    queue_id_code: int
    frees_thread: bool
    flush_timed: bool
    counts_acks: bool
    slave_rejects: bool
    slave_timeout_us: int | None
    registers_at_start: bool
    flush_times_out: bool
    create_topic_key: str


def is_since(release: str, first: str) -> bool:
    """Whether a release is `first` or a later one."""
    return RELEASES.index(release) >= RELEASES.index(first)


def rules_of(release: str, cpus: int = 4) -> ReleaseRules:
    """The rules of a broker's release.

    Source: BrokerConfig.sendMessageThreadPoolNums and MessageStoreConfig.flushCommitLogTimed (both changed in
    4.9.1); SendMessageProcessor.handlePutMessageResult (OS_PAGECACHE_BUSY since 5.3.0) and msgCheck (queue id);
    asyncPutMessage, after which no send thread waits (4.7.0); slaveTimeout (4.9.3); handleHA, which counts
    acknowledgements (5.0.0); rejectRequest of a slave (5.0.0); BrokerOuterAPI.registerBrokerAll (5.0.0);
    submitFlushRequest, whose answer nothing hastens from 4.7.0 until flushDiskWatcher (4.9.3); TopicConfigManager,
    which has the same key for new topics as the client of its release.
    """
    return ReleaseRules(
        send_threads=min(cpus, 4) if is_since(release, "4.9.1") else 1,
        page_cache_busy_code=SYSTEM_BUSY if is_since(release, "5.3.0") else SYSTEM_ERROR,
        queue_id_code=INVALID_PARAMETER if is_since(release, "5.3.2") else SYSTEM_ERROR,
        frees_thread=is_since(release, "4.7.0"),
        flush_timed=is_since(release, "4.9.1"),
        counts_acks=is_since(release, "5.0.0"),
        slave_rejects=is_since(release, "5.0.0"),
        slave_timeout_us=3_000_000 if is_since(release, "4.9.3") else None,
        registers_at_start=not is_since(release, "5.0.0"),
        flush_times_out=is_since(release, "4.9.3") or not is_since(release, "4.7.0"),
        create_topic_key=CLIENTS[release].create_topic_key,
    )


def refusal_code(role: str, store: str, release: str) -> int:
    """Code that every put is answered with, 0 if the broker takes messages."""
    if role == "slave":
        return SYSTEM_BUSY if rules_of(release).slave_rejects else SERVICE_NOT_AVAILABLE
    return 0 if store == "writeable" else SERVICE_NOT_AVAILABLE


Slaves = Annotated[int, whole(0, SLAVES_MAX)]
Replicas = Annotated[int, whole(1, SLAVES_MAX + 1)]
