"""The model decides as the recorded producers did, and the comparison notices where it would not."""

from __future__ import annotations

import pytest

from simulator.replay.layout import KINDS
from tests.streaming.recordings import SYNC, small_rows, spec_of, verified, write


def test_there_are_recordings_of_two_releases():
    assert {name.split("-")[1] for name in SYNC} == {"4.9.8", "5.3.3"}


@pytest.mark.parametrize("name", SYNC)
def test_every_decision_of_a_recording_agrees(name):
    agreement = verified(spec_of(name))
    assert agreement.differences == []
    assert agreement.is_full
    assert agreement.total("open") == 0
    assert all(agreement.total("determined", kind) > 10_000 for kind in KINDS)


def test_most_timeouts_are_known_exactly():
    agreement = verified(spec_of("live-5.3.3-s6mp"))
    assert agreement.exact_timeouts > 0.9 * agreement.total("determined", "timeout")


def _wrong(kind: str, name: str, **changes: object) -> float:
    agreement = verified(spec_of(name, **changes))
    return 1 - agreement.total("agree", kind) / agreement.total("determined", kind)


@pytest.mark.parametrize(("name", "release"), [("live-4.9.8-s6", "5.3.3"), ("live-5.3.3-s8", "4.9.8")])
def test_another_releases_rule_is_caught(name, release):
    assert _wrong("select", name, release=release) > 0.4


@pytest.mark.parametrize("name", ["live-4.9.8-s6", "live-5.3.3-s8"])
def test_an_ignored_fault_table_is_caught(name):
    assert _wrong("select", name, ignore_fault_table=True) > 0.2


@pytest.mark.parametrize(("name", "classes"), [("live-4.9.8-s6", 1), ("live-4.9.8-s6", -1), ("live-5.3.3-s8", 1)])
def test_penalties_shifted_by_a_class_are_caught(name, classes):
    assert _wrong("fault_update", name, shift_penalties=classes) > 0.0001
    assert _wrong("select", name, shift_penalties=classes) > 0


def test_a_missing_cap_of_the_timeout_is_caught():
    assert _wrong("timeout", "live-5.3.3-s6mp", release="5.3.2") > 0.9


def test_a_code_that_another_release_does_not_retry_is_caught():
    assert _wrong("after_attempt", "live-5.3.3-s10", release="5.2.0") > 0


def test_a_small_recording_agrees(tmp_path):
    agreement = verified(str(write(tmp_path, small_rows())))
    assert agreement.is_full
    assert agreement.total("determined") == 15


# Line of small_rows, what it says, what is written there instead, and the field that must then differ.
FORGED = [
    (1, "broker-a,1,", "broker-a,0,", "queue_id"),
    (1, ",,broker-a,", ",broker-b,broker-a,", "last_broker"),
    (1, ",10,,0,1,", ",10,,0,2,", "steps"),
    (1, ",10,,0,1,,", ",10,,0,1,7,", "resets"),
    (2, ",return,", ",retry,", "after"),
    (2, ",3000,SEND_OK", ",2990,SEND_OK", "timeout_ms"),
    (3, ",1,0,,,", ",1,1,,,", "isolation"),
    (3, ",1,0,,,", ",1,0,,5011,", "start_timestamp_ms"),
    (3, ",1,0,,,", ",1,0,0,,", "reachable"),
    (4, "SEND_OK,,", "MQClientException,,", "outcome"),
    (4, "SEND_OK,,", "MQClientException,2,", "response_code"),
]


@pytest.mark.parametrize(("line", "said", "forged", "field"), FORGED)
def test_a_forged_decision_is_caught(tmp_path, line, said, forged, field):
    rows = small_rows()
    assert said in rows[line]
    rows[line] = rows[line].replace(said, forged, 1)
    agreement = verified(str(write(tmp_path, rows)))
    assert not agreement.is_full
    assert [(d.row, field in d.fields) for d in agreement.differences] == [(line + 1, True)]


def test_a_difference_is_told_in_full(tmp_path):
    rows = small_rows()
    rows[1] = rows[1].replace("broker-a,1,", "broker-b,0,", 1)
    difference = verified(str(write(tmp_path, rows))).differences[0]
    assert difference.fields == {"broker": ("broker-b", "broker-a"), "queue_id": (0, 1)}
    assert difference.recorded["ms_pre"] == 10
