"""All findings of a run that its tables show, the worst first, with the causes that their times suggest."""

from __future__ import annotations

from streaming.report.collected.data import ReportData
from streaming.report.fault_times import faults_of
from streaming.report.findings.about_backlog import about_backlog
from streaming.report.findings.about_delays import about_delays
from streaming.report.findings.about_messages import Known, about_messages
from streaming.report.findings.about_pops import about_pops
from streaming.report.findings.about_retries import about_retries
from streaming.report.findings.about_skipped import about_skipped
from streaming.report.findings.about_transactions import about_transactions
from streaming.report.findings.about_waits import CallerWaits
from streaming.report.findings.balance import busiest_queue, isolation, load_at_the_end
from streaming.report.findings.causes import causes_of
from streaming.report.findings.finding import ReportFinding, in_order
from streaming.report.findings.load import Load


def findings(data: ReportData) -> list[ReportFinding]:
    """The worst first; empty where nothing stands out."""
    known = known_of(data)
    facts, faults, load = known.facts, known.faults, known.load
    waiting = CallerWaits(data, facts, load)
    return in_order(
        [
            *about_messages(known),
            *waiting.findings(),
            *about_backlog(data.summary.consumers, faults),
            *about_skipped(data.summary.consumers, faults),
            *about_retries(data, faults),
            *about_pops(data.summary.pops),
            *about_delays(data, faults),
            *about_transactions(data, faults),
            *load_at_the_end(data, facts, load),
            *isolation(data, facts, load),
            *busiest_queue(data),
        ]
    )


def known_of(data: ReportData) -> Known:
    """What findings are made from."""
    facts, faults = data.facts, faults_of(data.output)
    load = Load(data.output, facts, faults, data.fraction)
    return Known(data, facts, faults, load, causes_of(facts, faults, load), CallerWaits(data, facts, load).cause)
