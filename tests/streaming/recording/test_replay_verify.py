"""The model decides as the recorded producers did, and the comparison notices where it would not."""

from __future__ import annotations

import json

import pytest

from simulator.replay.replay_codes import KINDS
from tests.streaming.recordings import ASYNC, ASYNC_ABOUT, SYNC, async_rows, row, small_rows, spec_of, verified, write


@pytest.mark.parametrize("names", [SYNC, ASYNC])
def test_there_are_recordings_of_two_releases(names):
    assert {name.split("-")[1] for name in names} == {"4.9.8", "5.3.3"}


@pytest.mark.parametrize("name", [*SYNC, *ASYNC])
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


@pytest.mark.parametrize(
    ("name", "release", "kind"),
    [
        ("live-4.9.8-s7", "4.6.1", "timeout"),
        ("live-4.9.8-s7", "4.9.2", "after_attempt"),
        ("live-4.9.8-s7", "5.3.3", "after_attempt"),
        ("live-4.9.8-s7", "4.9.2", "send_end"),
        ("live-5.3.3-s3a", "5.3.1", "after_attempt"),
    ],
)
def test_another_releases_asynchronous_path_is_caught(name, release, kind):
    assert _wrong(kind, name, async_rules_of=release) > 0.002


@pytest.mark.parametrize("name", ASYNC)
def test_an_ignored_hand_over_is_caught(name):
    assert _wrong("fault_update", name, ignore_hand_over=True) == pytest.approx(0.5, abs=0.01)


def test_penalties_shifted_by_a_class_are_caught_in_asynchronous_recordings():
    assert _wrong("select", "live-5.3.3-s3a", shift_penalties=1) > 0.1


def test_a_small_asynchronous_recording_agrees(tmp_path):
    agreement = verified(str(write(tmp_path, async_rows(), ASYNC_ABOUT)))
    assert agreement.differences == []
    assert (agreement.total("determined"), agreement.total("agree")) == (10, 10)


# Line of async_rows, what it says, what is written there instead, and the field that must then differ.
FORGED_ASYNC = [
    (2, ",retry,", ",cb_ex,", "after"),
    (3, ",2,1,,600012", ",2,0,,600012", "isolation"),
    (4, "broker-a,broker-b,0,", "broker-a,broker-b,1,", "queue_id"),
    (4, "broker-a,broker-b", ",broker-b", "last_broker"),
    (5, ",2,0,,,", ",2,1,,,", "isolation"),
    (5, "broker-a", "broker-b", "broker"),
    (6, "broker-b,1,", "broker-b,0,", "queue_id"),
    (6, ",2998,", ",2999,", "timeout_ms"),
    (7, "broker-b,1,", "broker-b,0,", "queue_id"),
    (8, ",1,0,,,", ",1,0,,5011,", "start_timestamp_ms"),
]


@pytest.mark.parametrize(("line", "said", "forged", "field"), FORGED_ASYNC)
def test_a_forged_asynchronous_decision_is_caught(tmp_path, line, said, forged, field):
    rows = async_rows()
    assert said in rows[line]
    rows[line] = rows[line].replace(said, forged, 1)
    agreement = verified(str(write(tmp_path, rows, ASYNC_ABOUT)))
    assert [(d.row, field in d.fields) for d in agreement.differences] == [(line + 1, True)]


def test_an_ignored_hand_over_leaves_a_refused_broker_isolated(tmp_path):
    key = {"thread": 3, "send_seq": 1, "attempt": 1, "broker": "broker-a", "queue_id": 0}
    later = row("select", 20_100, **key, ms_pre=20, seed=3, steps=1, route=0)
    spec = str(write(tmp_path, [*async_rows(), later], ASYNC_ABOUT))
    ignored = verified(json.dumps({"path": spec, "ignore_hand_over": True}))
    assert verified(spec).total("agree", "select") == 3
    assert [(d.row, d.kind) for d in ignored.differences] == [(6, "fault_update"), (10, "select")]


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


def test_a_difference_is_reported_in_full(tmp_path):
    rows = small_rows()
    rows[1] = rows[1].replace("broker-a,1,", "broker-b,0,", 1)
    difference = verified(str(write(tmp_path, rows))).differences[0]
    assert difference.fields == {"broker": ("broker-b", "broker-a"), "queue_id": (0, 1)}
    assert difference.recorded["ms_pre"] == 10
