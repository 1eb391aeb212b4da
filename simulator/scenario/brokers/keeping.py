"""How long a broker keeps what it stores, and what reading it takes: files, memory, disk, pull threads, slaves."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, PlainSerializer

from simulator.scenario.brokers.replica_set import ReplicaSet
from simulator.scenario.reading.fields import (
    DURATION_MAX_US,
    Flag,
    Model,
    Reads,
    ServiceTimeUs,
    duration_us,
    size_bytes,
    whole,
)
from simulator.scenario.texts.broker_texts import BrokerTexts
from simulator.units import US_PER_S, format_duration, format_size, shown

FILE_LEAST, FILE_MOST = 4096, 1 << 40
DISK_MOST = 1 << 50
HOUR_US = 3_600 * US_PER_S
DAY_HOURS = 24


def hours_of(value: object) -> str:
    """Hours of the day such as "04" or "00;12", as deleteWhen has them; raises ValueError."""
    expected = BrokerTexts.HOURS_EXPECTED(got=shown(value))
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str):
        raise ValueError(expected)
    parts = [part.strip() for part in text.split(";")]
    if not all(part.isascii() and part.isdigit() and int(part) < DAY_HOURS for part in parts):
        raise ValueError(expected)
    return ";".join(f"{int(part):02}" for part in parts)


def time_of_day_us(value: object) -> int:
    """Microseconds since midnight of a time such as "03:30"; raises ValueError."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < DAY_HOURS * 60:
        value = f"{value // 60:02}:{value % 60:02}"  # what YAML makes of 03:30 without quotes
    hours, colon, minutes = value.partition(":") if isinstance(value, str) else ("", "", "")
    if not (colon and hours.isdigit() and minutes.isdigit() and int(hours) < DAY_HOURS and int(minutes) < 60):
        raise ValueError(BrokerTexts.TIME_OF_DAY_EXPECTED(got=shown(value)))
    return int(hours) * HOUR_US + int(minutes) * HOUR_US // 60


def time_of_day(time_us: int) -> str:
    """The text that `time_of_day_us` reads back."""
    return f"{time_us // HOUR_US:02}:{time_us % HOUR_US * 60 // HOUR_US:02}"


TIME_OF_DAY = Reads(
    time_of_day_us, expects='a time of day such as "03:30"', schema={"type": ["string", "integer"]}
)  # fmt: skip
TimeOfDayUs = Annotated[int, TIME_OF_DAY, PlainSerializer(time_of_day)]
HOURS = Reads(hours_of, expects='hours of the day such as "04" or "00;12"', schema={"type": ["string", "integer"]})
KeptUs = Annotated[int, duration_us(0, DURATION_MAX_US), PlainSerializer(format_duration)]
ReviveUs = Annotated[int, duration_us(10_000, HOUR_US), PlainSerializer(format_duration)]
FileBytes = Annotated[int, size_bytes(FILE_LEAST, FILE_MOST), PlainSerializer(format_size)]
DiskBytes = Annotated[int, size_bytes(FILE_LEAST, DISK_MOST), PlainSerializer(format_size)]


class Keeping(Model):
    """What a broker deletes, and how it is read. Defaults: MessageStoreConfig and BrokerConfig 4.2.0 to 5.3.3."""

    file_reserved_time_us: KeptUs = Field(
        72 * HOUR_US, alias="file_reserved_time", title="a duration such as 72h",
        description="fileReservedTime: files of the commit log that are older are deleted",
    )  # fmt: skip
    delete_when: Annotated[str, HOURS] = Field(
        "04", title='hours of the day such as "04" or "00;12"',
        description="deleteWhen: hours of the day in which files that are too old are deleted; see begins_at",
    )  # fmt: skip
    mapped_file_size_commit_log_bytes: FileBytes = Field(
        1 << 30, alias="mapped_file_size_commit_log", title="a size such as 1GiB",
        description="mappedFileSizeCommitLog: size of a file of the commit log, which is deleted as a whole",
    )  # fmt: skip
    disk_bytes: DiskBytes | None = Field(
        None, alias="disk", title="a size such as 500GiB", description="disk of the commit log; default without limit"
    )
    disk_max_used_space_ratio: Annotated[int, whole(10, 95)] = Field(
        75, description="diskMaxUsedSpaceRatio: percent of the disk from which old files are deleted at any hour"
    )

    memory_bytes: DiskBytes | None = Field(
        None, alias="memory", title="a size such as 64GiB",
        description="memory of the machine; default so much that everything is read from it",
    )  # fmt: skip
    access_message_in_memory_max_ratio: Annotated[int, whole(1, 100)] = Field(
        40, description="accessMessageInMemoryMaxRatio: percent of memory; messages further behind are on the disk"
    )
    disk_read_us: ServiceTimeUs = Field(
        250, alias="disk_read", description="time of the disk for a pull of what is not in memory, one after the other"
    )
    pull_message_thread_pool_nums: Annotated[int, whole(1, 1_024)] = Field(
        24, description="pullMessageThreadPoolNums: pull threads; 16 and twice the processors, here 4"
    )
    pull_latency_us: ServiceTimeUs = Field(100, alias="pull_latency", description="time of a pull thread for one pull")
    pop_latency_us: ServiceTimeUs = Field(
        0, alias="pop_latency", description="time from the begin of a pop until it reads its queues; default 0us"
    )
    slave_read_enable: Flag = Field(
        False, description="slaveReadEnable: slaves answer pulls, and brokers send those there that would read the disk"
    )

    enable_property_filter: Flag = Field(
        False,
        description="enablePropertyFilter: whether it serves subscriptions with SQL92; else it refuses their pulls",
    )
    enable_calc_filter_bit_map: Flag = Field(
        False,
        description="enableCalcFilterBitMap: whether it evaluates SQL92 as messages are stored, not as it is pulled",
    )
    enable_consume_queue_ext: Flag = Field(
        False, description="enableConsumeQueueExt: whether it keeps the answers; enable_calc_filter_bit_map needs it"
    )
    enable_pop_buffer_merge: Flag = Field(
        False,
        description="enablePopBufferMerge: check points of pops stay in memory for up to 10 s (5.0.0 and later)",
    )
    enable_pop_message_threshold: Flag = Field(
        False,
        description="enablePopMessageThreshold: a queue with more in flight than pop_inflight_message_threshold "
        "gives no pop anything (5.2.0 and later)",
    )
    pop_inflight_message_threshold: Annotated[int, whole(1, 1_000_000_000)] = Field(
        10_000, description="popInflightMessageThreshold: messages of a queue that are popped and not acknowledged"
    )
    revive_interval_us: ReviveUs = Field(
        US_PER_S, alias="revive_interval", title="a duration such as 1s",
        description="reviveInterval: rest of a revive service between two rounds (5.0.0 and later); default 1s",
    )  # fmt: skip
    revive_max_slow: Annotated[int, whole(1, 1_000)] = Field(
        3,
        description="reviveMaxSlow: a revive service that finds no check point rests for up to so many "
        "revive_interval more (5.0.0 and later)",
    )
    filter_latency_us: ServiceTimeUs = Field(
        2, alias="filter_latency",
        description="time of a pull thread to read a message's properties and evaluate SQL92; default 2us, measured",
    )  # fmt: skip

    @property
    def in_flight_most(self) -> int:
        """Messages of a queue that may be in flight, 0 for any number."""
        return self.pop_inflight_message_threshold if self.enable_pop_message_threshold else 0

    @property
    def revive_keys(self) -> tuple[str, ...]:
        """The keys of the revive service that differ from the defaults."""
        found = {"revive_interval": self.revive_interval_us != US_PER_S, "revive_max_slow": self.revive_max_slow != 3}
        return tuple(key for key, differs in found.items() if differs)

    @property
    def keeps_filter_answers(self) -> bool:
        """Whether pulls skip what SQL92 does not take without reading it."""
        return self.enable_calc_filter_bit_map and self.enable_consume_queue_ext

    @property
    def in_memory_bytes(self) -> int:
        """How far behind the end messages are in memory, 0 for everywhere."""
        return 0 if self.memory_bytes is None else self.memory_bytes * self.access_message_in_memory_max_ratio // 100

    @property
    def hours(self) -> int:
        """The hours of delete_when, a bit each."""
        return sum({1 << int(hour) for hour in self.delete_when.split(";")})


def drop_unset(content: dict[str, object], of: Model) -> None:
    """Take the keys out of a broker's content that mean nothing while they have their defaults."""
    for name, field in (Keeping.model_fields | ReplicaSet.model_fields).items():
        if getattr(of, name) == field.default:
            content.pop(field.alias or name, None)
    if not content["slave_latency_of_replica"]:
        content.pop("slave_latency_of_replica")
