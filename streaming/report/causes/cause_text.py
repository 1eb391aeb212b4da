"""The findings of a run on the terminal: a line a cause, and what it did beneath it."""

from __future__ import annotations

from rich.console import Console

from streaming.report.causes.cause_lines import ReportCauses
from streaming.report.texts.consequence_texts import ConsequenceTexts

CAUSES, CONSEQUENCES = 3, 4  # that are printed


def print_causes(causes: ReportCauses, console: Console) -> None:
    """Print the worst causes, each with its most costly consequences, and how to test those that are not tested."""
    lines = causes.lines
    if not lines:
        console.print(ConsequenceTexts.FOUND_NOTHING(), highlight=False)
        return
    console.print(ConsequenceTexts.FOUND(), highlight=False)
    for line in lines[:CAUSES]:
        console.print(f"{line.head}:", highlight=False, markup=False, soft_wrap=True)
        for one in line.consequences[:CONSEQUENCES]:
            console.print(f"  - {one.text}", highlight=False, markup=False, soft_wrap=True)
        if len(line.consequences) > CONSEQUENCES:
            more = ConsequenceTexts.MORE_CONSEQUENCES(count=len(line.consequences) - CONSEQUENCES)
            console.print(f"  - {more}", highlight=False)
    left = sum(len(line.consequences) for line in lines[CAUSES:])
    if left:
        console.print(ConsequenceTexts.MORE_IN_THE_REPORT(count=left), highlight=False)
    if causes.not_tested is not None:
        console.print(causes.not_tested.text, highlight=False, markup=False, soft_wrap=True)
