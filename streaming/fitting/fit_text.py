"""What a fit found, in words: the scenario with its evidence, and the points beside what it gives for them."""

from __future__ import annotations

from collections.abc import Sequence

import yaml
from rich.table import Table

from simulator.fit.fitted_cluster import Around, cluster_of
from simulator.fit.fitting import Fit
from simulator.fit.measured_point import RESPONSE_WITHIN, THROUGHPUT_WITHIN, FittedPoint

DURATION_US = 5_000_000
COLUMNS = ("threads", "message", "queues", "measured/s", "model/s", "measured ms", "model ms", "point")


def scenario_text(name: str, fit: Fit, around: Around, points: Sequence[FittedPoint]) -> str:
    """The scenario as YAML, each fitted value with the points that decide it."""
    seen = [each.point for each in points if each.is_fitted]
    most, least = max(seen, key=lambda p: p.per_s), min(seen, key=lambda p: p.response_ms)
    figures, servers = fit.figures, around.brokers * around.send_threads
    evidence = [
        f"Fitted to {len(seen)} measured points; fourth-power mean of all ratios {fit.distance:.1%}.",
        f"latency: mean {figures.service_mean_us:.0f} us, sigma {figures.sigma:.2f}. {servers} send threads in all"
        f" give {servers * 1e6 / figures.service_mean_us:,.0f}/s at most; measured {most.per_s:,.0f}/s with"
        f" {most.threads} threads.",
        f"slave_latency: {figures.wait_us} us in which no send thread is held: network, replication, the client."
        f" Measured {least.response_ms * 1000:.0f} us with {least.threads} threads.",
        *([f"slave_latency_per_kib: it grows by {grows} us per KiB."] if (grows := figures.wait_per_kib_us) else []),
        f"append: grows by {figures.append_per_kib_us} us per KiB."
        if figures.append_per_kib_us
        else "append: not fitted.",
        *(f"Assumed, not fitted: {text}." for text in fit.assumed),
        *(_evidence(each) for each in points),
    ]
    content = {**cluster_of(figures, around, most, duration_us=DURATION_US), "name": name}
    body = yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=110)
    return "".join(f"# {line}\n" for line in evidence) + body


def _evidence(each: FittedPoint) -> str:
    point = each.point
    return (
        f"{point.threads} threads, {point.message_bytes} bytes, {point.queues} queues a broker:"
        f" measured {point.per_s:,.0f}/s and {point.response_ms:.3f} ms,"
        f" here {each.per_s:,.0f}/s and {each.response_ms:.3f} ms ({_use(each)})"
    )


def _use(each: FittedPoint) -> str:
    within = "within" if each.is_within else "missed"
    return f"{'fitted' if each.is_fitted else 'predicted'}, {within}"


def points_table(points: Sequence[FittedPoint]) -> Table:
    """Every point: measured, simulated, and whether the fit has seen it."""
    title = f"within: throughput {THROUGHPUT_WITHIN:.0%}, mean response time {RESPONSE_WITHIN:.0%}"
    table = Table(*COLUMNS, title=title, title_justify="left")
    for each in points:
        point = each.point
        table.add_row(
            str(point.threads), f"{point.message_bytes:,} B", str(point.queues), f"{point.per_s:,.0f}",
            f"{each.per_s:,.0f} ({each.throughput_ratio - 1:+.0%})", f"{point.response_ms:.3f}",
            f"{each.response_ms:.3f} ({each.response_ratio - 1:+.0%})", _use(each),
        )  # fmt: skip
    return table
