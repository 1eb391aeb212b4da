"""What is printed of the totals of a run, beside its tables."""

from __future__ import annotations

from state.texts import Text


class SummaryTexts:
    """What is printed of the totals of a run, beside its tables."""

    ANNOUNCED = Text("; {count:,} of them {count:a fault or route update|fault and route updates}")
    CLOSED_LOOPS = Text("; closed loops send of themselves")
    COUNTS_WHAT_IS_LEFT = Text(
        "Not the whole run: {removed}. Events, rejects, elections, and messages that consumer groups missed or skipped "
        "are counted from the start, all else from what is left."
    )
    EVENTS = Text("Events: {generated:,} in = {handled:,} handled + {rejected:,} rejected{skipped}{announced}{loops}")
    NOT_WRITTEN = Text("Not written: {tables}; what they would show is missing here (--tables).")
    OUT_OF_ORDER = Text("Stored out of order: {copies:,} {copies:copy|copies}")
    OVER_PROXIES = Text("{client} over proxies")
    REACHED = Text("run {run}: {virtual_s:,.1f} s of virtual time, {state}")
    SKIPPED = Text(" ({count:,} met a blocked thread and sent nothing)")
    SKIPPED_MESSAGES = Text("{blocking}: {skipped:,} {skipped:message|messages}")
    SKIPPED_MESSAGES_OF_ALL = Text("{blocking}: {skipped:,} {skipped:message|messages} of all such groups")
    TOTALS_DIFFER = Text("Totals do not match: {contradiction}")
