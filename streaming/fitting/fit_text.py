"""What a fit found, in words: the scenario with its evidence, and the points beside what it gives for them."""

from __future__ import annotations

from collections.abc import Sequence

import yaml
from rich.table import Table

from simulator.fit.fitted_cluster import Around, cluster_of
from simulator.fit.fitting import Fit
from simulator.fit.measured_point import RESPONSE_WITHIN, THROUGHPUT_WITHIN, FittedPoint
from state.texts import Sentence
from streaming.texts.fit_texts import FitTexts

DURATION_US = 5_000_000
COLUMNS = ("threads", "message", "queues", "measured/s", "model/s", "measured ms", "model ms", "point")


def scenario_text(name: str, fit: Fit, around: Around, points: Sequence[FittedPoint]) -> str:
    """The scenario as YAML, each fitted value with the points that decide it."""
    seen = [each.point for each in points if each.is_fitted]
    most, least = max(seen, key=lambda p: p.per_s), min(seen, key=lambda p: p.response_ms)
    figures, servers = fit.figures, around.brokers * around.send_threads
    mean_us, appends = figures.service_mean_us, figures.append_per_kib_us
    evidence = [
        FitTexts.FITTED_TO(points=len(seen), distance=fit.distance),
        FitTexts.LATENCY(
            mean_us=mean_us, sigma=figures.sigma, servers=servers, most_per_s=servers * 1e6 / mean_us,
            measured_per_s=most.per_s, threads=most.threads,
        ),
        FitTexts.SLAVE_LATENCY(
            wait_us=figures.wait_us, measured_us=least.response_ms * 1000, threads=least.threads
        ),
        *([FitTexts.SLAVE_LATENCY_GROWS(grows_us=grows)] if (grows := figures.wait_per_kib_us) else []),
        FitTexts.APPEND_GROWS(grows_us=appends) if appends else FitTexts.APPEND_NOT_FITTED(),
        *(FitTexts.ASSUMED(what=text) for text in fit.assumed),
        *(_evidence(each) for each in points),
    ]  # fmt: skip
    content = {**cluster_of(figures, around, most, duration_us=DURATION_US), "name": name}
    body = yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=110)
    return "".join(f"# {line}\n" for line in evidence) + body


def _evidence(each: FittedPoint) -> Sentence:
    point = each.point
    return FitTexts.POINT(
        threads=point.threads, message_bytes=point.message_bytes, queues=point.queues, measured_per_s=point.per_s,
        measured_ms=point.response_ms, per_s=each.per_s, ms=each.response_ms, use=_use(each),
    )  # fmt: skip


def _use(each: FittedPoint) -> str:
    within = "within" if each.is_within else "missed"
    return f"{'fitted' if each.is_fitted else 'predicted'}, {within}"


def points_table(points: Sequence[FittedPoint]) -> Table:
    """Every point: measured, simulated, and whether the fit has seen it."""
    title = FitTexts.WITHIN(throughput=THROUGHPUT_WITHIN, response=RESPONSE_WITHIN)
    table = Table(*COLUMNS, title=title, title_justify="left")
    for each in points:
        point = each.point
        table.add_row(
            str(point.threads), f"{point.message_bytes:,} B", str(point.queues), f"{point.per_s:,.0f}",
            f"{each.per_s:,.0f} ({each.throughput_ratio - 1:+.0%})", f"{point.response_ms:.3f}",
            f"{each.response_ms:.3f} ({each.response_ratio - 1:+.0%})", _use(each),
        )  # fmt: skip
    return table
