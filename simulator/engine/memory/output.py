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


class ProxiedAttemptRow(Record):
    """An attempt of a gRPC producer that ended, whether a broker was asked or not."""

    thread: int
    topic: int
    send_seq: int
    attempt: int
    proxy: int  # NO_PROXY: none was there; in local mode the number of its broker
    broker: int  # below 0: none was asked
    outcome: int
    code: int
    begin_us: Us
    end_us: Us


class AppendRow(Drawn):
    """A copy, or a batch of them, that a broker appended: consumers can read it."""

    at_us: Us
    broker: int
    queue_id: int
    count: int  # messages of the batch
    body_bytes: int  # of each
    arrival_us: Us  # when the application wanted to send it
    delay: int  # its delay level, 0: none; the event loop does not know it


class LossRow(Record):
    """A copy, or a batch of them, that leaves the end of its log again; consumers can no longer read it."""

    at_us: Us
    thread: int
    topic: int
    draw: int
    broker: int
    queue_id: int
    count: int
    delay: int  # as in AppendRow


class AnswerRow(Record):
    """The answer to a half message, as its producer gets it."""

    at_us: Us
    thread: int
    send_seq: int
    broker: int
    is_ok: int  # 1: SEND_OK


class Output(RowTables):
    """All tables, and the tally."""

    attempts: Within[RowTable]
    sends: Within[RowTable]
    fault_items: Within[RowTable]
    windows: Within[RowTable]
    proxied_attempts: Within[RowTable]
    appends: Within[RowTable]
    losses: Within[RowTable]
    answers: Within[RowTable]
    attempt_rows: Region[AttemptRow]
    send_rows: Region[SendRow]
    fault_item_rows: Region[FaultItemRow]
    window_rows: Region[WindowRow]
    proxied_attempt_rows: Region[ProxiedAttemptRow]
    append_rows: Region[AppendRow]
    loss_rows: Region[LossRow]
    answer_rows: Region[AnswerRow]
    tally: Within[Tally]


ROWS: Mapping[str, tuple[str, type[Record]]] = {
    "attempts": ("attempt_rows", AttemptRow),
    "sends": ("send_rows", SendRow),
    "fault_items": ("fault_item_rows", FaultItemRow),
    "windows": ("window_rows", WindowRow),
    "proxied_attempts": ("proxied_attempt_rows", ProxiedAttemptRow),
    "appends": ("append_rows", AppendRow),
    "losses": ("loss_rows", LossRow),
    "answers": ("answer_rows", AnswerRow),
}  # by table: its region in Output, and what it holds

# What consumers follow: tables that do not leave the system. A row may be put out before its time has come.
FOLLOWED: Mapping[str, type[Record]] = {"appends": AppendRow, "losses": LossRow, "answers": AnswerRow}
