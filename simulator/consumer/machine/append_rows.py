"""What brokers append: a message becomes readable, waits for its time or its transaction, or is lost again."""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.crash_loss import cut_tail
from simulator.consumer.broker.held_pops import wake_pops
from simulator.consumer.broker.held_pulls import wake_held
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.half_message import HALF
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.queue_log import SENDER_SHIFT, NewMessage
from simulator.consumer.queue_log.log_files import write_entry
from simulator.consumer.queue_log.log_pages import append_message
from simulator.consumer.schedule.delay_pages import cut_from
from simulator.consumer.schedule.delivering import delay, queue_of_level
from simulator.consumer.transactions.half_outcomes import end_send, store_half
from simulator.consumer.transactions.other_master import lose_half
from simulator.engine.memory.output import AnswerRow, AppendRow, LossRow


@rule()
def append_later(world: ConsumerWorld, row: AppendRow, now_us: Us) -> None:
    """Store an appended message that waits for its time or its transaction."""
    first = world.log_numbers[row.topic * world.settings.brokers + row.broker]
    sender = row.thread << SENDER_SHIFT | row.send_seq
    for _ in range(row.count):
        write_entry(world, row.broker, row.topic, row.body_bytes, now_us)
    if first < 0:
        return
    new = NewMessage(row.arrival_us, row.draw, sender, 0, row.body_bytes)
    if row.delay == HALF:
        store_half(world, row.broker, first + row.queue_id, new, now_us)
    else:
        delay(world, row.broker, row.delay, first + row.queue_id, new, now_us)


@rule()
def take_append(world: ConsumerWorld, now_us: Us) -> None:
    """Take the next row of what was appended."""
    row = world.appends.rows[world.appends.next]
    world.appends.next += 1
    first = world.log_numbers[row.topic * world.settings.brokers + row.broker]
    number = first + row.queue_id
    sender = row.thread << SENDER_SHIFT | row.send_seq
    if row.delay != 0:
        world.late.put_later(world, world.appends.next - 1, now_us)
        return
    if first < 0:
        for _ in range(row.count):
            write_entry(world, row.broker, row.topic, row.body_bytes, now_us)
        return
    log = world.logs[number]
    for _ in range(row.count):
        draw = row.draw + (log.max_offset << 20) if row.count > 1 else row.draw
        append_message(world, log, NewMessage(row.arrival_us, draw, sender, 0, row.body_bytes), now_us)
    if log.held != NOBODY:
        wake_held(world, number, now_us)
    if world.settings.pops > 0:
        for i in range(row.count):
            wake_pops(world, number, log.max_offset - row.count + i, now_us)


@rule()
def take_loss(world: ConsumerWorld) -> None:
    """Take the next row of what was lost."""
    row = world.losses.rows[world.losses.next]
    world.losses.next += 1
    first = world.log_numbers[row.topic * world.settings.brokers + row.broker]
    if row.delay != 0:
        world.late.lose_later(world, world.losses.next - 1, 0)
    elif first >= 0:
        cut_tail(world, first + row.queue_id, row.count)


@rule()
def lose_waiting(world: ConsumerWorld, row: LossRow) -> None:
    """A message is lost that waits for its time or its transaction, unless it was delivered."""
    first = world.log_numbers[row.topic * world.settings.brokers + row.broker]
    if first < 0:
        return
    if row.delay == HALF:
        lose_half(world, row.broker, first + row.queue_id, row.draw)
    else:
        cut_from(world, queue_of_level(world, row.broker, row.delay), row.draw)


@rule()
def take_answer(world: ConsumerWorld, row: AnswerRow, now_us: Us) -> None:
    """Take a row of the answers that producers get to half messages."""
    end_send(world, row.broker, row.thread << SENDER_SHIFT | row.send_seq, row.is_ok == 1, now_us)
