"""When a name server lists a broker: registrations every 30 s, expiry after 120 s, noticed by a scan."""

from __future__ import annotations

import pytest

from simulator.plan.name_server import (
    ACTING_MASTER,
    CLOSED,
    FOREVER_US,
    LOST,
    SILENT,
    STOPPED,
    Outage,
    Timing,
    broker_spans,
    known_spans,
)

S = 1_000_000
END = FOREVER_US // S
SCANS_4, SCANS_5 = Timing(10 * S), Timing(5 * S)


def spans(*outages, timing=SCANS_4, registers=7, scans=3, joins=0, down=()):
    """Stretches in whole seconds in which a broker is listed."""
    rows = [Outage(at * S, until * S, how) for at, until, how in outages]
    found, lives = broker_spans(rows, timing, registers_us=registers * S, scans_us=scans * S, joins_us=joins * S)
    found = known_spans(found, lives, [(a * S, b * S) for a, b in down])
    return [(begin // S, end // S) for begin, end in found]


def test_a_closed_connection_is_noticed_at_once_and_the_restart_10_s_later():
    assert spans((50, 90, CLOSED)) == [(0, 50), (100, END)]


@pytest.mark.parametrize("how", [SILENT, LOST, STOPPED])
def test_silence_is_noticed_by_the_first_scan_120_s_after_the_last_registration(how):
    # Registered at 7 and 37; 37 + 120 = 157; scans at 3, 13, ..., 163.
    assert spans((50, 500, how))[0] == (0, 163)


def test_a_scan_at_the_very_moment_of_expiry_is_too_early():
    assert spans((50, 500, SILENT), scans=7)[0] == (0, 167)


def test_name_servers_since_5_0_0_scan_every_5_s():
    assert spans((50, 500, SILENT), timing=SCANS_5)[0] == (0, 158)


def test_brokers_that_beat_every_second_are_given_up_after_10_s():
    assert spans((50, 500, SILENT), timing=ACTING_MASTER)[0] == (0, 63)


def test_a_beat_registers_nobody_with_a_name_server_that_was_away():
    assert spans(timing=ACTING_MASTER, down=[(40, 45)]) == [(0, 40), (67, END)]


@pytest.mark.parametrize(("how", "back"), [(SILENT, 517), (LOST, 520), (STOPPED, 510)])
def test_after_a_silence_the_next_registration_brings_it_back(how, back):
    assert spans((50, 510, how)) == [(0, 163), (back, END)]


def test_a_silence_shorter_than_the_expiry_changes_nothing():
    assert spans((50, 150, SILENT), (200, 230, STOPPED), (300, 360, LOST)) == [(0, END)]


def test_a_new_process_registers_10_s_after_its_start_then_every_30_s():
    # Up again at 100, registers at 110, 140, 170; 170 + 120 = 290, the next scan is at 293.
    assert spans((50, 100, CLOSED), (171, 900, SILENT))[1] == (110, 293)


def test_a_process_that_goes_before_its_first_registration_was_never_listed():
    assert spans((50, 60, CLOSED), (65, 500, SILENT)) == [(0, 50), (520, END)]
    assert spans((50, 60, CLOSED), (65, 80, CLOSED)) == [(0, 50), (90, END)]


def test_a_broker_that_joins_is_listed_from_then_on():
    assert spans(joins=60) == [(60, END)]
    assert spans((70, 80, CLOSED), joins=60) == [(60, 70), (90, END)]


def test_a_restarted_name_server_waits_for_the_next_registration():
    assert spans(down=[(40, 45)]) == [(0, 40), (67, END)]
    assert spans((42, 60, CLOSED), down=[(40, 45)]) == [(0, 40), (70, END)]


KILLED = (50, 300, CLOSED)


@pytest.mark.parametrize(
    ("more", "single"),
    [
        ((60, 100, CLOSED), KILLED),
        ((60, 100, LOST), KILLED),
        ((60, 100, STOPPED), KILLED),
        ((60, 100, SILENT), KILLED),
        ((50, 100, CLOSED), KILLED),
        ((100, 310, STOPPED), (50, 310, CLOSED)),
        ((300, 400, CLOSED), (50, 400, CLOSED)),
    ],
)
def test_a_killed_broker_is_back_when_everything_is_over(more, single):
    assert spans(KILLED, more) == spans(single)


def test_what_is_killed_without_power_or_behind_a_cut_closes_no_connection():
    assert spans((50, 500, LOST), (60, 70, CLOSED)) == spans((50, 500, LOST))
    assert spans((50, 500, SILENT), (60, 500, CLOSED)) == [(0, 163), (510, END)]
    assert spans((50, 100, SILENT), (60, 500, CLOSED)) == [(0, 100), (510, END)]


def test_what_stands_still_and_is_killed_is_noticed_then_and_back_when_it_goes_on():
    assert spans((50, 120, STOPPED), (75, 90, CLOSED)) == [(0, 75), (130, END)]


def test_a_silence_in_a_standstill_changes_nothing():
    assert spans((50, 510, STOPPED), (60, 100, SILENT)) == spans((50, 510, STOPPED))


def test_a_new_process_that_registers_as_it_starts_does_so_again_10_s_later():
    spans, lives = broker_spans(
        [Outage(50 * S, 90 * S, CLOSED)], SCANS_4, registers_us=7 * S, scans_us=3 * S, registers_at_start=lambda _: True
    )
    assert spans == [(0, 50 * S), (90 * S, FOREVER_US)]
    assert [lives[-1].next(at * S, 30 * S) for at in (89, 91, 101)] == [90 * S, 100 * S, 130 * S]
