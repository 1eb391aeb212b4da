"""The machine's loop: events in the order (time, kind, number), after everything that was appended before."""

from __future__ import annotations

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Us
from simulator.consumer.broker.crash_loss import cut_tail
from simulator.consumer.broker.expiring import CLEAN_US, clean_files
from simulator.consumer.broker.held_pulls import look_at_held, wake_held
from simulator.consumer.broker.members import beat, scan_silent
from simulator.consumer.broker.offset_table import flush_offsets, persist
from simulator.consumer.client.pulling import go_on
from simulator.consumer.client.rebalance import balance
from simulator.consumer.handling.end_of_work import consume_again, end_work
from simulator.consumer.handling.sweeping import sweep
from simulator.consumer.links.instance_routes import poll_routes
from simulator.consumer.links.slave_side import copy_offsets
from simulator.consumer.machine.actions import act
from simulator.consumer.machine.autoscaling import scale
from simulator.consumer.machine.windows import close_window
from simulator.consumer.memory import consumer_settings as kinds
from simulator.consumer.memory.consumer_output import ConsumerOutput
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.half_message import HALF
from simulator.consumer.memory.held_queue import ASKED
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.queue_log import BYTES_SHIFT, SENDER_SHIFT, NewMessage
from simulator.consumer.orderly.end_in_order import end_in_order
from simulator.consumer.orderly.orderly_events import handle_orderly
from simulator.consumer.queue_log.log_files import write_entry
from simulator.consumer.queue_log.log_pages import append_message
from simulator.consumer.schedule.delivering import delay, deliver, flush_delays
from simulator.consumer.shared import due_heap
from simulator.consumer.shared.consumer_rows import put_assignment
from simulator.consumer.transactions.checking import begin_round, check_next
from simulator.consumer.transactions.ending_halves import end_send, store_half
from simulator.consumer.transactions.half_requests import run_errand
from simulator.engine.memory.settings import FAR

NUMBER_MASK = (1 << kinds.KIND_SHIFT) - 1


@rule(inlined=True)
def _tables_have_room(output: ConsumerOutput) -> bool:
    return (
        output.stored.rows <= output.stored.limit
        and output.consumer_windows.rows <= output.consumer_windows.limit
        and output.consumed.rows <= output.consumed.limit
        and output.assignments.rows <= output.assignments.limit
        and output.rebalances.rows <= output.rebalances.limit
        and output.delays.rows <= output.delays.limit
        and output.retries.rows <= output.retries.limit
        and output.transactions.rows <= output.transactions.limit
        and output.transaction_windows.rows <= output.transaction_windows.limit
        and output.check_backs.rows <= output.check_backs.limit
    )


@rule(inlined=True)
def _has_room(world: ConsumerWorld) -> bool:
    """Whether one event finds the records that it may take; run/consumers/consumer_machine.py grows what is short."""
    clock, least = world.clock, world.least
    return (
        clock.free_pages >= least.pages
        and clock.free_tasks >= least.tasks
        and clock.free_holdings >= least.holdings
        and clock.free_delay_pages >= least.delay_pages
        and clock.free_halves >= least.halves
        and clock.free_errands >= least.errands
        and clock.free_files >= least.files
        and clock.heap_size <= least.heap_size
        and _tables_have_room(world.output)
    )


@rule()
def _append(world: ConsumerWorld, now_us: Us) -> None:
    rows = world.appended
    row = rows.rows[rows.next]
    rows.next += 1
    first = world.log_numbers[row.topic * world.settings.brokers + row.broker]
    number = first + row.queue_id
    sender, told = row.thread << SENDER_SHIFT | row.send_seq, row.body_bytes << BYTES_SHIFT
    if row.count == 0:
        end_send(world, row.broker, sender, row.kept, now_us)
        return
    if row.count < 0:
        if first >= 0 and row.delay == 0:
            cut_tail(world, number, -row.count)
        return
    if first < 0 or row.delay != 0:
        for _ in range(row.count):
            write_entry(world, row.broker, row.topic, row.body_bytes, now_us)
    if first < 0:
        return
    if row.delay == HALF:
        store_half(world, row.broker, number, NewMessage(row.arrival_us, row.draw, sender, told), now_us)
        return
    if row.delay > 0:
        delay(world, row.broker, row.delay, number, NewMessage(row.arrival_us, row.draw, sender, told), now_us)
        return
    log = world.logs[number]
    for _ in range(row.count):
        draw = row.draw + (log.max_offset << 20) if row.count > 1 else row.draw
        append_message(world, log, NewMessage(row.arrival_us, draw, sender, told), now_us)
    if log.held != NOBODY:
        wake_held(world, number, now_us)


@rule()
def _of_broker(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> None:
    """The timers of a broker; one that stands still or is away skips its turn."""
    if kind == kinds.DELIVER:
        deliver(world, number, now_us)
        return
    broker, settings = world.serving[number], world.settings
    acts = broker.is_away == 0 and broker.stands_still == 0
    if kind == kinds.HELD_TICK:
        broker.tick_us = now_us + settings.tick_us
        due_heap.push(world, broker.tick_us, kind, number)
        if acts:
            look_at_held(world, number, now_us)
    elif kind == kinds.SILENCE_SCAN:
        broker.scan_us = now_us + settings.scan_us
        due_heap.push(world, broker.scan_us, kind, number)
        if acts:
            scan_silent(world, number, now_us)
    elif kind == kinds.CLEAN_FILES:
        due_heap.push(world, now_us + CLEAN_US, kind, number)
        if acts:
            clean_files(world, number, now_us)
    elif kind == kinds.SLAVE_SYNC:
        due_heap.push(world, now_us + world.store_rules[number].slave_sync_us, kind, number)
        if acts and broker.cut_since_us == 0:
            copy_offsets(world, number)
    elif kind == kinds.DELAY_FLUSH:
        due_heap.push(world, now_us + settings.delay_flush_us, kind, number)
        if acts:
            flush_delays(world, number)
    else:
        broker.flush_us = now_us + settings.flush_us
        due_heap.push(world, broker.flush_us, kind, number)
        if acts:
            flush_offsets(world, number)


@rule()
def _of_transactions(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> None:
    if kind == kinds.ERRAND:
        run_errand(world, number, now_us)
    elif kind == kinds.CHECK_ROUND:
        begin_round(world, number, now_us)
    else:
        check_next(world, number, now_us)


@rule(inlined=True)
def _instance_of(world: ConsumerWorld, kind: int, number: int) -> int:
    """Whose event it is: an instance's, or -1 where a broker acts."""
    if kind == kinds.WORKED:
        return world.workers[number].instance
    if kind == kinds.PULL:
        return -1 if world.holdings[number].state == ASKED else world.holdings[number].instance
    return number


@rule(inlined=True)
def _due_us(world: ConsumerWorld, kind: int, number: int) -> int:
    """When the actor of an event is due."""
    if kind == kinds.WORKED:
        return world.workers[number].ends_us
    if kind == kinds.PULL:
        return world.holdings[number].due_us
    instance = world.instances[number]
    if kind == kinds.REBALANCE:
        return instance.rebalance_us
    if kind == kinds.PERSIST:
        return instance.persist_us
    if kind == kinds.HEARTBEAT:
        return instance.heartbeat_us
    if kind == kinds.SWEEP:
        return instance.sweep_us
    return instance.poll_us if kind == kinds.ROUTE_POLL else instance.again_us


@rule()
def _put_off(world: ConsumerWorld, kind: int, number: int, until_us: Us) -> None:
    """The event of a process that stands still happens as it goes on."""
    instance = world.instances[number] if kind > kinds.PULL else world.instances[0]
    if kind == kinds.WORKED:
        world.workers[number].ends_us = until_us
    elif kind == kinds.PULL:
        world.holdings[number].due_us = until_us
    elif kind == kinds.REBALANCE:
        instance.rebalance_us = until_us
    elif kind == kinds.PERSIST:
        instance.persist_us = until_us
    elif kind == kinds.HEARTBEAT:
        instance.heartbeat_us = until_us
    elif kind == kinds.ROUTE_POLL:
        instance.poll_us = until_us
    elif kind == kinds.SWEEP:
        instance.sweep_us = until_us
    else:
        instance.again_us = until_us
    due_heap.push(world, until_us, kind, number)


@rule()
def _of_instance(world: ConsumerWorld, kind: int, number: int, now_us: Us) -> None:
    """A timer of an instance."""
    instance, settings = world.instances[number], world.settings
    if kind == kinds.REBALANCE:
        instance.rebalance_us = FAR
        balance(world, number, now_us)
    elif kind == kinds.PERSIST:
        instance.persist_us = now_us + settings.persist_us
        due_heap.push(world, instance.persist_us, kind, number)
        persist(world, number)
    elif kind == kinds.HEARTBEAT:
        instance.heartbeat_us = now_us + settings.heartbeat_us
        due_heap.push(world, instance.heartbeat_us, kind, number)
        beat(world, number, now_us)
    elif kind == kinds.CONSUME_AGAIN:
        consume_again(world, number, now_us)
    elif kind == kinds.SWEEP:
        sweep(world, number, now_us)
    else:
        instance.poll_us = now_us + settings.poll_us
        due_heap.push(world, instance.poll_us, kind, number)
        poll_routes(world, number, now_us)


@rule()
def _end_work(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """A consume thread has handled its batch."""
    worker = world.workers[number]
    group = world.instances[worker.instance].group
    world.tallies[group].busy_us += now_us - worker.counted_us
    if world.groups[group].pull.is_orderly == 1:
        end_in_order(world, number, now_us)
    else:
        end_work(world, number, now_us)


@rule()
def _handle(world: ConsumerWorld, key: int, now_us: Us) -> None:
    kind, number = key >> kinds.KIND_SHIFT, key & NUMBER_MASK
    if kind == kinds.WINDOW_END:
        close_window(world, now_us)
        due_heap.push(world, now_us + world.settings.window_us, kind, 0)
        return
    if kind < kinds.WORKED or kind == kinds.CLEAN_FILES or kind == kinds.SLAVE_SYNC:
        _of_broker(world, kind, number, now_us)
        return
    if kind >= kinds.RENEW_LOCKS:
        handle_orderly(world, kind, number, now_us)
        return
    if kind >= kinds.ERRAND:
        _of_transactions(world, kind, number, now_us)
        return
    if kind == kinds.SCALE:
        scale(world, number, now_us)
        due_heap.push(world, now_us + world.groups[number].scale_poll_us, kind, number)
        return
    if _due_us(world, kind, number) != now_us:
        return
    owner = _instance_of(world, kind, number)
    if owner >= 0 and world.instances[owner].frozen_until_us > now_us:
        _put_off(world, kind, number, world.instances[owner].frozen_until_us)
    elif kind == kinds.WORKED:
        _end_work(world, number, now_us)
    elif kind == kinds.PULL:
        go_on(world, number, now_us)
    else:
        _of_instance(world, kind, number, now_us)


@rule()
def _end(world: ConsumerWorld, now_us: Us) -> None:
    """The scenario is over: the window that is open and what is held are put out."""
    if world.clock.window * world.settings.window_us < now_us:
        close_window(world, now_us)
    for number in range(world.settings.instances):
        at = world.instances[number].first_holding
        while at != NOBODY:
            put_assignment(world, world.holdings[at], now_us, 1)
            at = world.holdings[at].next_holding
    world.clock.ended = 1


@entry
def consume_until(world: ConsumerWorld, until_us: Us) -> int:
    """Handle every event before `until_us`, or before the scenario's end if that is sooner: 1 once that is done.

    Everything appended before must be in `world.appended`. Stops early for want of room, and then gives 0.
    """
    clock, appended, actions = world.clock, world.appended, world.actions
    end_us = min(until_us, world.settings.duration_us)
    while True:
        append_us = appended.rows[appended.next].stored_us if appended.next < appended.count else FAR
        action_us = actions.rows[actions.next].at_us if actions.next < actions.count else FAR
        due_us = world.heap[0].at_us
        now_us = min(due_us, min(append_us, action_us))
        if now_us >= end_us:
            break
        if not _has_room(world):
            return 0
        clock.now_us = now_us
        if action_us == now_us:
            actions.next += 1
            act(world, actions.rows[actions.next - 1], now_us)
        elif append_us == now_us and (due_us > now_us or world.heap[0].what >> kinds.KIND_SHIFT > kinds.APPEND):
            _append(world, now_us)
        else:
            _handle(world, due_heap.pop(world), now_us)
    if until_us >= world.settings.duration_us and clock.ended == 0:
        if not _has_room(world):
            return 0
        _end(world, world.settings.duration_us)
    clock.now_us = end_us
    return 1
