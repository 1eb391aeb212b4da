"""What holds between the edges of periods that overlap."""

from __future__ import annotations

from simulator.plan.name_server import CLOSED, SILENT, Outage
from simulator.plan.spans import active_at, edges, pieces

LONG, SHORT, LATER = Outage(10, 40, SILENT), Outage(20, 30, CLOSED), Outage(50, 60, CLOSED)


def test_pieces_lie_between_edges_and_leave_gaps_out():
    assert list(pieces([SHORT, LONG, LATER])) == [
        (10, 20, [LONG]),
        (20, 30, [SHORT, LONG]),
        (30, 40, [LONG]),
        (50, 60, [LATER]),
    ]


def test_a_period_holds_from_its_begin_to_just_before_its_end():
    assert [active_at([LONG, SHORT], at_us) for at_us in (9, 10, 20, 30, 40)] == [[], [LONG], [LONG, SHORT], [LONG], []]


def test_edges_are_reported_once():
    assert sorted(edges([LONG, LONG, SHORT])) == [10, 20, 30, 40]
