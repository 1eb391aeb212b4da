"""Fields that two records inherit are copied; what each has beside them stays."""

import numpy as np
import pytest

from simulator.compiled.field_copies import copier, zeroer
from simulator.compiled.jit import rule
from simulator.compiled.records import Record
from simulator.consumer.memory.consumer_group import ConsumerTally
from simulator.consumer.memory.consumer_output import zero_group_counts
from simulator.engine.memory.send import Attempt, Message, copy_attempt, copy_identity
from simulator.engine.memory.settings import Pool


class Weighed(Record):
    weight: float


@rule()
def both(aside: Attempt, message: Message, send: Attempt) -> None:
    copy_attempt(aside, send)
    copy_identity(message, send)


@rule()
def emptied(tally: ConsumerTally) -> None:
    zero_group_counts(tally)


def record(kind, first):
    return kind.at(np.arange(first, first + 64, dtype=np.int64))


def test_inherited_fields_are_copied_and_others_stay():
    send, aside, message = record(Attempt, 100), record(Attempt, 500), record(Message, 900)
    number, open_copies = aside.number, message.open_copies
    both(aside, message, send)
    assert (aside.send_seq, aside.broker, aside.ends_us) == (send.send_seq, send.broker, send.ends_us)
    assert (message.thread, message.send_seq, message.draw) == (send.thread, send.send_seq, send.draw)
    assert (aside.number, message.open_copies) == (number, open_copies)


def test_inherited_fields_are_set_to_0_and_others_stay():
    tally = record(ConsumerTally, 100)
    handled, seen = tally.handled, tally.seen
    emptied(tally)
    assert (tally.consumed, tally.from_slave, tally.verdict) == (0, 0, 0)
    assert (tally.handled, tally.seen) == (handled, seen) != (0, 0)


def test_a_class_with_other_fields_than_numbers_is_refused():
    with pytest.raises(TypeError, match=r"Weighed\.weight is not a number"):
        copier(Weighed)
    with pytest.raises(TypeError, match=r"Weighed\.weight is not a number"):
        zeroer(Weighed)
    assert copier(Pool) is not None
