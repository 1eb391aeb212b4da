"""Why something happened."""

from __future__ import annotations

from dataclasses import dataclass

from streaming.report.fault_times import ReportFault


@dataclass(frozen=True)
class Cause:
    """Why something happened. key: what groups like causes; fault: the fault, if it is one; kind: of the cause."""

    key: str
    text: str
    kind: str
    fault: ReportFault | None = None


NO_CAUSE = Cause("none", "", "none")


def fault_cause(fault: ReportFault) -> Cause:
    """A fault as a cause: what happens to whom, its number on the page and its times."""
    return Cause(f"fault {fault.number}", f"{fault.text} ({fault.number}, {fault.when})", "fault", fault)
