"""The HTML page of a calibration: what was found, and how well the fitted scenario shows what was recorded."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from simulator.calibrate.broker_metrics import put_text
from simulator.calibrate.calibration import Calibration
from simulator.calibrate.found_fault import seconds
from simulator.calibrate.goodness import FittedFigure, Goodness
from simulator.units import some
from streaming.page_frame.templates import rendered
from streaming.page_frame.text_table import TextTable
from streaming.report.fit.fit_figures import colour_of, fit_figures
from streaming.report.texts.page_texts import PageTexts

Clock = Callable[[int], str]
CHARTS = (
    ("attempts", "Recorded attempts", PageTexts.FITTED_ATTEMPTS()),
    ("load", "Load by broker", PageTexts.FITTED_LOAD()),
    ("quantiles", PageTexts.FITTED(), PageTexts.FITTED_NOTE()),
)


def fit_page(fit: Calibration, goodness: Goodness, name: str, scenario: str, clock: Clock | None = None) -> str:
    """The whole page as text. `clock`: wall-clock time of a moment of the trace."""
    load = _load_table(fit)
    return rendered(
        "report/fit/fit.html",
        title=f"{name} - Sendlab calibration",
        brand="Sendlab calibration",
        heading=name,
        story=_story(fit),
        tiles=_tiles(fit, goodness),
        charts=CHARTS,
        brokers=[(broker, colour_of(place)) for place, broker in enumerate(fit.attempts.brokers)],
        pictures=fit_figures(fit, goodness),
        has_plotly=True,
        faults=_fault_table(fit, clock or seconds),
        tables=[*([load] if load.rows else []), _figure_table(goodness)],
        scenario=scenario,
        runs=len(goodness.runs),
    )


def _story(fit: Calibration) -> str:
    known, attempts = fit.client_known, fit.attempts
    return PageTexts.CALIBRATED(
        attempts=len(attempts), producers=len(attempts.producers),
        client=PageTexts.CLIENT(release=fit.client["release"]) if known else PageTexts.CLIENT_NOT_KNOWN(),
        brokers=len(attempts.brokers), seconds=attempts.duration_us / 1e6, periods=some(len(fit.findings), "period"),
    )  # fmt: skip


def _tiles(fit: Calibration, goodness: Goodness) -> list[tuple[str, str, str]]:
    judged = [figure for figure in goodness.figures if figure.tolerance is not None]
    shares = [abs(figure.fitted - figure.recorded) for figure in judged if figure.unit == "%"]
    failed = [figure for figure in judged if figure.name == "failed messages"]
    certain = sum(one.sure == "certain" for one in fit.findings)
    return [
        ("Within tolerance", f"{len(judged) - len(goodness.misses)} of {len(judged)}", "figures, below"),
        ("Largest share error", f"{max(shares):.1f} points", PageTexts.OF_ATTEMPTS()),
        ("Faults found", f"{len(fit.findings)}", f"{certain} of them certain"),
        *(("Failed messages", f"{one.fitted:,.1f}", f"fitted; {one.recorded:,.0f} recorded") for one in failed),
    ]


def _fault_table(fit: Calibration, clock: Clock) -> TextTable:
    found = tuple(
        (one.broker, one.kind, clock(one.at_us), clock(one.until_us), one.sure, f"{one.text}; {one.evidence}")
        for one in fit.findings
    )
    return TextTable(PageTexts.FAULTS_FOUND(), ("broker", "kind", "begin", "end", "sure", "evidence"), found)


def _figure_table(goodness: Goodness) -> TextTable:
    head = ("figure", "fitted", "in runs", "recorded", "verdict")
    return TextTable("Fitted and recorded", head, tuple(map(_row, goodness.figures)))


def _load_table(fit: Calibration) -> TextTable:
    rows = []
    for name, load in fit.load.items():
        put_ms = fit.scrapes[name].put_ms
        puts = (put_text(float(np.median(put_ms))), put_text(float(put_ms.max()))) if len(put_ms) else ("-", "-")
        said = (f"{load.said_per_s:,.1f}", f"{load.seen_per_s:,.1f}", f"{load.seen_percent:.0f} %")
        rows.append((name, *said, *puts, f"{load.scrapes:,}"))
    head = ("broker", "stored/s, it says", "in the trace", "seen", "p99 put, usual", "worst", "scrapes")
    return TextTable(PageTexts.BROKERS_SAY(), head, tuple(rows))


def _row(one: FittedFigure) -> tuple[str, ...]:
    runs = f"{_value(one.least, one)} .. {_value(one.greatest, one)}"
    return one.name, _value(one.fitted, one), runs, _value(one.recorded, one), _verdict(one)


def _verdict(figure: FittedFigure) -> str:
    return "shown only" if figure.tolerance is None else "ok" if figure.is_met else "out of tolerance"


def _value(value: float, figure: FittedFigure) -> str:
    return f"{value:,.2f} {figure.unit}".strip() if figure.unit else f"{value:,.1f}"
