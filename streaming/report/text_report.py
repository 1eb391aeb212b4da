"""The report as text: Markdown for a pull request, JSON for a program; the same figures as on the page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from streaming.outputs.summary import BROKER_COLUMNS, GROUP_COLUMNS, consumer_columns, fate_columns
from streaming.outputs.tables.later_columns import Columns, later_tables
from streaming.outputs.telling import telling
from streaming.report.causes.cause_lines import ReportCauses, report_causes, shown_findings
from streaming.report.collected.data import ReportData
from streaming.report.fault_times import coming_of, faults_of
from streaming.report.texts.page_texts import PageTexts

FORMAT = 1


def report_json(data: ReportData) -> str:
    """Findings, worst first, faults and totals. Raises nothing."""
    faults = [{"number": f.number, "fault": f.text, "when": f.when} for f in faults_of(data.output)]
    causes = report_causes(data)
    content = {
        "format": FORMAT,
        "findings": [found.as_json() for found in shown_findings(causes.lines)],
        "causes": [line.as_json() for line in causes.lines],
        "not_tested": None if causes.not_tested is None else causes.not_tested.as_json(),
        "faults": faults,
        "results": [{"result": name, "messages": count} for name, count, _ in data.messages.results],
        "summary": asdict(data.summary),
    }
    return json.dumps(content, indent=1, ensure_ascii=False)


def report_markdown(data: ReportData) -> str:
    """Findings, faults and tables."""
    summary = data.summary
    state = "finished" if summary.finished else "not finished"
    coming = [PageTexts.TO_COME(fault=fault) for fault in coming_of(data.output)]
    lines = [
        f"## {summary.scenario_name}",
        "",
        PageTexts.RUN(
            run=summary.run, clients=summary.clients, seed=summary.seed, seconds=summary.virtual_s, state=state
        ),
        "",
        *([f"**{summary.removed}**", ""] if summary.removed else []),
        *_found(report_causes(data)),
        *_listed("Faults", [*(f"{f.number}: {f.text}, {f.when}" for f in faults_of(data.output)), *coming]),
        *_table("Brokers", BROKER_COLUMNS, telling(summary.brokers)),
    ]
    if summary.total is not None:
        groups = summary.groups if len(summary.groups) < 2 else (*summary.groups, summary.total)
        lines += _table("Producer groups", GROUP_COLUMNS, groups)
        lines += _table(PageTexts.RESULTS(), fate_columns(groups), groups)
    if summary.consumers:
        lines += _table("Consumer groups", consumer_columns(summary.consumers), summary.consumers)
    for title, columns, rows in later_tables(summary.delays, summary.transactions, summary.pops, summary.elections):
        lines += _table(title, columns, rows)
    return "\n".join(lines)


def _found(causes: ReportCauses) -> list[str]:
    """A line a cause, its consequences beneath it, and how to test those that are not tested."""
    open = [] if causes.not_tested is None else [causes.not_tested.text, ""]
    items = [
        item for line in causes.lines for item in (f"- {line.head}:", *(f"  - {one.text}" for one in line.consequences))
    ]
    return ["### Findings", "", *(items or ["- None."]), "", *open]


def _listed(title: str, items: Sequence[str]) -> list[str]:
    return [f"### {title}", "", *(f"- {item}" for item in items or ["None."]), ""]


def _table(title: str, columns: Columns, rows: Sequence[Any]) -> list[str]:
    above, heads = "", []
    for header, _ in columns:
        first, *unit = header.split("\n")
        above = first or above
        heads.append(" ".join([above, *unit]))
    cells = [" | ".join(text(row).replace("|", "\\|") for _, text in columns) for row in rows]
    return [
        f"### {title}", "", f"| {' | '.join(heads)} |", f"|---|{'---:|' * (len(heads) - 1)}",
        *(f"| {line} |" for line in cells), "",
    ]  # fmt: skip
