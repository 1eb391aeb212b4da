"""How far time is complete: the slowest partition that is not quiet says."""

from __future__ import annotations

import json

from state.packing import LayoutError, pack, unpack
from streaming.kafka.intake.partitions import Partitions
from streaming.kafka.intake.record_blocks import ENDED, Partition
from tests.says import Says, raises

A, B = Partition("t", 0), Partition("u", 3)


def partitions(**marks):
    own = Partitions()
    own.tell(json.dumps([[*A, False], [*B, False]]).encode())
    for name, mark in marks.items():
        own.read({"a": A, "b": B}[name], mark)
    return own


def marked_quiet(own, *quiet):
    own.tell(json.dumps([[*place, place in quiet] for place in (A, B)]).encode())
    return own


def test_time_is_complete_as_far_as_the_slowest_partition_but_for_the_lateness():
    assert partitions(a=9_000, b=7_000).complete_us(2_000) == 5_000


def test_a_partition_of_which_nothing_was_read_holds_time():
    assert partitions(a=9_000).complete_us(0) == 0
    assert Partitions().complete_us(0) == 0


def test_a_quiet_partition_does_not_hold_time():
    assert marked_quiet(partitions(a=9_000), B).complete_us(2_000) == 7_000


def test_a_partition_that_is_read_is_quiet_no_more():
    own = marked_quiet(partitions(a=9_000), B)
    own.read(B, 4_000)
    assert own.complete_us(0) == 4_000


def test_a_mark_never_goes_back():
    own = partitions(a=9_000, b=9_000)
    own.read(A, 3_000)
    assert own.complete_us(0) == 9_000


def test_the_end_is_when_every_partition_that_is_not_quiet_has_ended():
    own = partitions(a=ENDED, b=7_000)
    assert (own.has_ended, own.complete_us(0)) == (False, 7_000)
    own.read(B, ENDED)
    assert own.has_ended
    assert marked_quiet(partitions(a=ENDED), B).has_ended
    assert not marked_quiet(partitions(), A, B).has_ended


def test_time_waits_until_it_is_known_which_partitions_there_are():
    own = Partitions()
    own.read(A, 9_000)
    again = Partitions.of(unpack(pack(own.part(("t", "u")))), ("t", "u"))
    assert (own.complete_us(0), again.complete_us(0)) == (0, 0)
    again.read(A, ENDED)
    assert not again.has_ended
    again.tell(json.dumps([[*A, False], [*B, False]]).encode())
    assert (again.has_ended, again.complete_us(0)) == (False, 0)


def test_a_checkpoint_remembers_marks_and_quiet_partitions():
    own = marked_quiet(partitions(a=9_000), B)
    again = Partitions.of(unpack(pack(own.part(("t", "u")))), ("t", "u"))
    assert again.complete_us(2_000) == 7_000
    assert again.part(("t", "u"))["kafka_partitions"].values.tolist() == [0, 0, 9_000, 0, 1, 3, -(1 << 62), 1]


def test_a_state_of_other_topics_is_refused():
    with raises(LayoutError, Says("kafka.state-of-other-topics")):
        Partitions.of(partitions(a=1).part(("t", "u")), ("t",))
