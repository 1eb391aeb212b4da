"""Make the JVM's archive of the classes that a job loads: a tiny job, whose JVM writes it when it ends.

`python -m streaming.jobs.archive_maker` is a part of the set-up.
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from simulator.scenario import parse_scenario
from streaming.jobs.background_job import run
from streaming.spark.java import Java, find_java
from streaming.spark.java_archive import archive_of
from streaming.spark.session import JAVA_OPTIONS, close_session, open_session
from streaming.spark.spark_internals import jvm_process
from streaming.texts.job_texts import JobTexts

PATIENCE_S = 300.0
LEFT_OVER_S = 3600.0  # an unfinished file older than this is nobody's any more

# Takes every class the way of a real run: source, operator, state store, Parquet.
TINY = """
name: archive
duration: 3s
client: {release: 5.3.3, send_latency_fault_enable: true}
producers: {count: 2, rate: 20/s}
topics: {orders: {queues: 2}}
brokers: {broker-a: {latency: {constant: 1ms}}}
"""


def write_archive(archive: Path) -> None:
    """Run a tiny job in a JVM that writes its archive to `archive` when it ends; returns when it has ended.

    Raises OSError if it does not end well: what it wrote may be half an archive, with which a JVM would crash.
    """
    with tempfile.TemporaryDirectory(prefix="sendlab-archive-", ignore_cleanup_errors=True) as folder:
        options = f"{JAVA_OPTIONS} {shlex.quote(f'-XX:ArchiveClassesAtExit={archive}')} -Xlog:disable"
        spark = open_session(Path(folder), java_options=options)
        process = jvm_process()
        if process is None:
            raise OSError(JobTexts.NO_JVM())
        try:
            run(parse_scenario(TINY), Path(folder) / "out", spark=spark).awaitTermination()
        finally:
            close_session(spark, PATIENCE_S)
        code = process.wait()
    if code != 0:
        raise OSError(JobTexts.ARCHIVE_NOT_WRITTEN(archive=archive, code=code))


def make(java: Java) -> Path | None:
    """Make the archive if it is not there, and remove those of other installations; None if the JVM wrote none.

    Two at a time are no harm: each writes a file of its own, which gets its name when it is whole.
    """
    archive = archive_of(java)
    if archive.exists():
        return archive
    archive.parent.mkdir(parents=True, exist_ok=True)
    unfinished = archive.with_name(f"{os.getpid()}.unfinished")
    try:
        write_archive(unfinished)
        if not unfinished.exists():
            return None
        unfinished.replace(archive)
    finally:
        unfinished.unlink(missing_ok=True)
    _prune(archive)
    return archive


def _prune(archive: Path) -> None:
    """Remove the archives of other installations, and what a killed set-up left."""
    for other in archive.parent.iterdir():
        with suppress(OSError):
            left_over = other.suffix == ".unfinished" and time.time() - other.stat().st_mtime > LEFT_OVER_S
            if left_over or (other.suffix == ".jsa" and other != archive):
                other.unlink()


def main() -> int:
    """Exit code 0 if there is an archive now, 1 if not."""
    java = find_java()
    if java is None or not java.fits:
        return 1
    return 0 if make(java) is not None else 1


if __name__ == "__main__":
    sys.exit(main())
