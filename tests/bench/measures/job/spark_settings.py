"""Event mode to Parquet under Spark's own settings: without those that the session has, and with others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

from streaming.spark.session import open_session
from tests.bench.measure import Context, Entry
from tests.bench.measures.job.event_mode import JAVA_OPTIONS, MASTER, PARTITIONS, Sides
from tests.bench.measures.job.small_batches import STORE, STORES

AS_IT_IS, TCP = "as it is", "TCP"
SETTINGS: Mapping[str, Mapping[str, str]] = {
    AS_IT_IS: {},
    TCP: {"spark.python.unix.domain.socket.enabled": "false"},
    "pipelined": {"spark.python.udf.pipelined.enabled": "true"},
    "Python's buffer 64 KiB": {"spark.sql.execution.python.udf.buffer.size": "65536"},
    "RocksDB": {STORE: STORES["rocksdb"]},
}


def attempts_per_s(more: Mapping[str, str], folder: Path, attempts: int, batches: int) -> float:
    """Attempts a second of the job in a session of its own, after one run that is not counted."""
    folder.mkdir()
    spark = open_session(folder, master=MASTER, partitions=PARTITIONS, java_options=JAVA_OPTIONS, more=more)
    try:
        sides = Sides(spark, folder, attempts, batches)
        sides.sendlab(PARTITIONS)
        return sides.sendlab(PARTITIONS)
    finally:
        spark.stop()


def measure(context: Context) -> Iterator[Entry]:
    """The ratio of each to the settings as they are, a session each: a round in turn, and one back.

    A first session is not counted: all share one JVM, which is quicker in the later ones.
    """
    attempts, batches, rounds = (100_000, 1, 1) if context.quick else (1_000_000, 2, 2)
    names = (AS_IT_IS, TCP) if context.quick else tuple(SETTINGS)
    found: dict[str, list[float]] = {name: [] for name in names}
    context.tell("a first session, not counted")
    attempts_per_s({}, context.scratch / "first", attempts, batches)
    for number in range(rounds):
        for name in names if number % 2 == 0 else names[::-1]:
            context.tell(name)
            folder = context.scratch / f"{number}-{names.index(name)}"
            found[name].append(attempts_per_s(SETTINGS[name], folder, attempts, batches))
    base = found[AS_IT_IS]
    ratios = {
        name: round(median(a / b for a, b in zip(speeds, base, strict=True)), 3)
        for name, speeds in found.items() if name != AS_IT_IS
    }  # fmt: skip
    best = max(ratios, key=lambda name: ratios[name])
    yield Entry(
        "event_mode_spark_settings", ratios[best], f"x with {best}",
        ours=", ".join(f"{name} {ratio:g}x" for name, ratio in ratios.items()),
        peer=f"{median(base) / 1e6:.2f} M attempts/s {AS_IT_IS}", more={"ratios": ratios},
    )  # fmt: skip
