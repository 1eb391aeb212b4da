"""All findings of a run, the worst first, and their card on the page."""

from __future__ import annotations

from streaming.page_frame.html_tables import sentence
from streaming.report.data import ReportData
from streaming.report.fault_times import faults_of
from streaming.report.findings.about_backlog import about_backlog
from streaming.report.findings.about_delays import about_delays
from streaming.report.findings.about_messages import Known, about_messages
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
    facts, faults = data.facts, faults_of(data.output)
    load = Load(data.output, facts, faults, data.fraction)
    waiting = CallerWaits(data, facts, load)
    known = Known(data, facts, faults, load, causes_of(facts, faults, load), waiting.cause)
    return in_order(
        [
            *about_messages(known),
            *waiting.findings(),
            *about_backlog(data.summary.consumers, faults),
            *about_skipped(data.summary.consumers, faults),
            *about_retries(data, faults),
            *about_delays(data, faults),
            *about_transactions(data, faults),
            *load_at_the_end(data, facts, load),
            *isolation(data, facts, load),
            *busiest_queue(data),
        ]
    )


def findings_card(found: list[ReportFinding]) -> str:
    """The card of the findings; empty where nothing stands out."""
    if not found:
        return ""
    items = "".join(f'<li>{sentence(one.text)} <a href="#title-{one.place}">Look</a></li>' for one in found)
    head = '<section class="card" aria-labelledby="title-findings"><h2 id="title-findings">Findings</h2>'
    return f"{head}<ul>{items}</ul></section>"
