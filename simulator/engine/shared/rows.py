"""Putting out finished rows: output.py says what each holds."""

from __future__ import annotations

from typing import NamedTuple

from simulator.client.faults.fault_item import FaultTable
from simulator.client.steps.steps import Ending
from simulator.codes import SEND_OK, WELL
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.send import (
    Attempt,
    GivenMessage,
    Message,
    copy_identity,
    copy_made,
    copy_message_fields,
)
from simulator.engine.memory.tally import (
    EndedFacts,
    TriedFacts,
    tally_attempt,
    tally_fault_item,
    tally_send,
    tally_window,
)
from simulator.engine.memory.world import World
from simulator.engine.shared.threads import message_of
from simulator.kernel import histogram
from simulator.kernel.row_table import next_row


@rule(inlined=True)
def pair_of(world: World, topic: int, broker: int) -> int:
    """Number of a (topic, broker) in what the windows count."""
    return topic * world.settings.brokers + broker


@rule(inlined=True)
def put_attempt(world: World, send: Attempt, end_us: Us, will_retry: int) -> None:
    """Put out the attempt of a send that just ended, in the table and the tally, if they are wanted."""
    if world.output.tally.wanted == 1:
        thread = world.output.tally.first_thread + send.thread
        facts = TriedFacts(
            thread, send.topic, send.send_seq, send.attempt, send.broker, send.queue_id, send.attempt_begin_us, end_us,
            send.outcome, send.code, send.reason, will_retry,
        )  # fmt: skip
        tally_attempt(world.output.tally, facts)
    if world.output.attempts.room == 0:
        return
    row = world.output.attempt_rows[next_row(world.output, world.output.attempts)]
    copy_made(row, send)
    row.begin_us = send.attempt_begin_us
    row.end_us = end_us
    row.will_retry = will_retry


@rule(inlined=True)
def put_send(world: World, message: Message, end_us: Us, ending: Ending) -> None:
    """Count a message that has ended, and put it out if the table is wanted."""
    clock = world.clock
    clock.sends_ended += 1
    clock.attempts_again += max(ending.attempts - 1, 0)
    if ending.result not in WELL:
        clock.sends_failed += 1
    if world.output.tally.wanted == 1:
        facts = EndedFacts(
            message.thread, message.topic, message.send_seq, message.arrival_us, end_us, ending.result, ending.code,
            ending.attempts, message.copies, message.kept,
        )  # fmt: skip
        tally_send(world.output.tally, world.threads[message.thread].group, facts)
    if world.output.sends.room == 0:
        return
    row = world.output.send_rows[next_row(world.output, world.output.sends)]
    copy_message_fields(row, message)
    row.end_us = end_us
    row.result = ending.result
    row.code = ending.code
    row.attempts = ending.attempts
    row.broker = ending.broker
    row.queue_id = ending.queue_id


@rule()
def put_append(world: World, send: Attempt) -> None:
    """Put out the copy of a send that was just appended, if consumers want to know it."""
    message, row = message_of(world, send), world.output.append_rows[next_row(world.output, world.output.appends)]
    row.at_us = send.stored_us
    copy_identity(row, send)
    row.broker = send.broker
    row.queue_id = send.queue_id
    row.count = world.thread_kinds[world.threads[send.thread].group].batch
    row.body_bytes = message.message_bytes // row.count
    row.arrival_us = message.arrival_us
    row.delay = 0


class LostCopy(NamedTuple):
    """A copy, or a batch of them, that its broker loses."""

    topic: int
    broker: int
    queue_id: int
    copies: int
    thread: int
    draw: int


@rule()
def put_lost(world: World, lost: LostCopy, at_us: Us) -> None:
    """Put out that a copy is lost then, if consumers want to know it: it leaves the log that they read."""
    if world.output.losses.room == 0:
        return
    row = world.output.loss_rows[next_row(world.output, world.output.losses)]
    row.at_us = at_us
    row.thread = lost.thread
    row.topic = lost.topic
    row.draw = lost.draw
    row.broker = lost.broker
    row.queue_id = lost.queue_id
    row.count = lost.copies
    row.delay = 0


@rule()
def put_answer(world: World, send: Attempt, broker: int, is_ok: int, now_us: Us) -> None:
    """Put out that a producer has the answer to a half message: its transaction goes on."""
    row = world.output.answer_rows[next_row(world.output, world.output.answers)]
    row.at_us = now_us
    row.thread = send.thread
    row.send_seq = send.send_seq
    row.broker = broker
    row.is_ok = is_ok


@rule()
def put_refused(world: World, thread: int, message: GivenMessage, send_seq: int, result: int) -> None:
    """Count a message that was refused before any attempt, when it arrived, and put it out if the table is wanted."""
    world.clock.sends_ended += 1
    world.clock.sends_failed += 1
    if world.output.tally.wanted == 1:
        at_us = message.arrival_us
        facts = EndedFacts(thread, message.topic, send_seq, at_us, at_us, result, -1, 0, 0, 0)
        tally_send(world.output.tally, world.threads[thread].group, facts)
    if world.output.sends.room == 0:
        return
    row = world.output.send_rows[next_row(world.output, world.output.sends)]
    row.thread = thread
    row.topic = message.topic
    row.send_seq = send_seq
    row.arrival_us = message.arrival_us
    row.begin_us = message.arrival_us
    row.end_us = message.arrival_us
    row.result = result
    row.code = -1
    row.attempts = 0
    row.broker = -1
    row.queue_id = -1
    row.copies = 0
    row.kept = 0
    row.body_bytes = -1
    row.message_bytes = -1
    row.key = -1


@rule(inlined=True)
def put_fault_item(world: World, producer: int, faults: FaultTable, broker: int, at_us: Us) -> None:
    """Put out the fault item of a producer for a broker as it is now; a missing item is one that was removed."""
    item, room = faults.items[broker], world.output.fault_items.room
    item.shown = item.present
    if world.output.tally.wanted == 1:
        tally_fault_item(world.output.tally, producer, broker, at_us, item)
        if room == 0:  # nobody goes on from a cell that is tallied: what only numbers rows is left as it is
            return
    seq = world.change_seqs[producer]
    world.change_seqs[producer] = seq + 1
    if room == 0:
        return
    row = world.output.fault_item_rows[next_row(world.output, world.output.fault_items)]
    row.producer = producer
    row.broker = broker
    row.at_us = at_us
    row.seq = seq
    row.current_latency = item.current_latency
    row.start_timestamp = item.start_timestamp
    row.reachable = item.reachable
    row.removed = 1 - item.present


@rule()
def put_removed_items(world: World, producer: int, faults: FaultTable, at_us: Us) -> None:
    """Put out the items that a selection removed from a producer's fault table (releases up to 5.1.3)."""
    for broker in range(world.settings.brokers):
        item = faults.items[broker]
        if item.shown == 1 and item.present == 0:
            put_fault_item(world, producer, faults, broker, at_us)


@rule(inlined=True)
def count_attempt(world: World, send: Attempt, end_us: Us) -> None:
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
    row = world.output.window_rows[next_row(world.output, world.output.windows)]
    number = pair_of(world, topic, broker)
    pair = world.window_pairs[number]
    row.begin_us = world.clock.next_window * world.settings.window_us
    row.topic = topic
    row.broker = broker
    row.ended = pair.ended
    row.topic_ended = ended
    row.succeeded = pair.succeeded
    row.retried = pair.retried
    counts = world.histograms[number].counts
    row.p50_half_us = histogram.half_us(counts, pair.ended, 500_000, pair.max_us)
    row.p99_half_us = histogram.half_us(counts, pair.ended, 990_000, pair.max_us)
    row.p999_half_us = histogram.half_us(counts, pair.ended, 999_000, pair.max_us)
    row.max_us = pair.max_us
    row.out_of_order = pair.out_of_order


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
