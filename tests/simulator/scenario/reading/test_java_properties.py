"""Java properties as a broker reads them: what it takes of a line, and what it ignores."""

from __future__ import annotations

import pytest

from simulator.scenario.reading.broker_conf import ignored, properties_of
from simulator.scenario.reading.java_properties import FLAGS, INTS, LONGS, NAMES, properties_in
from simulator.scenario.reading.rocketmq_names import OF_BROKERS
from tests.says import Says


@pytest.mark.parametrize("line", ["a=1", "a = 1", "a: 1", "a 1", "  a\t1"])
def test_a_key_ends_at_what_java_ends_it(line):
    assert {key: own.value for key, own in properties_in(line).items()} == {"a": "1"}


def test_comments_are_none_and_a_backslash_continues_a_line():
    found = properties_in("# a=1\n! b=2\nc=3,\\\n   4\nd=5\n")
    assert {key: (own.value, own.line) for key, own in found.items()} == {"c": ("3,4", 3), "d": ("5", 5)}


def test_what_cannot_be_read_is_the_default():
    text = "fileReservedTime=72h\nbrokerRole=MASTER\nslaveReadEnable=1\nflushDiskType=SYNC_FLUSH\n"
    assert properties_of(text) == {"slaveReadEnable": "false", "flushDiskType": "SYNC_FLUSH"}
    assert [line for line, _ in ignored(text)] == [1, 2, 3]


def test_dledger_leaves_role_and_pool_without_effect():
    text = "enableDLegerCommitLog=true\ntransientStorePoolEnable=true\nsendMessageThreadPoolNums=16\n"
    assert properties_of(text) == {"enableDLegerCommitLog": "true", "sendMessageThreadPoolNums": "16"}
    assert ignored(text) == [(2, Says("reading.no-effect-under-dledger", "transientStorePoolEnable"))]


def test_every_key_of_a_broker_is_read_as_its_setter_does():
    texts = {"messageDelayLevel", "deleteWhen"}
    assert not set(OF_BROKERS) - FLAGS - INTS - LONGS - set(NAMES) - texts


@pytest.mark.parametrize("line", ["reviveInterval=1s", "maxHaTransferByteInSecond=100 * 1024", "reviveMaxSlow=3 "])
def test_a_number_with_anything_beside_it_is_the_default(line):
    assert (properties_of(line), [number for number, _ in ignored(line)]) == ({}, [1])


def test_a_flag_that_is_not_true_is_false():
    assert properties_of("enablePropertyFilter=yes\nenableRemoteEscape=1\nhaFlowControlEnable=TRUE\n") == {
        "enablePropertyFilter": "false", "enableRemoteEscape": "false", "haFlowControlEnable": "true",
    }  # fmt: skip


def test_a_number_beyond_an_int_is_the_default_and_one_of_a_long_is_not():
    text = "mappedFileSizeCommitLog=4294967296\nmaxHaTransferByteInSecond=4294967296\n"
    assert properties_of(text) == {"maxHaTransferByteInSecond": "4294967296"}
    why = Says("reading.number-beyond-rocketmq", "mappedFileSizeCommitLog", most=2147483647, value="4294967296")
    assert ignored(text) == [(1, why)]
