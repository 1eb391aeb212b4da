"""`make published`: figures that others published beside the simulation's, for docs/published.md."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from simulator.fit.fitted_cluster import Around
from simulator.fit.fitting import fit_cluster, predicted
from simulator.fit.measured_point import FittedPoint, Point
from simulator.run.simulate import simulate
from streaming.files.whole_file import write_whole
from streaming.fitting.point_file import read_points

BEGIN = "<!-- what `make published` writes begins here -->"
END = "<!-- what `make published` writes ends here -->"
ROOT = Path(__file__).resolve().parents[1]
GRID = ROOT / "conf" / "published" / "producer-grid.csv"
HUAWEI = ROOT / "conf" / "published" / "huawei-4.8.0.csv"
AWAY = ROOT / "conf" / "published" / "broker-away.csv"
AWAY_SCENARIO = ROOT / "conf" / "scenarios" / "published" / "broker-away.yaml"
AWAY_WITHIN = 0.02
HUAWEI_SCENARIO = ROOT / "conf" / "scenarios" / "published" / "one-broker.yaml"
HUAWEI_WITHIN = 0.1
LEVELS = ROOT / "conf" / "published" / "delay-levels.csv"
LEVELS_SCENARIO = ROOT / "conf" / "scenarios" / "published" / "delay-levels.yaml"
LEVELS_WITHIN, LEVELS_SCALE = 0.1, 100
DISK = ROOT / "conf" / "published" / "disk-reads.csv"
DISK_SCENARIO = ROOT / "conf" / "scenarios" / "published" / "disk-reads.yaml"
SCENARIO = ROOT / "conf" / "scenarios" / "published" / "producer-grid.yaml"
AROUND = Around(brokers=4)
THREADS = (1, 5, 10, 20, 30, 50, 80, 100, 150, 200)
KIB = 1024
WARM_UP_US, END_US = 500_000, 2_000_000


def closed_loop(scenario: Path, changes: Mapping[str, object]) -> tuple[float, float]:
    """Messages a second and mean response time in ms of two seconds of a scenario, the first half left out."""
    sends = simulate(scenario, overrides={**changes, "duration": "2s"}, tables=("sends",))
    end_us, latency_us = sends.column("sends", "end_us"), sends.column("sends", "latency_us")
    seen = (end_us >= WARM_UP_US) & (end_us < END_US)
    return float(seen.sum()) / ((END_US - WARM_UP_US) / 1e6), float(latency_us[seen].mean()) / 1000


def simulated(threads: int, message_bytes: int, queues: int) -> tuple[float, float]:
    """The same of a cell of the grid, in the scenario that is kept."""
    changes = {
        "producers.threads": threads, "topics.bench.queues": queues, "topics.bench.message_bytes": f"{message_bytes}B",
    }  # fmt: skip
    return closed_loop(SCENARIO, changes)


def of_scenario(points: Sequence[Point]) -> list[FittedPoint]:
    """The measured cells beside the scenario that is kept."""
    return [FittedPoint(p, *simulated(p.threads, p.message_bytes, p.queues), is_fitted=True) for p in points]


def left_out(points: Sequence[Point]) -> Iterator[FittedPoint]:
    """Each cell predicted from the other five alone."""
    for point in track(points, "leaving out one cell after the other", console=Console(stderr=True), transient=True):
        others = [other for other in points if other != point]
        yield predicted(fit_cluster(others, AROUND), AROUND, [point], others)[0]


def _row(each: FittedPoint, use: str) -> str:
    point = each.point
    cells = [
        str(point.threads), f"{point.message_bytes // KIB} KiB", str(point.queues), f"{point.per_s:,.0f}",
        f"{each.per_s:,.0f} ({each.throughput_ratio - 1:+.1%})", f"{point.response_ms:.3f}",
        f"{each.response_ms:.3f} ({each.response_ratio - 1:+.1%})", use, "within" if each.is_within else "missed",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


HEAD = (
    "| threads | body | queues | published/s | simulated/s | published ms | simulated ms | figure | |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


def _grid(points: Sequence[Point]) -> list[str]:
    apart = list(left_out(points))
    rows = [_row(each, "fitted") for each in of_scenario(points)]
    within = sum(each.is_within for each in apart)
    return [
        "The scenario that is kept, fitted to all six cells:", "", HEAD, *rows, "",
        f"Each cell predicted by a fit to the other five: {within} of {len(apart)} within.", "", HEAD,
        *(_row(each, "predicted") for each in apart),
    ]  # fmt: skip


def _curve() -> list[str]:
    sizes, queues = (KIB, 3 * KIB), (8, 16)
    head = " | ".join(f"{size // KIB} KiB, {q} queues" for size in sizes for q in queues)
    rows = []
    for threads in THREADS:
        cells = [simulated(threads, size, q) for size in sizes for q in queues]
        rows.append(f"| {threads} | " + " | ".join(f"{per_s:,.0f}/s, {ms:.3f} ms" for per_s, ms in cells) + " |")
    return ["Predicted for other numbers of threads:", "", f"| threads | {head} |", "|---|---|---|---|---|", *rows]


def _huawei() -> list[str]:
    lines = ["| size | threads | published/s | simulated/s | figure | |", "|---|---|---|---|---|---|"]
    for number, (row, ours) in enumerate(one_broker()):
        per_s = float(row["produced_per_s"])
        within = "within" if abs(ours - per_s) <= HUAWEI_WITHIN * per_s else "missed"
        use = "predicted" if number else "fitted"
        found = f"{per_s:,.0f} | {ours:,.0f} ({ours / per_s - 1:+.1%})"
        lines.append(f"| {row['size']} | {row['threads']} | {found} | {use} | {within} |")
    return lines


def one_broker() -> list[tuple[dict[str, str], float]]:
    """Each published size of one broker, and what the scenario of the smallest gives with as many threads."""
    rows = list(csv.DictReader(HUAWEI.open()))
    return [(row, closed_loop(HUAWEI_SCENARIO, {"producers.threads": int(row["threads"])})[0]) for row in rows]


def broker_away() -> list[tuple[str, int, int]]:
    """What, its published and its simulated number of messages."""
    run = simulate(AWAY_SCENARIO, tables=("sends", "consumed"))
    accepted, times = len(run.column("sends", "result")), run.column("consumed", "times")
    delivered = int((times == 1).sum())
    lost, twice = accepted - delivered, len(times) - delivered
    found = {"accepted": accepted, "delivered": delivered, "lost": lost, "delivered twice": twice}
    return [(row["what"], int(row["messages"]), found[row["what"]]) for row in csv.DictReader(AWAY.open())]


def _away() -> list[str]:
    rows = []
    for what, published, ours in broker_away():
        within = "within" if abs(ours - published) <= AWAY_WITHIN * published else "missed"
        rows.append(f"| {what} | {published:,} | {ours:,} | predicted | {within} |")
    return ["| messages | published | simulated | figure | |", "|---|---|---|---|---|", *rows]


def delivered_per_s(release: str, levels: int) -> float:
    """Delayed messages that the broker delivers in a second, at the published load."""
    changes = {
        "brokers.broker-a.release": release,
        "producers.0.delay.level": dict.fromkeys(range(1, levels + 1), 1) | dict.fromkeys(range(levels + 1, 4), 0),
    }
    run = simulate(LEVELS_SCENARIO, overrides=changes, tables=("delays",))
    begin_us, delivered = run.column("delays", "window_start_us"), run.column("delays", "delivered")
    settled = (begin_us >= 20_000_000) & (begin_us < 50_000_000)
    return LEVELS_SCALE * float(delivered[settled].sum()) / 30


def _levels() -> list[str]:
    rows = []
    for row in csv.DictReader(LEVELS.open()):
        published, ours = float(row["per_s"]), delivered_per_s(row["release"], int(row["levels"]))
        within = "within" if abs(ours - published) <= LEVELS_WITHIN * published else "missed"
        rows.append(f"| {row['what']} | {published:,.0f} | {ours:,.0f} | {row['use']} | {within} |")
    return ["| delivered a second | published | simulated | figure | |", "|---|---|---|---|---|", *rows]


def consumed_from_disk_per_s(producers_per_s: int) -> float:
    """Messages that the group consumes in a second behind a backlog, while so many are sent."""
    rate = producers_per_s / LEVELS_SCALE / 40
    changes = {"producers.rate_changes": {"20s": "30/s", "35s": f"{rate:g}/s"}}
    run = simulate(DISK_SCENARIO, overrides=changes, tables=("consumer_windows",))
    begin_us, consumed = run.column("consumer_windows", "window_start_us"), run.column("consumer_windows", "consumed")
    return LEVELS_SCALE * float(consumed[begin_us >= 80_000_000].sum()) / 40


def _disk() -> list[str]:
    rows = []
    for row in csv.DictReader(DISK.open()):
        published, ours = float(row["per_s"]), consumed_from_disk_per_s(int(row["producers_per_s"]))
        within = "within" if abs(ours - published) <= LEVELS_WITHIN * published else "missed"
        rows.append(f"| {row['what']} | {published:,.0f} | {ours:,.0f} | {row['use']} | {within} |")
    return ["| consumed a second | published | simulated | figure | |", "|---|---|---|---|---|", *rows]


def page() -> str:
    """What stands between the marks."""
    return "\n\n".join(
        [
            "\n".join(_grid(read_points(GRID, 8))),
            "\n".join(_curve()),
            "### One broker, Huawei 4.8.0",
            "\n".join(_huawei()),
            "### A broker that is away for 18 s, with a consumer group",
            "\n".join(_away()),
            "### Delay levels of one broker",
            "\n".join(_levels()),
            "### Reading from the disk",
            "\n".join(_disk()),
        ]
    )


def main() -> None:
    """Write the page that is named."""
    file = Path(sys.argv[1])
    text = file.read_text(encoding="utf-8")
    found = f"{BEGIN}\n\n{page()}\n\n{END}"
    whole = re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: found, text, flags=re.DOTALL)
    write_whole(file, lambda spare: spare.write_text(whole, encoding="utf-8"))


if __name__ == "__main__":
    main()
