"""Where finished rows are put: for each table records with the names that `run/row_tables.py` reads them by."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.compiled.records import Record, Region, Us, Within
from simulator.engine.memory.send import Drawn, MadeFields, MessageFields
from simulator.engine.memory.tally import Tally
from simulator.kernel.row_table import RowTable, RowTables


class AttemptRow(MadeFields):
    """An attempt that ended."""

    begin_us: Us
    end_us: Us
    will_retry: int


class SendRow(MessageFields):
    """A message that ended."""

    end_us: Us
    result: int
    code: int
    attempts: int
    broker: int
    queue_id: int


class FaultItemRow(Record):
    """A fault item as a change left it."""

    producer: int
    broker: int
    at_us: Us
    seq: int
    current_latency: int
    start_timestamp: int
    reachable: int
    removed: int


class WindowRow(Record):
    """What a window counted of a (topic, broker); percentiles come in half us, -1 without attempts."""

    begin_us: Us
    topic: int
    broker: int
    ended: int
    topic_ended: int  # on all brokers
    succeeded: int
    retried: int
    p50_half_us: int
    p99_half_us: int
    p999_half_us: int
    max_us: Us
    out_of_order: int


# what an append row says
APPENDED = 0  # a copy, or a batch of them, can be read
LOST = 1  # a copy, or a batch of them, leaves the log again
ANSWERED_OK = 2  # SEND_OK is the answer to a half message, and its producer has it
ANSWERED_NOT_OK = 3  # it has another answer


class AppendRow(Drawn):
    """What happens to a copy that a broker appended, or to a batch of them; consumers read it."""

    stored_us: Us  # when
    what: int
    broker: int
    queue_id: int
    count: int  # messages of the batch; of an answer 0
    body_bytes: int  # of each
    arrival_us: Us  # when the application wanted to send it
    delay: int  # its delay level, 0: none; the event loop does not know it


class Output(RowTables):
    """All tables, and the tally."""

    attempts: Within[RowTable]
    sends: Within[RowTable]
    fault_items: Within[RowTable]
    windows: Within[RowTable]
    appends: Within[RowTable]
    attempt_rows: Region[AttemptRow]
    send_rows: Region[SendRow]
    fault_item_rows: Region[FaultItemRow]
    window_rows: Region[WindowRow]
    append_rows: Region[AppendRow]
    tally: Within[Tally]


ROWS: Mapping[str, tuple[str, type[Record]]] = {
    "attempts": ("attempt_rows", AttemptRow),
    "sends": ("send_rows", SendRow),
    "fault_items": ("fault_item_rows", FaultItemRow),
    "windows": ("window_rows", WindowRow),
    "appends": ("append_rows", AppendRow),
}  # by table: its region in Output, and what it holds
