"""deduplicate: what a group skips because it has handled it, and what comes through."""

from __future__ import annotations

import collections

import pytest

from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.small import ran_tables, rows, scenario_of

GROUP = {"topic": "orders", "threads": 4, "service": "5ms", "release": "5.3.3"}
BACK = {"at": "60s", "consumer": "billing", "kind": "reset_offset", "to": "0s"}
LARGE = {"window": "10m", "entries": 100_000}


def billing(faults=(BACK,), duration="100s", rate="20/s", release="5.3.3", **keys):
    return ran_tables(
        client={"release": release}, duration=duration, producers={"rate": rate, "arrivals": "steady"},
        consumers={"billing": GROUP | keys}, faults=list(faults),
    )  # fmt: skip


def total(run, column):
    return int(run.column("consumer_windows", column).sum())


def by_result(run):
    return collections.Counter(row["result"] for row in rows(run, "consumed"))


def test_a_large_memory_lets_nothing_through_after_a_reset():
    run = billing(deduplicate=LARGE)
    again = total(run, "consumed_again")
    assert again > 1000
    assert (total(run, "deduplicated"), total(run, "handled_again")) == (again, 0)
    assert by_result(run) == {"handled": total(run, "consumed") - again, "skipped as a duplicate": again}


def test_what_is_skipped_takes_the_thread_no_time():
    run = billing(deduplicate=LARGE)
    took = {row["end_us"] - row["begin_us"] for row in rows(run, "consumed", result="skipped as a duplicate")}
    assert took == {1}


def test_what_is_older_than_the_window_is_handled_again():
    run = billing(deduplicate={"window": "30s", "entries": 100_000})
    skipped = rows(run, "consumed", result="skipped as a duplicate")
    again = [row for row in rows(run, "consumed", result="handled") if row["times"] > 1]
    assert total(run, "handled_again") == len(again) > 500
    assert len(skipped) > 100
    assert max(row["arrival_us"] for row in again) < min(row["arrival_us"] for row in skipped)


def test_what_was_pushed_out_by_others_is_handled_again():
    run = billing(deduplicate={"window": "10m", "entries": 300})
    assert total(run, "handled_again") > 1000
    assert total(run, "deduplicated") < 300


def test_a_message_that_two_threads_are_at_comes_through():
    stuck = [{"at": "10s", "for": "150s", "consumer": "billing", "kind": "stuck"}]
    run = billing(stuck, "200s", consume_timeout="1m", deduplicate=LARGE)
    assert total(run, "expired") == 1
    assert (total(run, "deduplicated"), total(run, "handled_again")) == (0, 1)


def test_a_retry_is_no_duplicate():
    run = billing((), fails=0.3, deduplicate=LARGE)
    assert total(run, "failed") > 100
    assert (total(run, "deduplicated"), total(run, "handled_again")) == (0, 0)


def test_the_second_copy_of_a_message_that_was_stored_twice_is_skipped():
    hang = [{"at": "20s", "for": "10s", "broker": "a", "kind": "hang"}]
    run = billing(hang, "80s", release="4.2.0", deduplicate=LARGE)
    counts = collections.Counter((row["sender"], row["send_seq"]) for row in rows(run, "consumed"))
    copies = sum(count - 1 for count in counts.values())
    assert copies > 0
    assert total(run, "deduplicated") + total(run, "handled_again") == copies


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"deduplicate": {"window": "1m"}}, Says("field.missing", "...deduplicate.entries")),
        ({"deduplicate": {"window": "1m", "entrys": 1}}, Says("reading.unknown-meant", near="entries")),
        ({"deduplicate": LARGE, "message_model": "BROADCASTING"}, Says("consumer.broadcast-handles-all")),
    ],
)
def test_a_wrong_memory_is_refused(keys, says):
    with raises(ScenarioError, says):
        scenario_of(consumers={"billing": GROUP | keys})
