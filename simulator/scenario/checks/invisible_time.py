"""Whether listeners need longer than messages stay invisible, and keys of POP where no group pops."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.kernel.latency import Table, share_above
from simulator.scenario.consuming.consumers import ConsumerGroup
from simulator.scenario.consuming.handling import POP_INVISIBLE_LEAST_US, POP_INVISIBLE_MOST_US
from simulator.scenario.texts.warning_texts import WarningTexts
from simulator.units import US_PER_S, format_duration
from state.texts import figure

OF_POP = ("pop_batch_nums", "pop_invisible_time_us", "pop_share_queue_num", "pop_threshold_for_queue")


def share_invisible_too_shortly(group: ConsumerGroup) -> float:
    """The share of the handling times above pop_invisible_time, of the slowest topic or tag.

    0 of groups that pull, and of gRPC groups, whose proxies give and renew invisible times.
    """
    if not group.is_pop or group.grpc is not None:
        return 0.0
    return max(share_above(table, group.pop_invisible_time_us) for table in handling_tables(group))


def enough_invisible_us(group: ConsumerGroup) -> int:
    """The shortest invisible time, in whole seconds, that all but one of 250,000 handling times are within."""
    longest_us = max(int(table[-2]) for table in handling_tables(group))
    return min(max(-(-longest_us // US_PER_S) * US_PER_S, POP_INVISIBLE_LEAST_US), POP_INVISIBLE_MOST_US)


def handling_tables(group: ConsumerGroup) -> list[Table]:
    """The distributions of a group's handling times, of every topic and tag."""
    times = [group.service]
    for reading in group.readings.values():
        times += [time for time in (reading.service, *reading.service_of_tags.values()) if time is not None]
    return [time.service_table_us() for time in times]


def invisible_time_warnings(name: str, group: ConsumerGroup) -> Iterator[str]:
    """A sentence where messages come again while a thread is at them, or the group does not use its keys."""
    about = type(group).model_fields
    unused = [about[field].alias or field for field in OF_POP if getattr(group, field) != about[field].default]
    if unused and (not group.is_pop or group.grpc is not None):
        yield WarningTexts.UNUSED_OF_POP(group=name, keys=", ".join(unused))
    share = share_invisible_too_shortly(group)
    if share:
        invisible = format_duration(group.pop_invisible_time_us)
        yield WarningTexts.INVISIBLE_TOO_SHORTLY(group=name, percent=figure(100 * share, ".2g"), invisible=invisible)
