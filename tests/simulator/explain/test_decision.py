"""A decision that is looked at again is the one that was made, in every release, and is reported as it was made."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from simulator.explain.decision import NOT_AVAILABLE, NOT_REACHABLE, OVERWRITTEN, TAKEN, ExplainedDecision, decision_of
from simulator.explain.moment import AskedAttempt
from simulator.releases.ledger import RELEASES
from simulator.run.simulate import Result
from tests.simulator.small import fault, ran, rows

NAMES = ("cell", "producer", "thread", "topic", "send_seq", "attempt", "begin_us", "broker", "queue_id", "pick_reason")


def attempt_of(row: dict, last_broker: str | None = None) -> AskedAttempt:
    return AskedAttempt(**{name: row[name] for name in NAMES}, last_broker=last_broker)


def troubled(release: str, **changes) -> Result:
    """Three producers send while one broker hangs and the others refuse connections for a while."""
    faults = [fault("hang", "1s", "6s"), fault("refuse", "3s", "2s", "a"), fault("refuse", "4s", "1s", "c")]
    return ran(**{
        "duration": "7s",
        "client": {"release": release, "send_msg_timeout": "500ms"},
        "producers": {"count": 3, "threads": 2, "rate": "20/s"},
        "faults": faults,
    } | changes)  # fmt: skip


def decisions(run: Result, reason: str, *, first: bool) -> Iterator[ExplainedDecision | None]:
    """Decisions of a run with that reason looked at again, of first or of later attempts."""
    of = {(row["producer"], row["thread"], row["send_seq"], row["attempt"]): row for row in rows(run, "attempts")}
    for (producer, thread, seq, attempt), row in of.items():
        last = of.get((producer, thread, seq, attempt - 1))
        if row["pick_reason"] == reason and (attempt == 1) == first:
            yield decision_of(run.plan, attempt_of(row, last and last["broker"]))


def of_every_reason(run: Result) -> dict[tuple[str, bool], ExplainedDecision | None]:
    """One decision of each reason that the run has."""
    found = sorted({(row["pick_reason"], row["attempt"] == 1) for row in rows(run, "attempts")})
    return {(reason, first): next(decisions(run, reason, first=first)) for reason, first in found}


@pytest.mark.parametrize("release", ["4.2.0", "4.9.8", "5.1.3", "5.1.4", "5.3.3"])
@pytest.mark.parametrize("strategy", [True, False])
def test_the_run_done_again_decides_as_it_did(release, strategy):
    client = {"release": release, "send_msg_timeout": "500ms", "send_latency_fault_enable": strategy}
    found = of_every_reason(troubled(release, client=client))
    assert len(found) >= 2
    assert all(found.values())


def test_an_asynchronous_send_is_found_in_its_pool():
    found = of_every_reason(troubled("5.3.3", producers={"count": 2, "threads": 1, "rate": "40/s", "mode": "async"}))
    assert {first for _, first in found} == {True, False}
    assert all(found.values())


def test_queues_of_an_avoided_broker_are_passed_over_until_one_is_taken():
    found = next(each for each in decisions(troubled("4.9.8"), "available", first=False) if len(each.candidates) > 2)
    assert {each.verdict for each in found.candidates[:-1]} == {NOT_AVAILABLE}
    assert (found.candidates[-1].verdict, found.candidates[-1].broker) == (TAKEN, found.chosen.broker)
    known = {each.broker: each.available for each in found.brokers}
    assert all(not known[each.broker] for each in found.candidates[:-1])
    assert known[found.chosen.broker]


def test_the_counter_moves_one_step_however_long_the_scan_of_4_9_8_is():
    found = next(each for each in decisions(troubled("4.9.8"), "available", first=False) if len(each.candidates) > 2)
    assert found.chosen.counter - found.counter_before == 1


def test_a_counter_that_was_never_used_has_no_value_before():
    run = troubled("4.9.8")
    first = next(row for row in rows(run, "attempts", producer=1, thread=1) if row["send_seq"] == 0)
    assert decision_of(run.plan, attempt_of(first)).counter_before is None


def test_a_choice_from_the_fault_table_shows_its_ranking():
    found = next(decisions(troubled("4.9.8"), "fault_table", first=False))
    assert sorted(found.ranked) == ["a", "b", "c"]
    assert found.chosen.broker == found.ranked[0]  # the better half of three


def test_the_second_scan_of_5_3_3_asks_who_is_reachable():
    run = ran(
        client={"release": "5.3.3", "start_detector_enable": True},
        producers={"threads": 4, "rate": "20/s"},
        faults=[fault("refuse", "500ms", "1s", name) for name in ("a", "b")],
        brokers={name: {"latency": {"constant": "2ms" if name < "c" else "600ms"}} for name in ("a", "b", "c")},
    )
    verdicts = {
        each.verdict for found in islice(decisions(run, "reachable", first=True), 6) for each in found.candidates
    }
    assert verdicts == {NOT_AVAILABLE, NOT_REACHABLE, TAKEN}


def test_other_releases_are_distinguished_from_the_same_state():
    found = next(each for each in decisions(troubled("4.9.8"), "available", first=False) if len(each.candidates) > 2)
    others = {release: other for other in found.others for release in other.releases}
    assert len(others) == len(RELEASES)
    assert (others["4.9.8"].broker, others["4.9.8"].queue_id) == (found.chosen.broker, found.chosen.queue_id)
    # 4.2.0-4.7.1 look only at the broker that has just failed, and so ask the fault table.
    assert others["4.2.0"].pick_reason == "fault_table"


def test_another_choice_than_the_run_makes_is_not_explained():
    run = troubled("4.9.8")
    row = rows(run, "attempts")[30]
    assert decision_of(run.plan, attempt_of(row | {"queue_id": 1 - row["queue_id"]})) is None


def test_the_queue_that_4_2_0_overwrites_is_not_said_to_be_unreachable():
    found = [each for each in decisions(troubled("4.2.0"), "fault_table", first=False) if each is not None]
    verdicts = {queue.verdict for each in found for queue in each.candidates}
    assert OVERWRITTEN in verdicts
    assert NOT_REACHABLE not in verdicts
