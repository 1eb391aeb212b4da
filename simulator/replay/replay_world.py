"""The records of a replay: settings, senders, input rows and decisions.

Times are ms since the recording's zero; the client's own clock (in its records) is that of the machine: epoch_ms more.
"""

from __future__ import annotations

from simulator.client.rules import Rules
from simulator.client.steps.sync_steps import HeldResult
from simulator.client.view import QueueList, View, WriteTable
from simulator.compiled.records import Cells, Directory, Ms, Record, Region, Within


class RecordedSettings(Record):
    """The settings of the recorded client."""

    attempts_total: int
    send_msg_timeout_ms: Ms
    max_timeout_per_request_ms: Ms  # -1 = no such limit
    retry_not_store_ok: int
    updates_table: int  # 0: fault updates leave the table alone
    detector_on: int
    first_retry_code: int  # in the world's retry_codes
    retry_code_count: int
    epoch_ms: Ms
    is_async: int
    hands_over: int  # asynchronous; 0: a client that never records a hand-over


class InstalledRoute(Record):
    """A route object."""

    queues: QueueList
    writes: WriteTable
    installed: int


class Sender(HeldResult):
    """A sender thread with its synchronous send, or a slot with an asynchronous message."""

    phase: int  # IDLE ... CHARGED
    view: int  # of the last selection
    send_seq: int
    attempt: int  # selections made for this message
    broker: int  # of the last selection
    queue_id: int  # asynchronous: of the first selection
    outcome: int  # of the last attempt that was made
    code: int
    begin_least_ms: Ms  # reading of the clock at the start of the message lies between these two
    begin_most_ms: Ms
    timeout_least_ms: Ms  # what the transport may be given; NONE where no transport call was recorded
    timeout_most_ms: Ms
    # synchronous
    throws: int  # 1: the last attempt ends the message with its exception
    ended_row: int  # row of an attempt whose retry is not yet known to fit the budget, else -1
    # asynchronous
    thrown: int  # 1: the call of the last attempt threw how it ended
    first_broker: int
    hand_over: int  # NEVER, DUE or DONE
    broker_before: int  # broker of the attempt before
    producer: int
    topic: int
    was_called_back: int  # 1: the callback was called


class InputRow(Record):
    """A row of the recording."""

    event: int
    row: int  # number of the row in the recording
    producer: int  # all four as indexes into the plan
    sender: int  # for asynchronous messages the slot
    view: int
    route: int
    send_seq: int
    clock_least_ms: Ms  # the clock was read between these two
    clock_most_ms: Ms
    seed: int  # select: what the recorder drew for the counter and for resetIndex
    reset_to: int
    begin_least_ms: Ms  # select of a first attempt: the start of the message
    begin_most_ms: Ms
    attempt_least_ms: Ms  # select: the reading from which the budget is computed
    attempt_most_ms: Ms
    transport_most_ms: Ms  # select: latest reading before the transport took over, NONE without a transport call
    sent: int  # select: an attempt was recorded; tells the clock where its readings leave the budget open
    fits_broker: int  # select: what was recorded; tells the clock where its readings give different choices
    fits_queue_id: int
    fits_steps: int
    outcome: int  # attempt_end
    code: int
    latency_ms: Ms  # fault_update
    fits_start_ms: Ms  # fault_update: recorded startTimestamp, tells the clock between its two readings
    topic: int  # as index into the plan
    hand_over: int  # fault_update: 1 for that of the hand-over
    cost_least_ms: Ms  # attempt_end of an asynchronous message: ms that its call took lie between these two
    cost_most_ms: Ms
    thrown: int  # attempt_end of an asynchronous message: 1 if the call was recorded to throw


class Decision(Record):
    """What the client decided; NONE where a kind of decision has no such value."""

    kind: int
    row: int
    view: int
    send_seq: int
    attempt: int
    clock_ms: Ms
    is_open: int
    last_broker: int
    broker: int
    queue_id: int
    steps: int
    resets: int
    reason: int
    after: int
    timeout_least_ms: Ms
    timeout_most_ms: Ms
    isolation: int
    reachable: int
    touched: int
    moved: int
    start_ms: Ms
    outcome: int
    code: int


class ReplayWorld(Directory):
    """Everything that a replay reads and writes."""

    rules: Within[Rules]
    settings: RecordedSettings
    retry_codes: Cells
    views: Region[View]
    held_routes: Cells  # per view, the route object that it reads, -1 before the first
    next_seqs: Cells  # per view, the number of the next message
    senders: Region[Sender]
    routes: Region[InstalledRoute]
    rows: Region[InputRow]
    row_count: int
    refused: Cells  # a row each: why it was refused, OK
    decisions: Region[Decision]
    decision_count: int
    kept: Cells  # room for a copy of what one selection or update can change
