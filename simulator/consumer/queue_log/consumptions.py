"""The counts that a stored message carries: how often each of its readers has consumed it.

A message of a retry topic, which one group reads, carries its reconsumeTimes and its first subscription there, too,
whether the group had handled it already, without its broker hearing of that in time, and whether there are others.
A POP group that pops in any order notes in its own bits of every message, too, whether it has handled that.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.consumer.memory.consumer_group import SubscribedTopic
from simulator.consumer.memory.queue_log import TIMES_BITS, MessageContent, NewMessage, StoredMessage

TIMES_MASK = (1 << TIMES_BITS) - 1  # of the one group that reads a retry topic
RETRY_BITS = 14  # of the reconsumeTimes
RETRY_MASK = (1 << RETRY_BITS) - 1
SUBSCRIPTION_BITS = 13  # of the number of the subscription among its group's
SUBSCRIPTION_MASK = (1 << SUBSCRIPTION_BITS) - 1
SUBSCRIPTION_SHIFT = TIMES_BITS + RETRY_BITS
HANDLED_SHIFT = SUBSCRIPTION_SHIFT + SUBSCRIPTION_BITS
HANDLED_MARK = 1 << HANDLED_SHIFT
HAS_OTHERS = HANDLED_MARK << 1  # a message of a retry topic was stored there twice, and not as it failed between


@rule(inlined=True)
def times_in(counts: int, reader: SubscribedTopic) -> int:
    """How often a reader has consumed the message that carries these counts."""
    return counts >> reader.shift & reader.times_max


@rule()
def count_consumption(message: StoredMessage, shift: int, most: int) -> int:
    """How often a reader has consumed the message, this time included; its bits hold `most`, so at most once more."""
    times = (message.counts >> shift & most) + 1
    message.counts = message.counts & ~(most << shift) | min(times, most) << shift
    return times


@rule(inlined=True)
def retry_counts(reconsume_times: int, subscription: int, was_handled: int) -> int:
    """The counts of a message that is stored in a retry topic; `subscription`: its number among the group's."""
    return was_handled << HANDLED_SHIFT | subscription << SUBSCRIPTION_SHIFT | reconsume_times << TIMES_BITS


@rule(inlined=True)
def was_handled_in(counts: int) -> int:
    """1: the group had handled a message of a retry topic before it was stored there."""
    return counts >> HANDLED_SHIFT & 1


@rule(inlined=True)
def handled_mark(own: SubscribedTopic) -> int:
    """The bit of a message which says that a group has handled it that pops in any order."""
    return HANDLED_MARK if own.is_retry == 1 else own.times_max + 1 << own.shift


@rule(inlined=True)
def note_handled(message: StoredMessage, own: SubscribedTopic) -> None:
    """A group that pops in any order has handled a message, here or elsewhere."""
    message.counts = message.counts | handled_mark(own)


@rule(inlined=True)
def reconsume_times_in(counts: int) -> int:
    """reconsumeTimes of a message of a retry topic."""
    return counts >> TIMES_BITS & RETRY_MASK


@rule(inlined=True)
def subscription_in(counts: int) -> int:
    """Number, among its group's, of the subscription that a message of a retry topic came through first."""
    return counts >> SUBSCRIPTION_SHIFT & SUBSCRIPTION_MASK


@rule(inlined=True)
def put_content(message: MessageContent, new: NewMessage) -> None:
    """Write what a message is."""
    message.arrival_us = new.arrival_us
    message.draw = new.draw
    message.sender = new.sender
    message.counts = new.counts
    message.body_bytes = new.body_bytes


@rule(inlined=True)
def content_of(message: MessageContent) -> NewMessage:
    """What a message is, to be stored somewhere else."""
    return NewMessage(message.arrival_us, message.draw, message.sender, message.counts, message.body_bytes)
