"""Published figures of one broker: its throughput, what is lost while it is away, delay levels, reads from the disk."""

from __future__ import annotations

import csv
from collections.abc import Callable

from simulator.run.simulate import simulate
from streaming.proof.published.published_figure import (
    FITTED,
    PREDICTED,
    PublishedFigure,
    closed_loop,
    measurements,
    numbers,
    set_up,
)

SCALE = 100  # the scenarios of delay levels and of the disk have a hundredth of the published load
WITHIN, AWAY_WITHIN = 0.1, 0.02


def _rows(name: str) -> list[dict[str, str]]:
    with measurements(name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def one_broker() -> list[PublishedFigure]:
    """Messages a second of each published size, from the scenario of the smallest with as many threads."""
    figures: list[PublishedFigure] = []
    for row in _rows("huawei-4.8.0"):
        per_s, _ = closed_loop(set_up("one-broker"), {"producers.threads": int(row["threads"])})
        what, use = f"{row['size']}, {row['threads']} threads", PREDICTED if figures else FITTED
        figures.append(
            PublishedFigure(
                "One broker, Huawei 4.8.0", what, "messages/s", float(row["produced_per_s"]), per_s, WITHIN, use
            )
        )
    return figures


def broker_away() -> list[PublishedFigure]:
    """What became of the messages to a broker that is away for 18 s, with a consumer group."""
    run = simulate(set_up("broker-away"), tables=("sends", "consumed"))
    accepted, times = len(run.column("sends", "result")), run.column("consumed", "times")
    delivered = int((times == 1).sum())
    found = {
        "accepted": accepted, "delivered": delivered, "lost": accepted - delivered,
        "delivered twice": len(times) - delivered,
    }  # fmt: skip
    table = "A broker that is away for 18 s, with a consumer group"
    return [
        PublishedFigure(
            table, row["what"], "messages", float(row["messages"]), found[row["what"]], AWAY_WITHIN, PREDICTED
        )
        for row in _rows("broker-away")
    ]


def delay_levels() -> list[PublishedFigure]:
    """Delayed messages that one broker delivers in a second."""

    def delivered_per_s(row: dict[str, str]) -> float:
        levels = int(row["levels"])
        changes = {
            "brokers.broker-a.release": row["release"],
            "producers.0.delay.level": dict.fromkeys(range(1, levels + 1), 1) | dict.fromkeys(range(levels + 1, 4), 0),
        }
        run = simulate(set_up("delay-levels"), overrides=changes, tables=("delays",))
        begin_us, delivered = numbers(run, "delays", "window_start_us"), numbers(run, "delays", "delivered")
        settled = (begin_us >= 20_000_000) & (begin_us < 50_000_000)
        return SCALE * float(delivered[settled].sum()) / 30

    return _per_s("Delay levels of one broker", "delay-levels", delivered_per_s)


def disk_reads() -> list[PublishedFigure]:
    """Messages that a group behind a backlog consumes in a second from the disk, while so many are sent."""

    def consumed_per_s(row: dict[str, str]) -> float:
        rate = int(row["producers_per_s"]) / SCALE / 40
        changes = {"producers.rate_changes": {"20s": "30/s", "35s": f"{rate:g}/s"}}
        run = simulate(set_up("disk-reads"), overrides=changes, tables=("consumer_windows",))
        begin_us = numbers(run, "consumer_windows", "window_start_us")
        consumed = numbers(run, "consumer_windows", "consumed")
        return SCALE * float(consumed[begin_us >= 80_000_000].sum()) / 40

    return _per_s("Reading from the disk", "disk-reads", consumed_per_s)


def _per_s(table: str, name: str, simulated: Callable[[dict[str, str]], float]) -> list[PublishedFigure]:
    return [
        PublishedFigure(table, row["what"], "messages/s", float(row["per_s"]), simulated(row), WITHIN, row["use"])
        for row in _rows(name)
    ]
