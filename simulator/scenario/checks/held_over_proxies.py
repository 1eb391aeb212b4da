"""Whether consumers over proxies hold messages for longer than these stay invisible."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.kernel.latency import mean_us, share_above
from simulator.releases.proxy_release import PROXIES
from simulator.scenario.checks.invisible_time import handling_tables
from simulator.scenario.consuming.consumers import ConsumerGroup
from simulator.scenario.consuming.grpc_consumer import BATCH_MOST
from simulator.scenario.proxy_settings import INVISIBLE_LEAST_US, INVISIBLE_MOST_US, ProxySettings
from simulator.scenario.texts.warning_texts import WarningTexts
from simulator.units import US_PER_S, format_duration
from state.texts import figure


def share_held_too_long(group: ConsumerGroup, proxies: ProxySettings | None) -> float:
    """The share of the messages that come again while a client over gRPC is at them, of the slowest topic or tag.

    Of a PushConsumer those whose handling takes longer than default_invisible_time, where its proxies renew nothing.
    Of a SimpleConsumer, and of a PushConsumer in order, those of a full receive, which it handles one after the other:
    each takes the mean. 0 of others.
    """
    if group.grpc is None or proxies is None:
        return 0.0
    if group.grpc.kind == "push":
        if PROXIES[proxies.release].renews_receipts:
            return 0.0
        limit_us = proxies.default_invisible_time_us
    else:
        limit_us = group.grpc.invisible_duration_ms * 1000
    places = range(1, _one_after_the_other(group) + 1)
    found = 0.0
    for table in handling_tables(group):
        late = sum(place * mean_us(table) > limit_us for place in places)
        found = max(found, late / len(places), share_above(table, limit_us))
    return found


def _one_after_the_other(group: ConsumerGroup) -> int:
    """How many messages of one receive a client handles one after the other."""
    if group.grpc is not None and group.grpc.kind == "simple":
        return group.grpc.max_message_num
    return BATCH_MOST if group.mode.in_order else 1


def enough_held_us(group: ConsumerGroup) -> int:
    """The shortest invisible time, in whole seconds, that handling a message, or a full receive, is within."""
    tables = handling_tables(group)
    before = _one_after_the_other(group) - 1
    longest_us = max(int(table[-2]) + before * mean_us(table) for table in tables)
    return min(max(int(-(-longest_us // US_PER_S)) * US_PER_S, INVISIBLE_LEAST_US), INVISIBLE_MOST_US)


def held_warnings(name: str, group: ConsumerGroup, proxies: ProxySettings | None) -> Iterator[str]:
    """A sentence where some messages come again while a client is at them."""
    share = share_held_too_long(group, proxies)
    if not share or group.grpc is None or proxies is None:
        return
    percent = figure(100 * share, ".2g")
    if group.grpc.kind == "push" and group.mode.in_order:
        yield WarningTexts.HELD_IN_ORDER(
            group=name, percent=percent, invisible=format_duration(proxies.default_invisible_time_us),
            release=proxies.release, most=BATCH_MOST,
        )  # fmt: skip
    elif group.grpc.kind == "push":
        invisible = format_duration(proxies.default_invisible_time_us)
        yield WarningTexts.HELD_BY_PROXIES(group=name, percent=percent, invisible=invisible, release=proxies.release)
    else:
        invisible = format_duration(group.grpc.invisible_duration_ms * 1000)
        yield WarningTexts.HELD_IN_A_RECEIVE(group=name, percent=percent, invisible=invisible)
