"""What brokers say of themselves: beside the load that a trace shows, and as evidence of its troubles."""

from __future__ import annotations

import numpy as np

from simulator.calibrate.broker_metrics import BrokerScrapes, load_seen, load_text, with_metrics
from simulator.calibrate.found_fault import HANG, SLOW, FoundFault
from tests.says import Said, Says
from tests.simulator.calibrate.made import attempts_of, ordinary

S = 1_000_000


def scrapes(puts, put_ms=()):
    """One scrape every ten seconds, from 10 s on."""
    at_us = np.arange(1, 1 + max(len(puts), len(put_ms))) * 10 * S
    puts, put_ms = np.array(puts, float), np.array(put_ms, float)
    return {"b": BrokerScrapes(at_us[: len(puts)], 10 * S, puts, at_us[: len(put_ms)], put_ms)}


def trouble(kind, until=(34 * S, 90 * S)):
    return FoundFault("b", kind, 30 * S, 35 * S, (30 * S, 30 * S), until, "likely", "8 waited")


def test_the_part_of_the_load_that_a_trace_shows_is_reported():
    attempts = attempts_of(ordinary(20_000), brokers=("b",))
    (seen,) = load_seen(attempts, scrapes([400, 400, 400])).values()  # the third is after the trace
    assert (seen.said_per_s, seen.seen_per_s, seen.scrapes) == (400, 100, 2)
    assert load_text(seen) == Says("evidence.stored", stored="400.0", seen="100.0", percent=25, sums="")


def test_a_broker_that_stores_again_bounds_the_end_that_nobody_saw():
    (found,) = with_metrics([trouble(HANG)], scrapes([9, 9, 9, 0, 0, 7, 7]))
    assert (found.until_us, found.until_range_us, found.is_bounded) == (35 * S, (34 * S, 60 * S), True)
    assert found.evidence.startswith("8 waited; ")
    assert Says("evidence.alive-again", at="60.000 s") in Said(found.evidence)


def test_a_load_of_before_the_trouble_bounds_nothing():
    (found,) = with_metrics([trouble(HANG)], scrapes([9, 9, 9, 0, 0, 0, 0]))
    assert found == trouble(HANG)


def test_a_broker_that_stored_meanwhile_was_not_silent_to_everybody():
    (found,) = with_metrics([trouble(HANG, until=(50 * S, 90 * S))], scrapes([9, 9, 9, 8]))
    assert Says("evidence.not-silent", at="40.000 s") in Said(found.evidence)
    assert not found.is_bounded


def test_put_times_say_whether_it_was_the_store():
    rose, flat = (with_metrics([trouble(SLOW)], scrapes([], ms))[0] for ms in ([1, 1, 1, 50], [1, 1, 1, 2]))
    assert Says("evidence.puts-rose", most="50 ms", usual="1 ms") in Said(rose.evidence)
    assert Says("evidence.puts-usual", most="2 ms") in Said(flat.evidence)


def minute_scrapes(*puts_per_s):
    at_us = np.array([60 * S, 90 * S][: len(puts_per_s)])
    return {"b": BrokerScrapes(at_us, 60 * S, np.array(puts_per_s, float), at_us[:0], np.array([]))}


def test_sums_of_a_minute_are_reported_by_what_the_trace_shows():
    attempts = attempts_of(ordinary(120_000), duration_ms=120_000, brokers=("b",))
    seen = load_seen(attempts, minute_scrapes(6103, 6001))["b"]
    assert (seen.is_sum, round(seen.said_per_s, 1)) == (True, 100.9)
    assert load_text(seen) == Says("evidence.stored", stored="100.9")
    assert Says("evidence.sums") in Said(load_text(seen))


def test_a_load_that_others_sent_is_no_sum():
    attempts = attempts_of(ordinary(120_000), duration_ms=120_000, brokers=("b",))
    assert not load_seen(attempts, minute_scrapes(400, 401))["b"].is_sum
    assert not load_seen(attempts, minute_scrapes(6103.5, 6001))["b"].is_sum
