"""The settings of consumer groups as the machine reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from simulator.compiled.records import Array, size_of
from simulator.consumer.memory.consumer_group import CAP_LAGGING, CAP_QUEUES, NO_CAP, ReadingGroup
from simulator.releases.consumer_release import NEVER, ConsumerClient
from simulator.releases.producer_release import CLIENTS
from simulator.scenario.consuming.autoscale import Autoscale
from simulator.scenario.consuming.consumers import FROM_WHERE, ConsumerGroup


def group_row(
    own: ConsumerGroup, client: ConsumerClient, first_instance: int, first_subscription: int, subscriptions: int
) -> Array:
    """A record of ReadingGroup without what fails, and without what only its kind of consumption has."""
    cells = np.zeros(size_of(ReadingGroup), np.int64)
    group = ReadingGroup.at(cells)
    group.first_instance, group.instances = first_instance, own.instances
    group.first_subscription, group.subscriptions = first_subscription, subscriptions
    group.is_broadcasting = int(own.is_broadcasting)
    group.batch, group.pull_batch = own.consume_message_batch_max_size, own.pull_batch_size
    group.pull_interval_us = own.pull_interval_ms * 1000
    pull = group.pull
    pull.pull_threshold_for_queue = own.pull_threshold_for_queue
    pull.pull_threshold_size_for_queue_mib = own.pull_threshold_size_for_queue
    pull.consume_concurrently_max_span = own.consume_concurrently_max_span
    pull.when_exception_ms = client.pull_time_delay_mills_when_exception
    pull.when_flow_control_ms = client.pull_time_delay_mills_when_flow_control
    pull.when_suspended_ms = client.pull_time_delay_mills_when_suspend
    group.hold_us = client.broker_suspend_max_time_millis * 1000
    group.pull_timeout_us = client.consumer_timeout_millis_when_suspend * 1000
    group.persist_us = client.persist_consumer_offset_interval * 1000
    group.heartbeat_us = client.heartbeat_broker_interval * 1000
    group.poll_us = client.poll_name_server_interval * 1000
    group.idle_pull_us = client.pull_max_idle_time * 1000
    group.first_pull_us = client.first_pull_delay * 1000
    group.rebalance_us = client.rebalance_wait_interval * 1000
    least_ms = client.rebalance_min_interval
    group.least_rebalance_us = 0 if least_ms == NEVER else least_ms * 1000
    group.unbalanced_us = group.rebalance_us if least_ms == NEVER else least_ms * 1000
    group.fails_held = int(client.fails_held)
    if own.autoscale is not None:
        _put_scaling(group, own.autoscale)
    asks = CLIENTS[client.release]
    group.name_servers_tried = asks.name_servers_tried
    group.throws_unanswered = int(asks.throws_unanswered and own.grpc is None)  # gRPC clients ask their proxy
    group.closes_on_timeout = int(client.client_close_socket_if_timeout)
    group.beats_on_connect = int(bool(client.enable_heartbeat_channel_event_listener))
    group.looks_for_master = int(client.commits_look_for_master and not own.is_broadcasting)
    group.fetches_look = int(client.fetches_look_for_master and not own.is_broadcasting)
    group.forgets_offsets = int(own.is_broadcasting and client.forgets_offsets)
    group.from_where = FROM_WHERE.index(own.consume_from_where)
    group.consume_timestamp_us = own.consume_timestamp_us
    group.illegal_us = client.illegal_offset_delay * 1000
    return cells


def _put_scaling(group: ReadingGroup, own: Autoscale) -> None:
    """Write the settings of `autoscale` into a group."""
    group.scale_threshold, group.scale_poll_us = own.threshold, own.poll_us
    group.scale_cooldown_us, group.scale_least = own.cooldown_us, own.least
    idle = NO_CAP if own.allow_idle_consumers else CAP_QUEUES
    group.scale_cap = CAP_LAGGING if own.limit_to_partitions_with_lag else idle


def put_deduplication(rows: Sequence[Array], groups: Mapping[str, ConsumerGroup]) -> None:
    """Fill what rows of ReadingGroup say of deduplicating."""
    first = 0
    for row, own in zip(rows, groups.values(), strict=True):
        if own.deduplicate is not None:
            part = ReadingGroup.at(row).duplicates
            part.window_us, part.entries = own.deduplicate.window_us, own.deduplicate.entries
            part.first_entry = part.first_bucket = first
            first += own.deduplicate.entries
