"""The brokers of a scenario: how long they take to store a message, and how much they do at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, model_validator

from simulator.consumer.rules.delay_levels import DEFAULT_LEVELS
from simulator.kernel.latency import Table
from simulator.releases.broker_release import BROKERS, BrokerRelease
from simulator.releases.ledger import NEWEST
from simulator.scenario.brokers.keeping import Keeping
from simulator.scenario.brokers.replica_set import CONTROLLER, DLEDGER, REPLICA_NUMBER, ReplicaSet, set_problems
from simulator.scenario.brokers.storage import (
    FLUSH_KINDS,
    ROLES,
    STORES,
    Append,
    Replicas,
    Slaves,
)
from simulator.scenario.client_settings import Release
from simulator.scenario.distributions.latency_settings import Latency, PositiveUs
from simulator.scenario.later.delay import MessageDelayLevel
from simulator.scenario.reading.fields import (
    Flag,
    ServiceTimeUs,
    TimeUs,
    WaitMs,
    choice,
    duration_us,
    whole,
)
from simulator.scenario.reading.scenario_error import Problem, raise_any
from simulator.scenario.texts.broker_texts import BrokerTexts
from simulator.units import US_PER_S, format_duration

NO_TIMEOUT_US = 1 << 60
TIMER_MAX_DELAY_US = 3 * 86_400 * US_PER_S

TimerPrecisionUs = Annotated[int, duration_us(10_000, 10 * US_PER_S), PlainSerializer(format_duration)]


def _constant(text: str) -> Latency:
    return Latency.model_validate({"constant": text})


class Broker(ReplicaSet, Keeping):
    """One broker: service time, send threads, fast failure, commit log, flush and slaves; times in microseconds.

    `send_threads` and `slave_timeout_us` are None for the release's own. Defaults: BrokerConfig and
    MessageStoreConfig, 4.2.0 to 5.3.3. What is not set costs nothing, but for fast failure, which is on.
    """

    resolved_away = ("like", "like_file", "count")

    latency: Latency = Field(
        title="a distribution such as {lognormal: {p50: 1ms, p99: 12ms}}",
        description="service time of a send thread for one message",
    )
    release: Release = Field(NEWEST, description="release of the broker")
    send_threads: Annotated[int, whole(1, 1_024)] | None = Field(
        None, description="send threads; default the release's, 4 (1 up to 4.9.0)"
    )
    send_queue: Annotated[int, whole(1, 10_000_000)] = Field(
        10_000, description="capacity of the send queue; a full queue answers SYSTEM_BUSY"
    )
    fast_failure: Flag = Field(True, description="requests that wait too long are answered SYSTEM_BUSY, every 10 ms")
    wait_time_in_send_queue_ms: WaitMs = Field(
        200, alias="wait_time_in_send_queue", description="limit for fast_failure"
    )
    page_cache_busy_ms: WaitMs = Field(
        1_000, alias="page_cache_busy", description="a commit log's lock held for longer refuses every put"
    )
    append: Append | None = Field(None, description="time that a put holds the commit log's lock; default none")
    store: Annotated[Literal["writeable", "read_only", "shutting_down", "disk_full"], choice(*STORES)] = Field(
        "writeable", description="whether it takes messages"
    )
    flush: Annotated[Literal["async", "sync"], choice(*FLUSH_KINDS)] = Field(
        "async", description="sync: group commit, a put is answered when it is on the disk"
    )
    flush_latency: Latency = Field(
        default_factory=lambda: _constant("1ms"), description="duration of one flush; default {constant: 1ms}"
    )
    sync_flush_timeout_us: PositiveUs = Field(
        5_000_000, alias="sync_flush_timeout", description="time after which a put is answered FLUSH_DISK_TIMEOUT"
    )
    transient_store_pool: Flag = Field(
        False, description="messages are committed every 200 ms, and a kill loses what is not"
    )
    role: Annotated[Literal["async_master", "sync_master", "slave"], choice(*ROLES)] = Field(
        "async_master", description="sync_master: a put is answered when a slave has it"
    )
    slave_count: Slaves = Field(0, alias="slaves", description="slaves of the broker")
    slave_latency: Latency = Field(
        default_factory=lambda: _constant("1ms"),
        description="delay until a slave has a message; default {constant: 1ms}",
    )
    slave_latency_per_kib_us: ServiceTimeUs = Field(
        0, alias="slave_latency_per_kib", description="what that delay grows by for each KiB of the message"
    )
    slave_latency_of_replica: dict[Annotated[int, REPLICA_NUMBER], Latency] = Field(
        {}, title="a mapping such as {3: {constant: 40ms}}",
        description="slave_latency of single replicas by their numbers, 1 that of the first master",
    )  # fmt: skip
    slave_timeout_us: PositiveUs | None = Field(
        None, alias="slave_timeout", description="maximum wait for slaves; default the release's, 3 s (4.9.3 on)"
    )
    in_sync_replicas: Replicas = Field(
        1, description="replicas that must have a message, the master among them (5.0.0 and later)"
    )
    slave_acting_master: Flag = Field(False, description="a slave acts for its master (5.0.0 and later)")
    enable_remote_escape: Flag = Field(
        False,
        description="enableRemoteEscape: a slave that acts puts messages that are due, and half messages, elsewhere",
    )
    message_delay_level: MessageDelayLevel = Field(
        DEFAULT_LEVELS, title='a text such as "1s 5s 10s 30s"', description="delays of the levels from 1 on"
    )
    delayed_delivery_us: PositiveUs = Field(
        12, alias="delayed_delivery", description="what delivering one delayed message takes its thread; default 12us"
    )
    timer_wheel_enable: Flag = Field(True, description="timerWheelEnable (5.0.0 and later)")
    timer_precision_us: TimerPrecisionUs = Field(
        US_PER_S, alias="timer_precision", title="a duration such as 1s",
        description="timerPrecisionMs: timer messages become readable in such steps; default 1s",
    )  # fmt: skip
    timer_max_delay_us: TimeUs = Field(
        TIMER_MAX_DELAY_US, alias="timer_max_delay", title="a duration such as 3d",
        description="timerMaxDelaySec: the broker refuses a longer delay; default 3d",
    )  # fmt: skip
    timer_delivery_us: PositiveUs = Field(
        62, alias="timer_delivery",
        description="what delivering one timer message takes the broker; default 62us, 500,000 in 31 s (#6566)",
    )  # fmt: skip

    @model_validator(mode="after")
    def _check(self) -> Broker:
        raise_any(self._problems())
        return self

    def _problems(self) -> Iterator[Problem]:
        yield from set_problems(self, self.release, self.slave_count, self.in_sync_replicas)
        first = 1 if self.is_elected else 2
        for number in self.slave_latency_of_replica:
            if not first <= number <= self.slaves + 1:
                text = BrokerTexts.NO_SUCH_REPLICA(first=first, machines=self.slaves + 1, got=number)
                yield Problem(("slave_latency_of_replica", number), text)
        if self.is_elected and self.role != "async_master":
            yield Problem(("role",), BrokerTexts.ROLE_OF_A_SET(mode=self.mode))
        if self.transient_store_pool and self.flush == "sync":
            yield Problem(("transient_store_pool",), BrokerTexts.POOL_NEEDS_ASYNC_FLUSH())
        if self.slave_timeout_us is not None and self.rules.slave_timeout_us is None:
            text = BrokerTexts.NO_SLAVE_TIMEOUT(release=self.release)
            yield Problem(("slave_timeout",), text)
        if self.enable_pop_buffer_merge and self.rules.revive_interval is None:
            yield Problem(("enable_pop_buffer_merge",), BrokerTexts.NOT_BEFORE_5(release=self.release))
        if self.rules.revive_interval is None:
            yield from (Problem((key,), BrokerTexts.NOT_BEFORE_5(release=self.release)) for key in self.revive_keys)
        if self.enable_pop_buffer_merge and self.is_elected:
            yield Problem(("enable_pop_buffer_merge",), BrokerTexts.BUFFER_OF_A_SET(mode=self.mode))
        if self.enable_remote_escape and not self.is_acted_for:
            yield Problem(("enable_remote_escape",), BrokerTexts.NOBODY_ACTS())
        if self.enable_pop_message_threshold and not self.rules.limits_pops_in_flight:
            yield Problem(("enable_pop_message_threshold",), BrokerTexts.NOT_BEFORE_5_2(release=self.release))
        if not self.rules.counts_acks:
            for key, given in (
                ("in_sync_replicas", self.in_sync_replicas > 1),
                ("slave_acting_master", self.slave_acting_master),
            ):
                if given:
                    yield Problem((key,), BrokerTexts.NOT_BEFORE_5(release=self.release))

    @property
    def rules(self) -> BrokerRelease:
        """What the release decides."""
        return BROKERS[self.release]

    @property
    def threads(self) -> int:
        """Send threads: those given, or the release's default on four or more processors."""
        return self.send_threads or self.rules.send_threads

    @property
    def slaves(self) -> int:
        """Slaves of the broker: the other replicas, where the master is elected."""
        return self.replicas - 1 if self.is_elected else self.slave_count

    @property
    def copied_bytes_per_s(self) -> int:
        """Bytes a second that a master sends to each slave at most, 0: any."""
        return self.max_ha_transfer_byte_in_second if self.ha_flow_control_enable and self.slaves else 0

    @property
    def machine_latencies(self) -> list[Latency]:
        """The slave_latency of each machine from 1 on; nothing where all have the same."""
        own = self.slave_latency_of_replica
        return [own.get(number, self.slave_latency) for number in range(1, self.slaves + 2)] if own else []

    @property
    def is_acted_for(self) -> bool:
        """Whether a slave acts for its master while that is away."""
        return self.slave_acting_master and self.slaves > 0 and not self.is_elected

    @property
    def escapes(self) -> bool:
        """Whether delayed messages that are due while a slave acts go to another broker."""
        return self.is_acted_for and self.enable_remote_escape

    @property
    def acks(self) -> int:
        """Slaves that must have a message before it is answered.

        5.0.0+ counts the master among inSyncReplicas, so that its default of 1 waits for no slave. A leader of DLedger
        waits for a majority.
        """
        if self.mode == DLEDGER:
            return self.replicas // 2
        if self.mode == CONTROLLER:
            return self.slaves if self.all_ack_in_sync_state_set else self.in_sync_replicas - 1
        if self.role != "sync_master":
            return 0
        return self.in_sync_replicas - 1 if self.rules.counts_acks else 1

    @property
    def flush_timeout_us(self) -> int:
        """How long a message is waited for to reach the disk."""
        return self.sync_flush_timeout_us if self.rules.flush_times_out else NO_TIMEOUT_US

    @property
    def slave_wait_us(self) -> int:
        """How long a message is waited for to reach the slaves."""
        return self.slave_timeout_us or self.rules.slave_timeout_us or self.sync_flush_timeout_us

    def service_table_us(self) -> Table:
        """The lookup table of `simulator.kernel.latency.service_us`, read-only int64[EDGES]."""
        return self.latency.service_table_us()
