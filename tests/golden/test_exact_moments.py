"""Moments at which an answer is just too late, which no recorded message meets: a script answers to the microsecond."""

from __future__ import annotations

import pytest

from simulator import codes
from simulator.engine.memory.output import AttemptRow
from simulator.releases.producer_release import client_of
from streaming.proof.golden.golden_calls import CallsCell
from streaming.proof.golden.golden_script import LINE_ANSWERS, LINE_IS_SILENT, StubbedChannel

TIMEOUT_MS = 3000


def attempt_of(cell: CallsCell, kind: int = LINE_ANSWERS) -> AttemptRow:
    """The one attempt of the next message, which meets that line."""
    _, made = cell.send({"rt": 0, "to": TIMEOUT_MS, "ns": 0, "script": [[kind, 0, 0]]})
    assert len(made) == 1
    return made[0]


@pytest.fixture
def cell(monkeypatch):
    """A cell whose brokers answer after `after_us`, and whose connections take `connecting_us`."""

    def made(*, is_async=False, after_us=0, connecting_us=0):
        def serve(channel, send, now_us):
            send.code = 0
            return now_us + after_us

        if after_us:
            monkeypatch.setattr(StubbedChannel, "serve", serve)
        monkeypatch.setattr(StubbedChannel, "connecting", lambda channel, send, now_us: connecting_us)
        return CallsCell(client_of("4.9.8"), is_async=is_async)

    return made


@pytest.mark.parametrize(("after_us", "outcome"), [(2_999_999, codes.SEND_OK), (3_000_000, codes.RESPONSE_TIMEOUT)])
def test_an_answer_at_the_deadline_is_late(cell, after_us, outcome):
    assert attempt_of(cell(after_us=after_us)).outcome == outcome


@pytest.mark.parametrize(("after_us", "outcome"), [(4_000_499, codes.SEND_OK), (4_000_500, codes.RESPONSE_TIMEOUT)])
def test_an_answer_at_the_scan_is_late(cell, after_us, outcome):
    asked = cell(is_async=True, after_us=after_us)
    producer = asked._cell.world.producers[0]
    producer.first_scan_us, producer.scan_period_us = 500, 1_000_000
    assert attempt_of(asked).outcome == outcome


def test_a_time_out_counts_from_the_call_connecting_included(cell):
    row = attempt_of(cell(connecting_us=1_000_000), LINE_IS_SILENT)
    assert (row.outcome, row.end_us - row.begin_us) == (codes.RESPONSE_TIMEOUT, 1000 * TIMEOUT_MS)
