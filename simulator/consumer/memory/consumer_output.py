"""Where the machine's finished rows are put: records, named as `run/consumers/consumer_tables.py` reads them."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.compiled.field_copies import copier, zeroer
from simulator.compiled.records import Record, Region, Us, Within
from simulator.consumer.memory.consume_task import HandledMessage
from simulator.consumer.memory.consumer_group import GroupCounts
from simulator.consumer.memory.consumer_side import QueueCounts
from simulator.consumer.memory.delay_queue import DelayCounts
from simulator.consumer.memory.half_message import HalfCounts, TransactionState
from simulator.kernel.row_table import RowTable, RowTables


class StoredRow(QueueCounts):
    """A queue at the end of a window, as a group sees it."""

    begin_us: Us
    subscription: int
    log: int
    appended: int
    max_offset: int
    lag: int
    committed_lag: int
    oldest_us: Us  # when the oldest message that is not committed was stored, -1: there is none
    verdict: int  # of broker/lag_verdict.py


class ConsumerWindowRow(GroupCounts):
    """A group at the end of a window; percentiles come in half us, -1: nothing was consumed."""

    begin_us: Us
    group: int
    instances: int
    workers: int
    missed: int
    skipped: int
    skipped_later: int
    lag: int
    cached: int
    unowned_us: Us
    double_us: Us
    p50_half_us: int
    p99_half_us: int


class ConsumedRow(HandledMessage):
    """A consumption that ended."""

    subscription: int
    log: int
    instance: int
    worker: int
    begin_us: Us
    end_us: Us
    times: int
    is_dropped: int


class AssignmentRow(Record):
    """An instance held a queue."""

    subscription: int
    log: int
    instance: int
    from_us: Us
    until_us: Us
    is_open: int  # 1: to the end
    is_shared: int  # 1: all queues of the broker


class RebalanceRow(Record):
    """A round of an instance for a topic."""

    at_us: Us
    subscription: int
    instance: int
    reason: int
    broker: int  # that was asked for the members, -1: none
    members: int  # -1: no answer
    queues: int  # of its route
    taken: int
    lost: int
    held: int


class DelayRow(DelayCounts):
    """A delay level of a broker (0: its timer wheel) at the end of a window.

    Percentiles come in half us, -1: nothing was delivered.
    """

    begin_us: Us
    broker: int
    level: int
    waiting: int
    late_p50_half_us: int
    late_p99_half_us: int


class RetryRow(Record):
    """What a group sent back with a delay level in a window."""

    begin_us: Us
    group: int
    level: int
    messages: int


class TransactionRow(TransactionState):
    """A half message that is settled, or that is open at the end."""


class TransactionWindowRow(HalfCounts):
    """The half messages of a broker at the end of a window."""

    begin_us: Us
    broker: int
    open: int


class CheckBackRow(Record):
    """Checks that a producer was asked in a window."""

    begin_us: Us
    producer: int
    checks: int


class PopRow(Record):
    """What a POP group popped at a broker in a window, and what is invisible at its end."""

    begin_us: Us
    subscription: int
    broker: int
    popped: int
    acknowledged: int
    revived: int
    revived_failed: int
    revived_unheard: int
    revived_slow: int
    invisible: int
    refused: int
    lost: int


class ProxiedConsumerRow(Record):
    """An instance found that it hangs on another proxy, or on none."""

    at_us: Us
    instance: int
    proxy: int


copy_queue_counts = copier(QueueCounts)
copy_group_counts, zero_group_counts = copier(GroupCounts), zeroer(GroupCounts)
copy_handled_message = copier(HandledMessage)
copy_delay_counts, zero_delay_counts = copier(DelayCounts), zeroer(DelayCounts)
copy_transaction_state = copier(TransactionState)
copy_transaction_counts, zero_transaction_counts = copier(HalfCounts), zeroer(HalfCounts)


class ConsumerOutput(RowTables):
    """All tables of the machine."""

    stored: Within[RowTable]
    consumer_windows: Within[RowTable]
    consumed: Within[RowTable]
    assignments: Within[RowTable]
    rebalances: Within[RowTable]
    delays: Within[RowTable]
    retries: Within[RowTable]
    transactions: Within[RowTable]
    transaction_windows: Within[RowTable]
    check_backs: Within[RowTable]
    pops: Within[RowTable]
    proxied_consumers: Within[RowTable]
    stored_rows: Region[StoredRow]
    consumer_window_rows: Region[ConsumerWindowRow]
    consumed_rows: Region[ConsumedRow]
    assignment_rows: Region[AssignmentRow]
    rebalance_rows: Region[RebalanceRow]
    delay_rows: Region[DelayRow]
    retry_rows: Region[RetryRow]
    transaction_rows: Region[TransactionRow]
    transaction_window_rows: Region[TransactionWindowRow]
    check_back_rows: Region[CheckBackRow]
    pop_rows: Region[PopRow]
    proxied_consumer_rows: Region[ProxiedConsumerRow]


CONSUMER_ROWS: Mapping[str, tuple[str, type[Record]]] = {
    "stored": ("stored_rows", StoredRow),
    "consumer_windows": ("consumer_window_rows", ConsumerWindowRow),
    "consumed": ("consumed_rows", ConsumedRow),
    "assignments": ("assignment_rows", AssignmentRow),
    "rebalances": ("rebalance_rows", RebalanceRow),
    "delays": ("delay_rows", DelayRow),
    "retries": ("retry_rows", RetryRow),
    "transactions": ("transaction_rows", TransactionRow),
    "transaction_windows": ("transaction_window_rows", TransactionWindowRow),
    "check_backs": ("check_back_rows", CheckBackRow),
    "pops": ("pop_rows", PopRow),
    "proxied_consumers": ("proxied_consumer_rows", ProxiedConsumerRow),
}  # by table: its region in ConsumerOutput, and what it holds
