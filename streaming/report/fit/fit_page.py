"""The HTML page of a calibration: what was found, and how well the fitted scenario shows what was recorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape

import numpy as np

from simulator.calibrate.broker_metrics import put_text
from simulator.calibrate.calibration import Calibration
from simulator.calibrate.found_fault import seconds
from simulator.calibrate.goodness import FittedFigure, Goodness
from streaming.page_frame.frame import STILL, Page, framed
from streaming.page_frame.html_tables import text_table
from streaming.report.fit.fit_figures import colour_of, fit_figures

Clock = Callable[[int], str]
CHARTS = (
    ("attempts", "Recorded attempts", "Latency by begin; crosses failed. Shaded: the faults that were found."),
    (
        "load",
        "Load by broker",
        "Attempts a second: recorded (solid), and the mean of the fitted runs (dotted). Diamonds: by their metrics.",
    ),
    (
        "quantiles",
        "Latency, quantile by quantile",
        "Answers of each broker: on the dashed line fitted equals recorded.",
    ),
)


def fit_page(fit: Calibration, goodness: Goodness, name: str, scenario: str, clock: Clock | None = None) -> str:
    """The whole page as text; every name in it is escaped. `clock`: wall-clock time of a moment of the trace."""
    made = {key: json.loads(one.to_json()) for key, one in fit_figures(fit, goodness).items()}
    faults = f"{len(fit.findings)} period{'' if len(fit.findings) == 1 else 's'} of trouble"
    client = f"client {fit.client['release']}" if fit.client_known else "a client that the trace does not name"
    story = (
        f"<p>{len(fit.attempts):,} attempts of {len(fit.attempts.producers):,} producers with {escape(client)} on "
        f"{len(fit.attempts.brokers)} brokers in {fit.attempts.duration_us / 1e6:,.0f} s; {faults} found.</p>"
    )
    tiles = f'<section aria-label="Key figures"><dl class="tiles">{_tiles(fit, goodness)}</dl></section>'
    source = f"<summary><h2>Scenario</h2></summary><pre><code>{escape(scenario)}</code></pre>"
    parts = (
        tiles,
        _charts(fit, made),
        _tables(fit, goodness, clock or seconds),
        f'<details class="card">{source}</details>',
    )
    return framed(
        Page(
            title=f"{name} - Sendlab calibration",
            brand="Sendlab calibration",
            heading=name,
            story=story,
            main="\n".join(parts),
            footer=f"The mean of {len(goodness.runs)} runs of the fitted scenario is compared with the trace.",
            script=STILL,
            pictures=made,
        )
    )


def _tiles(fit: Calibration, goodness: Goodness) -> str:
    judged = [figure for figure in goodness.figures if figure.tolerance is not None]
    shares = [abs(figure.fitted - figure.recorded) for figure in judged if figure.unit == "%"]
    failed = [figure for figure in judged if figure.name == "failed messages"]
    tiles = [
        ("Within tolerance", f"{len(judged) - len(goodness.misses)} of {len(judged)}", "figures, below"),
        ("Largest share error", f"{max(shares):.1f} points", "of attempts, on any broker"),
        (
            "Faults found",
            f"{len(fit.findings)}",
            f"{sum(one.sure == 'certain' for one in fit.findings)} of them certain",
        ),
    ]
    tiles += [("Failed messages", f"{one.fitted:,.1f}", f"fitted; {one.recorded:,.0f} recorded") for one in failed]
    return "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}<small>{escape(more)}</small></dd></div>"
        for name, value, more in tiles
    )


def _charts(fit: Calibration, made: dict[str, dict]) -> str:
    keys = "".join(
        f'<span><i style="border-color:{colour_of(place)}"></i>{escape(name)}</span>'
        for place, name in enumerate(fit.attempts.brokers)
    )
    cards = "".join(
        f'<section class="card"><h2>{title}</h2><p class="note">{note}</p><p class="keys">{keys}</p>'
        f'<div class="figure waiting" data-figure="{key}" role="img" aria-label="{title}" '
        f'style="height:{made[key]["layout"]["height"]}px"></div></section>'
        for key, title, note in CHARTS
    )
    return f'<div class="charts">{cards}</div>'


def _tables(fit: Calibration, goodness: Goodness, clock: Clock) -> str:
    found = [
        (one.broker, one.kind, clock(one.at_us), clock(one.until_us), one.sure, f"{one.text}; {one.evidence}")
        for one in fit.findings
    ]
    nothing = '<p class="empty">Every broker answered, and no slower than usual, all of the time.</p>'
    head = ("broker", "kind", "begin", "end", "sure", "evidence")
    faults = text_table("Faults that were found", head, found) if found else nothing
    figures = [_row(one) for one in goodness.figures]
    load = _load_table(fit)
    fitted = text_table("Fitted and recorded", ("figure", "fitted", "in runs", "recorded", "verdict"), figures)
    return (
        f'<section class="card"><h2>Faults that were found</h2>{faults}</section>'
        f'{load}<section class="card"><h2>Fitted and recorded</h2>{fitted}</section>'
    )


def _load_table(fit: Calibration) -> str:
    if not fit.load:
        return ""
    rows = []
    for name, load in fit.load.items():
        put_ms = fit.scrapes[name].put_ms
        puts = (put_text(float(np.median(put_ms))), put_text(float(put_ms.max()))) if len(put_ms) else ("-", "-")
        said = (f"{load.said_per_s:,.1f}", f"{load.seen_per_s:,.1f}", f"{load.seen_percent:.0f} %")
        rows.append((name, *said, *puts, f"{load.scrapes:,}"))
    head = ("broker", "stored/s, it says", "in the trace", "seen", "p99 put, usual", "worst", "scrapes")
    title = "What the brokers say of themselves"
    return f'<section class="card"><h2>{title}</h2>{text_table(title, head, rows)}</section>'


def _row(one: FittedFigure) -> tuple[str, ...]:
    runs = f"{_value(one.least, one)} .. {_value(one.greatest, one)}"
    return one.name, _value(one.fitted, one), runs, _value(one.recorded, one), _verdict(one)


def _verdict(figure: FittedFigure) -> str:
    return "shown only" if figure.tolerance is None else "ok" if figure.is_met else "out of tolerance"


def _value(value: float, figure: FittedFigure) -> str:
    return f"{value:,.2f} {figure.unit}".strip() if figure.unit else f"{value:,.1f}"
