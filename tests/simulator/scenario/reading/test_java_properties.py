"""Java properties as a broker reads them: what it takes of a line, and what it ignores."""

from __future__ import annotations

import pytest

from simulator.scenario.reading.broker_conf import ignored, properties_of
from simulator.scenario.reading.java_properties import properties_in
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
