"""Putting out finished rows. The order of the writes is the order of the columns (run/row_tables.py names them)."""

from __future__ import annotations

from simulator import histogram
from simulator.client.faults.fault_item import FaultTable
from simulator.codes import SEND_OK, SENT_ONEWAY
from simulator.compiled.jit import rule
from simulator.compiled.records import Cells, Us, beyond
from simulator.engine.output import RowTable
from simulator.engine.sending.ending import Ending, Message
from simulator.engine.sending.send import Send
from simulator.engine.tally import EndedFacts, TriedFacts, tally_attempt, tally_fault_item, tally_send, tally_window
from simulator.engine.world import World


@rule(inlined=True)
def pair_of(world: World, topic: int, broker: int) -> int:
    """Number of a (topic, broker) in what the windows count."""
    return topic * world.settings.brokers + broker


@rule(inlined=True)
def _next_row(table: RowTable) -> Cells:
    """The cells of a further row, each `room` from the one before."""
    row = table.rows
    table.rows = row + 1
    return beyond(table.cells, row)


@rule(inlined=True)
def put_attempt(world: World, send: Send, end_us: Us, will_retry: int) -> None:
    """Put out the attempt of a send that just ended, in the table and the tally, if they are wanted."""
    if world.output.tally.wanted == 1:
        thread = world.output.tally.first_thread + send.thread
        facts = TriedFacts(
            thread, send.topic, send.send_seq, send.attempt, send.broker, send.queue_id, send.attempt_begin_us, end_us,
            send.outcome, send.code, send.reason, will_retry,
        )  # fmt: skip
        tally_attempt(world.output.tally, facts)
    room = world.output.attempts.room
    if room == 0:
        return
    to = _next_row(world.output.attempts)
    to[0] = send.thread
    to[room] = send.topic
    to[2 * room] = send.send_seq
    to[3 * room] = send.attempt
    to[4 * room] = send.broker
    to[5 * room] = send.queue_id
    to[6 * room] = send.attempt_begin_us
    to[7 * room] = end_us
    to[8 * room] = send.outcome
    to[9 * room] = send.code
    to[10 * room] = send.reason
    to[11 * room] = will_retry


@rule(inlined=True)
def put_send(world: World, send: Send, end_us: Us, ending: Ending) -> None:
    """Count the message of a send that is finished, and put it out if the table is wanted."""
    clock = world.clock
    clock.sends_ended += 1
    clock.attempts_again += max(ending.attempts - 1, 0)
    if ending.result != SEND_OK and ending.result != SENT_ONEWAY:
        clock.sends_failed += 1
    if world.output.tally.wanted == 1:
        facts = EndedFacts(
            send.thread, send.topic, send.send_seq, send.arrival_us, end_us, ending.result, ending.code,
            ending.attempts, send.copies, send.kept,
        )  # fmt: skip
        tally_send(world.output.tally, world.threads[send.thread].group, facts)
    room = world.output.sends.room
    if room == 0:
        return
    to = _next_row(world.output.sends)
    to[0] = send.thread
    to[room] = send.topic
    to[2 * room] = send.send_seq
    to[3 * room] = send.arrival_us
    to[4 * room] = send.begin_us
    to[5 * room] = end_us
    to[6 * room] = ending.result
    to[7 * room] = ending.code
    to[8 * room] = ending.attempts
    to[9 * room] = ending.broker
    to[10 * room] = ending.queue_id
    to[11 * room] = send.copies
    to[12 * room] = send.kept
    to[13 * room] = send.body_bytes
    to[14 * room] = send.message_bytes
    to[15 * room] = send.key


@rule()
def put_refused(world: World, thread: int, message: Message, send_seq: int, result: int) -> None:
    """Count a message that was refused before any attempt, when it arrived, and put it out if the table is wanted."""
    world.clock.sends_ended += 1
    world.clock.sends_failed += 1
    if world.output.tally.wanted == 1:
        at_us = message.arrival_us
        facts = EndedFacts(thread, message.topic, send_seq, at_us, at_us, result, -1, 0, 0, 0)
        tally_send(world.output.tally, world.threads[thread].group, facts)
    room = world.output.sends.room
    if room == 0:
        return
    to = _next_row(world.output.sends)
    to[0] = thread
    to[room] = message.topic
    to[2 * room] = send_seq
    to[3 * room] = message.arrival_us
    to[4 * room] = message.arrival_us
    to[5 * room] = message.arrival_us
    to[6 * room] = result
    to[7 * room] = -1
    to[8 * room] = 0
    to[9 * room] = -1
    to[10 * room] = -1
    to[11 * room] = 0
    to[12 * room] = 0
    for i in range(13, 16):
        to[i * room] = -1


@rule(inlined=True)
def put_fault_item(world: World, producer: int, faults: FaultTable, broker: int, at_us: Us) -> None:
    """Put out the fault item of a producer for a broker as it is now; a missing item is one that was removed."""
    item, room = faults.items[broker], world.output.fault_items.room
    item.shown = item.present
    if world.output.tally.wanted == 1:
        tally_fault_item(world.output.tally, producer, broker, at_us, item)
        if room == 0:  # nobody goes on from a cell that is tallied: what only numbers rows is left as it is
            return
    state = world.producer_states[producer]
    seq = state.change_seq
    state.change_seq = seq + 1
    if room == 0:
        return
    to = _next_row(world.output.fault_items)
    to[0] = producer
    to[room] = broker
    to[2 * room] = at_us
    to[3 * room] = seq
    to[4 * room] = item.current_latency
    to[5 * room] = item.start_timestamp
    to[6 * room] = item.reachable
    to[7 * room] = 1 - item.present


@rule()
def put_removed_items(world: World, producer: int, faults: FaultTable, at_us: Us) -> None:
    """Put out the items that a selection removed from a producer's fault table (releases up to 5.1.3)."""
    for broker in range(world.settings.brokers):
        item = faults.items[broker]
        if item.shown == 1 and item.present == 0:
            put_fault_item(world, producer, faults, broker, at_us)


@rule(inlined=True)
def count_attempt(world: World, send: Send, end_us: Us) -> None:
    """Count the ended attempt of a send in the open window."""
    number = pair_of(world, send.topic, send.broker)
    pair = world.window_pairs[number]
    pair.ended += 1
    if send.outcome == SEND_OK:
        pair.succeeded += 1
    if send.attempt > 1:
        pair.retried += 1
    if world.output.tally.wanted == 1 and world.output.windows.room == 0:  # nobody goes on from a cell that is tallied
        return
    took_us = end_us - send.attempt_begin_us
    pair.max_us = max(pair.max_us, took_us)
    world.histograms[number].counts[histogram.cell_of(took_us)] += 1


@rule()
def _put_window_row(world: World, topic: int, broker: int, ended: int) -> None:
    room = world.output.windows.room
    to = _next_row(world.output.windows)
    number = pair_of(world, topic, broker)
    pair, counts = world.window_pairs[number], world.histograms[number].counts
    to[0] = world.clock.next_window * world.settings.window_us
    to[room] = topic
    to[2 * room] = broker
    to[3 * room] = pair.ended
    to[4 * room] = ended
    to[5 * room] = pair.succeeded
    to[6 * room] = pair.retried
    most = pair.max_us
    for i in range(3):
        # In half microseconds, because a cell's middle can be one.
        rank_ppm = 500_000 if i == 0 else 990_000 if i == 1 else 999_000
        value = -1
        if pair.ended > 0:
            value = min(int(2.0 * histogram.quantile(counts, pair.ended, rank_ppm)), 2 * most)
        to[(7 + i) * room] = value
    to[10 * room] = most
    to[11 * room] = pair.out_of_order


@rule()
def close_window(world: World) -> None:
    """Put out the open window, a row for each broker in each topic's route, and open the next."""
    topics, brokers = world.settings.topics, world.settings.brokers
    for topic in range(topics):
        ended = 0
        for broker in range(brokers):
            ended += world.window_pairs[pair_of(world, topic, broker)].ended
        for broker in range(brokers):
            number = pair_of(world, topic, broker)
            pair = world.window_pairs[number]
            if world.output.tally.wanted == 1:
                begin_us = world.clock.next_window * world.settings.window_us
                tally_window(world.output.tally, begin_us, broker, pair.ended, pair.retried, pair.out_of_order)
            has_row = pair.ended > 0 or pair.in_route == 1 or pair.out_of_order > 0
            if world.output.windows.room > 0 and has_row:
                _put_window_row(world, topic, broker, ended)
            if pair.ended > 0:
                counts = world.histograms[number].counts
                for cell in range(histogram.CELLS):
                    counts[cell] = 0
            pair.ended = 0
            pair.succeeded = 0
            pair.retried = 0
            pair.max_us = 0
            pair.out_of_order = 0
    world.clock.next_window += 1
