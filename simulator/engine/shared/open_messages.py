"""Messages with copies whose fate is open: the row of each is put out when it has ended and the last fate is known.

Open is whether a flush comes before the power is lost (broker/flushing.py), what the request of a hedged message
stores that nobody has read when the message ends, and what one stores that is under way on the network.
"""

from __future__ import annotations

from simulator.client.steps.steps import Ending
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.send import OpenMessage, Send, copy_message
from simulator.engine.memory.world import World
from simulator.engine.shared.rows import put_send
from simulator.kernel.pools import give_back, take


@rule()
def count_apart(world: World, send: Send) -> None:
    """Have the copies of a send counted apart, if they are not yet."""
    if send.counted == 0:
        message = take(world, world.clock.open_messages, world.open_messages)
        message.open_copies = 0
        message.has_ended = 0
        message.kept = 0
        message.copies = 0
        send.counted = 1 + message.number


@rule()
def open_copy(world: World, send: Send) -> int:
    """The fate of one more copy of a send is open; gives the record that counts it."""
    count_apart(world, send)
    world.open_messages[send.counted - 1].open_copies += 1
    return send.counted - 1


@rule()
def await_reading(world: World, send: Send) -> None:
    """The message of a send ends while its request lies in a socket: what it stores is open until it is read."""
    open_copy(world, send)


@rule()
def count_late(world: World, send: Send) -> None:
    """It is read, with those copies."""
    message = world.open_messages[send.counted - 1]
    send.counted = 0
    message.copies += send.copies
    decide_copy(world, message, send.kept)


@rule()
def decide_copy(world: World, message: OpenMessage, kept: int) -> None:
    """One fate less is open, so many copies are kept; after the last the message's row is put out, if it has ended."""
    message.kept += kept
    message.open_copies -= 1
    if message.open_copies == 0 and message.has_ended == 1:
        _put_counted(world, message)


@rule()
def _put_counted(world: World, message: OpenMessage) -> None:
    ending = Ending(message.result, message.code, message.attempts, message.broker, message.queue_id)
    put_send(world, message, message.end_us, ending)
    give_back(world.clock.open_messages, message)


@rule()
def put_when_known(world: World, send: Send, end_us: Us, ending: Ending) -> None:
    """`rows.put_send`, at once or when the fate of the last copy is known."""
    if send.counted == 0:
        put_send(world, send, end_us, ending)
        return
    message = world.open_messages[send.counted - 1]
    send.counted = 0
    copy_message(message, send)
    message.copies += send.copies
    message.kept += send.kept
    message.end_us = end_us
    message.result = ending.result
    message.code = ending.code
    message.attempts = ending.attempts
    message.broker = ending.broker
    message.queue_id = ending.queue_id
    message.has_ended = 1
    if message.open_copies == 0:
        _put_counted(world, message)
