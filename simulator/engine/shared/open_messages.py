"""Messages with copies whose fate is open: the row of each is put out when it has ended and the last fate is known.

Open is whether a flush comes before the power is lost (broker/flushing.py), what the request of a hedged message
stores that nobody has read when the message ends, and what one stores that is under way on the network.
"""

from __future__ import annotations

from simulator.client.steps.steps import Ending
from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.engine.memory.send import NOT_ENDED, Attempt, copy_message
from simulator.engine.memory.world import World
from simulator.engine.shared.rows import put_send
from simulator.engine.shared.threads import message_of
from simulator.kernel.pools import give_back, take


@rule()
def keep_apart(world: World, send: Attempt) -> None:
    """Have the message of an attempt outlive it, in a record of its own, if it has none yet."""
    if send.message == send.number:
        own = take(world, world.clock.messages, world.attempts).number
        copy_message(world.messages[own], message_of(world, send))
        send.message = own


@rule()
def open_copy(world: World, send: Attempt) -> None:
    """The fate of one more copy of the attempt's message is open."""
    keep_apart(world, send)
    message_of(world, send).open_copies += 1


@rule()
def decide_copy(world: World, number: int, kept: int) -> None:
    """One fate less is open, so many copies are kept; after the last the message's row is put out, if it has ended."""
    message = world.messages[number]
    message.kept += kept
    message.open_copies -= 1
    if message.open_copies == 0 and message.result != NOT_ENDED:
        ending = Ending(message.result, message.code, message.attempts, message.broker, message.queue_id)
        put_send(world, message, message.end_us, ending)
        give_back(world.clock.messages, world.attempts[number])


@rule()
def put_when_known(world: World, send: Attempt, end_us: Us, ending: Ending) -> None:
    """Put the row of an attempt's message out, which has ended: at once or when the fate of the last copy is known."""
    message = message_of(world, send)
    if message.open_copies == 0:
        put_send(world, message, end_us, ending)
        if send.message != send.number:
            give_back(world.clock.messages, world.attempts[send.message])
        return
    message.end_us = end_us
    message.result = ending.result
    message.code = ending.code
    message.attempts = ending.attempts
    message.broker = ending.broker
    message.queue_id = ending.queue_id
