"""The JVM's archive of the classes that a job loads (application class data sharing): read from one file, Spark starts
in half the time.

`python -m streaming.spark.java_archive` makes it, as part of the set-up; a JVM that it does not fit does without it.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from simulator.compiled.cache import ROOT, cache_folder
from streaming.spark.java import Java, find_java

PATIENCE_S = 300.0
LEFT_OVER_S = 3600.0  # an unfinished file older than this is nobody's any more

# Takes every class through the door that a real run uses: source, operator, state store, Parquet.
TINY = """
name: archive
duration: 3s
client: {release: 5.3.3, send_latency_fault_enable: true}
producers: {count: 2, rate: 20/s}
topics: {orders: {queues: 2}}
brokers: {broker-a: {latency: {constant: 1ms}}}
"""


def archive_of(java: Java) -> Path:
    """Where the archive for this Java and this installation of Spark is kept."""
    named = [java.version, str(java.home), version("pyspark")]
    spark = find_spec("pyspark")
    jars = Path(spark.origin if spark and spark.origin else ROOT).parent / "jars"
    for origin in (java.home / "lib" / "modules", jars):
        with suppress(OSError):
            named.append(f"{origin} {origin.stat().st_mtime_ns}")
    return cache_folder("java") / f"{hashlib.blake2b(' '.join(named).encode(), digest_size=6).hexdigest()}.jsa"


def archive_options(java: Java) -> str:
    """The options with which a JVM reads the archive; none if there is no archive for this Java."""
    archive = archive_of(java)
    if not archive.exists():
        return ""
    # What the JVM has to say of an archive that does not fit is not for the console.
    return f"{shlex.quote(f'-XX:SharedArchiveFile={archive}')} -Xlog:disable -Xlog:all=error:stderr"


def record(archive: Path) -> None:
    """Run a tiny job in a JVM that writes its archive to `archive` when it ends; returns when it has ended.

    Raises OSError if it does not end well: what it wrote may be half an archive, with which a JVM would crash.
    """
    from simulator.scenario import parse_scenario
    from streaming.api import run
    from streaming.spark.session import JAVA_OPTIONS, close_session, open_session

    with tempfile.TemporaryDirectory(prefix="sendlab-archive-", ignore_cleanup_errors=True) as folder:
        options = f"{JAVA_OPTIONS} {shlex.quote(f'-XX:ArchiveClassesAtExit={archive}')} -Xlog:disable"
        spark = open_session(Path(folder), java_options=options)
        gateway = spark.sparkContext._gateway
        if gateway is None:
            raise OSError("the session has no JVM of its own")
        try:
            run(parse_scenario(TINY), Path(folder) / "out", spark=spark).awaitTermination()
            close_session(spark)
        finally:
            gateway.shutdown()
            gateway.proc.stdin.close()  # the JVM ends with its input
            try:
                code = gateway.proc.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                gateway.proc.kill()
                code = gateway.proc.wait()
    if code != 0:
        raise OSError(f"the JVM that was to write {archive} ended with {code}")


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
        record(unfinished)
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
