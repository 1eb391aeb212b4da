"""What the callers were told against the copies that are kept: a bar and six cells, which add up to the messages."""

from __future__ import annotations

from streaming.report.traces import FATE_COLOURS
from streaming.results.fates import FATE_NAMES, FATES, GroupSummary
from streaming.results.summary import number

TOLD = {"told_ok": "told OK", "thrown": "failed"}
ONE_WAY = '<p class="note">Nobody acknowledges a one-way send: its caller is told OK if nothing is thrown.</p>'


def fate_card(total: GroupSummary | None, results: set[str]) -> str:
    """The card of all messages; empty where there are none. results: what callers got."""
    if total is None or not total.messages:
        return ""
    counts = {fate: int(getattr(total, fate)) for fate in FATES}
    bar = "".join(
        f'<i style="flex-grow:{count};background:{colour}" title="{FATE_NAMES[fate]}: {number(count)}"></i>'
        for (fate, count), colour in zip(counts.items(), FATE_COLOURS, strict=True)
        if count
    )
    rows = "".join(_row(told, total) for told in TOLD)
    kept = [counts[f"told_ok_{copies}"] + counts[f"thrown_{copies}"] for copies in ("lost", "once", "doubled")]
    sums = "".join(f"<td>{number(count)}</td>" for count in (*kept, sum(kept)))
    adds = "" if total.adds_up else '<p class="warn">The six counts do not add up to the messages.</p>'
    adds += ONE_WAY if "SENT_ONEWAY" in results else ""
    return (
        '<section class="card" aria-labelledby="title-told"><h2 id="title-told">What became of the messages</h2>'
        f'<div class="bar" aria-hidden="true">{bar}</div><div class="wide" tabindex="0" role="group" '
        'aria-label="What became of the messages"><table class="told compact"><thead><tr>'
        '<th scope="col">caller told</th><th scope="col">none kept</th><th scope="col">one kept</th>'
        f'<th scope="col">more kept</th><th scope="col">in all</th></tr></thead><tbody>{rows}'
        f'<tr class="total"><th scope="row">all</th>{sums}</tr></tbody></table></div>{adds}</section>'
    )


def _row(told: str, total: GroupSummary) -> str:
    cells = ""
    for place, fate in enumerate(FATES):
        if fate.startswith(told):
            count, words = int(getattr(total, fate)), FATE_NAMES[fate].removeprefix(f"{TOLD[told]}, ")
            style = f' class="some" style="--fate:{FATE_COLOURS[place]}"' if count else ' class="none"'
            cells += f"<td{style}>{number(count)}<small>{words.removeprefix('failed ')}</small></td>"
    return f'<tr><th scope="row">{TOLD[told]}</th>{cells}<td>{number(getattr(total, told))}</td></tr>'
