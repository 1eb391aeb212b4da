"""Print what was published beside what comes out, and by how much the ratios of the configurations differ."""

from rich.console import Console
from rich.table import Table

from simulator.experiments.words import number
from tests.simulator.policies.kip_794.producer import PUBLISHED_MS, PUBLISHED_P99_MS, run


def main() -> None:
    """A row a configuration; a ratio is to the row above, simulated against published."""
    table = Table(title="KIP-794, Test Series 1: published / simulated", title_justify="left", box=None)
    for head in ("configuration", "mean, ms", "ratio", "p99, ms", "ratio", "to the slow broker"):
        table.add_column(head, justify="left" if head == "configuration" else "right")
    above: dict[str, tuple[float, float]] = {}
    for name in PUBLISHED_MS:
        found, cells = run(name), [name]
        for what, pair in (
            ("mean", (PUBLISHED_MS[name], found.mean_ms)),
            ("p99", (PUBLISHED_P99_MS[name], found.p99_ms)),
        ):
            ratios = [before / own for before, own in zip(above[what], pair, strict=True)] if what in above else []
            cells.append(" / ".join(map(number, pair)))
            off = f" ({100 * (ratios[1] / ratios[0] - 1):+.0f} %)" if ratios else "-"
            cells.append(" / ".join(map(number, ratios)) + off)
            above[what] = pair
        table.add_row(*cells, f"{found.slow_percent:.0f} %")
    Console(width=120, soft_wrap=True).print(table)


if __name__ == "__main__":
    main()
