"""What the replays of both ways to send share: the choice of a queue, the update of an item, a decision begun.

What the recording says of a decision is used for one thing only. Where a clock reading is known to lie between two
values and they lead to different decisions, the one that fits what was recorded is taken for the reading. The decision
is then marked as open where it is a choice of queue or a matter of the budget.
"""

from __future__ import annotations

from typing import NamedTuple

from simulator import codes
from simulator.client.faults.fault_item import FaultItem, FaultTable
from simulator.client.java_int import INT_MAX, wrap_int
from simulator.client.message_queue import NO_QUEUE, broker_of, queue_id_of
from simulator.client.steps.steps import Charge, Ending, timeout_within
from simulator.client.view import NO_BROKER, QueueEntry, QueueList, View
from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Ms, cells_at, size_of
from simulator.replay import replay_codes
from simulator.replay.replay_world import Decision, InputRow, ReplayWorld, Sender

VIEW_CELLS = size_of(View)
FAULTS_CELLS, ITEM_CELLS = size_of(FaultTable), size_of(FaultItem)
LIST_CELLS, ENTRY_CELLS = size_of(QueueList), size_of(QueueEntry)
DECISION_CELLS, SENDER_CELLS = size_of(Decision), size_of(Sender)
UNLIKELY_DRAW = 0x5EED5EED  # that no counter is likely to hold


class Choice(NamedTuple):
    """A selection: the packed queue, the counter's steps, whether it was reset, at which reading, whether open."""

    queue: int
    steps: int
    resets: int
    reading_ms: Ms
    is_open: int


@rule()
def put(world: ReplayWorld, kind: int, row_number: int, sender: Sender) -> Decision:
    """Begin a decision of a sender."""
    decision = world.decisions[world.decision_count]
    world.decision_count += 1
    cells = cells_at(decision, DECISION_CELLS)
    for i in range(DECISION_CELLS):
        cells[i] = replay_codes.NONE
    decision.kind = kind
    decision.row = row_number
    decision.view = sender.view
    decision.send_seq = sender.send_seq
    decision.attempt = sender.attempt
    decision.is_open = 0
    return decision


@rule()
def put_end(world: ReplayWorld, row: InputRow, sender: Sender, ending: Ending) -> None:
    """A send_end row: what the caller or the callback gets; a SendResult names its queue."""
    decision = put(world, replay_codes.KIND_SEND_END, row.row, sender)
    decision.outcome = ending.result
    decision.code = ending.code
    if ending.result in codes.STORED:
        decision.broker = ending.broker
        decision.queue_id = ending.queue_id


@rule()
def put_select(world: ReplayWorld, row: InputRow, sender: Sender, choice: Choice, last: int) -> Decision:
    """The decision of a select row: the queue, and how it was chosen. last: the broker of the attempt before."""
    decision = put(world, replay_codes.KIND_SELECT, row.row, sender)
    decision.clock_ms = choice.reading_ms
    decision.is_open = choice.is_open
    decision.last_broker = last
    decision.broker = broker_of(choice.queue) if choice.queue != NO_QUEUE else NO_BROKER
    decision.queue_id = queue_id_of(choice.queue) if choice.queue != NO_QUEUE else -1
    decision.steps = choice.steps
    decision.resets = choice.resets
    decision.reason = world.views[row.view].pick_reason
    decision.after = replay_codes.GOES_OUT
    return decision


@rule()
def begin_message(world: ReplayWorld, row: InputRow, sender: Sender) -> None:
    """Begin the message of a select row, whose first attempt is not made yet, in the place of the one before."""
    cells = cells_at(sender, SENDER_CELLS)
    for i in range(SENDER_CELLS):
        cells[i] = 0
    sender.send_seq = row.send_seq
    sender.broker = NO_BROKER
    sender.begin_least_ms = row.begin_least_ms
    sender.begin_most_ms = row.begin_most_ms
    world.next_seqs[row.view] = row.send_seq + 1


@rule()
def install(world: ReplayWorld, row: InputRow) -> int:
    """A route row: OK, or why it cannot be replayed."""
    if row.route < 0:
        return replay_codes.UNKNOWN_ROUTE
    world.routes[row.route].installed = 1
    return replay_codes.OK


@rule()
def _copy(world: ReplayWorld, cells: Cells, count: int, place: int, is_back: int) -> int:
    for i in range(count):
        if is_back == 1:
            cells[i] = world.kept[place + i]
        else:
            world.kept[place + i] = cells[i]
    return place + count


@rule()
def _copy_view(world: ReplayWorld, view: View, is_back: int) -> None:
    faults, queues = view.faults, view.queues
    fault_cells = FAULTS_CELLS + faults.penalty.broker_count * ITEM_CELLS
    queue_cells = LIST_CELLS + queues.count * ENTRY_CELLS
    place = _copy(world, cells_at(view, VIEW_CELLS), VIEW_CELLS, 0, is_back)
    place = _copy(world, cells_at(faults, fault_cells), fault_cells, place, is_back)
    _copy(world, cells_at(queues, queue_cells), queue_cells, place, is_back)


@rule()
def _keep_view(world: ReplayWorld, view: View) -> None:
    _copy_view(world, view, 0)


@rule()
def _put_back_view(world: ReplayWorld, view: View) -> None:
    _copy_view(world, view, 1)


@rule()
def _select_at(
    world: ReplayWorld, row: InputRow, view: View, now_ms: Ms, last: int, reset: int
) -> tuple[int, int, int]:
    """One selection; gives the queue, the counter's steps, whether it was reset."""
    before = view.counter.value
    # What a reset would draw: the recorded value, or an unlikely one.
    draw = row.reset_to if row.reset_to != replay_codes.NONE else UNLIKELY_DRAW
    view.counter.random = draw
    queue = world.rules.select(view, world.settings.epoch_ms + now_ms, last, reset)
    resets = 1 if view.counter.random != draw else 0
    start = draw & INT_MAX if resets == 1 else before
    return queue, wrap_int(view.counter.value - start), resets


@rule()
def _fits(row: InputRow, queue: int, steps: int) -> bool:
    if steps != row.fits_steps or queue == NO_QUEUE:
        return False
    return broker_of(queue) == row.fits_broker and queue_id_of(queue) == row.fits_queue_id


@rule()
def choose(world: ReplayWorld, row: InputRow, view: View, last: int, reset: int) -> Choice:
    """The selection, at the reading of the clock that fits."""
    first, until = row.clock_least_ms, row.clock_most_ms
    if first == until:
        queue, steps, resets = _select_at(world, row, view, first, last, reset)
        return Choice(queue, steps, resets, first, 0)
    _keep_view(world, view)
    first_queue, first_steps, resets = _select_at(world, row, view, first, last, reset)
    reading, is_open = first, 0
    is_fit = _fits(row, first_queue, first_steps)
    for now_ms in range(first + 1, until + 1):
        _put_back_view(world, view)
        queue, steps, resets = _select_at(world, row, view, now_ms, last, reset)
        if queue != first_queue or steps != first_steps:
            is_open = 1
            if not is_fit and _fits(row, queue, steps):
                is_fit, reading = True, now_ms
    _put_back_view(world, view)
    queue, steps, resets = _select_at(world, row, view, reading, last, reset)
    return Choice(queue, steps, resets, reading, is_open)


@rule()
def take_route(world: ReplayWorld, row: InputRow) -> int:
    """Look the topic's route up for a new message; another object than before has a counter of its own."""
    if row.route < 0 or world.routes[row.route].installed == 0:
        return replay_codes.UNKNOWN_ROUTE
    view, route = world.views[row.view], world.routes[row.route]
    if world.held_routes[row.view] != row.route:
        world.held_routes[row.view] = row.route
        view.queues = route.queues
        view.writes = route.writes
        view.counter.seeded = 0
    if view.counter.seeded == 0:
        if row.seed == replay_codes.NONE:
            return replay_codes.NO_SEED
        view.counter.value = row.seed
        view.counter.seeded = 1
    return replay_codes.OK


@rule()
def charge(world: ReplayWorld, row: InputRow, sender: Sender, cost: Charge) -> None:
    """A fault_update row: the broker's item by the flags of that update and the recorded latency."""
    broker, _, isolation, reachable = cost
    decision = put(world, replay_codes.KIND_FAULT_UPDATE, row.row, sender)
    decision.broker = broker
    decision.isolation = isolation
    decision.reachable = reachable
    decision.touched = world.settings.updates_table
    decision.clock_ms = row.clock_least_ms
    if world.settings.updates_table == 0 or broker < 0:
        return
    view, epoch_ms = world.views[sender.view], world.settings.epoch_ms
    faults, item = view.faults, view.faults.items[broker]
    before = item.start_timestamp
    reading = row.clock_least_ms
    if row.clock_least_ms < row.clock_most_ms:
        _keep_view(world, view)
        for now_ms in range(row.clock_most_ms, row.clock_least_ms - 1, -1):
            world.rules.update(faults, epoch_ms + now_ms, broker, row.latency_ms, isolation, reachable)
            if item.start_timestamp - epoch_ms == row.fits_start_ms:
                reading = now_ms
            _put_back_view(world, view)
    world.rules.update(faults, epoch_ms + reading, broker, row.latency_ms, isolation, reachable)
    decision.clock_ms = reading
    decision.moved = 1 if item.start_timestamp != before else 0
    if item.start_timestamp != 0:
        decision.start_ms = item.start_timestamp - epoch_ms


@rule()
def timeouts(world: ReplayWorld, row: InputRow, sender: Sender, is_last: int) -> None:
    """The least and most that the transport may be given, by the readings of a select row with a transport call."""
    rules, settings, budget_ms = world.rules, world.settings, world.settings.send_msg_timeout_ms
    # The client takes what it spends itself off: most where the loop looked at the clock earliest.
    earliest_ms = row.attempt_least_ms
    least_ms = max(earliest_ms - sender.begin_most_ms, 0)
    from_ms = max(earliest_ms - sender.begin_least_ms, 0)
    spent_ms = max(row.transport_most_ms - earliest_ms, 0)
    sender.timeout_least_ms = timeout_within(rules, settings, budget_ms, from_ms, is_last) - spent_ms
    sender.timeout_most_ms = timeout_within(rules, settings, budget_ms, least_ms, is_last)
