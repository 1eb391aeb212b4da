"""The JVM's archive of the classes that a job loads (application class data sharing): read from one file, Spark starts
in half the time.

`python -m streaming.java_archive` makes it, as part of the set-up; a JVM that it does not fit does without it.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from streaming.java import Java, find_java

FOLDER = Path(__file__).resolve().parent.parent / ".cache" / "java"
PATIENCE_S = 120.0
POLL_S = 0.1

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
    import pyspark

    jars = Path(pyspark.__file__).parent / "jars"
    named = f"{java.version} {java.home} {pyspark.__version__} {jars} {jars.stat().st_mtime_ns}"
    return FOLDER / f"{hashlib.blake2b(named.encode(), digest_size=6).hexdigest()}.jsa"


def archive_options(java: Java) -> str:
    """The options with which a JVM reads the archive; none if there is no archive for this Java."""
    archive = archive_of(java)
    # What the JVM has to say of an archive that does not fit is not for the console.
    return f"-XX:SharedArchiveFile={archive} -Xlog:disable -Xlog:all=error:stderr" if archive.exists() else ""


def record(archive: Path) -> None:
    """Run a tiny job in a JVM that writes its archive to `archive` when it ends; returns when it has ended.

    Raises OSError if it does not end in time: what it has written may be half an archive.
    """
    from simulator.scenario import parse_scenario
    from streaming.api import run
    from streaming.session import JAVA_OPTIONS, close_session, jvm_pid, open_session

    with tempfile.TemporaryDirectory(prefix="sendlab-archive-") as folder:
        options = f"{JAVA_OPTIONS} -XX:ArchiveClassesAtExit={archive} -Xlog:disable"
        spark = open_session(Path(folder), java_options=options)
        pid = jvm_pid(spark)
        run(parse_scenario(TINY), Path(folder) / "out", spark=spark).awaitTermination()
        gateway = spark.sparkContext._gateway
        close_session(spark)
        if gateway is not None:
            gateway.shutdown()
            gateway.proc.stdin.close()  # the JVM ends with its input
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and _runs(pid):
            time.sleep(POLL_S)
        if _runs(pid):
            raise OSError(f"the JVM that writes {archive} did not end")


def _runs(pid: int) -> bool:
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def make(java: Java) -> Path | None:
    """Make the archive if it is not there, and remove those of other installations; None if the JVM wrote none."""
    archive = archive_of(java)
    if archive.exists():
        return archive
    FOLDER.mkdir(parents=True, exist_ok=True)
    unfinished = FOLDER / f"{os.getpid()}.unfinished"
    try:
        record(unfinished)
        if not unfinished.exists():
            return None
        unfinished.replace(archive)
    finally:
        unfinished.unlink(missing_ok=True)
    for other in FOLDER.glob("*.jsa"):
        if other != archive:
            other.unlink(missing_ok=True)
    return archive


def main() -> int:
    """Exit code 0 if there is an archive now, 1 if not."""
    java = find_java()
    if java is None or not java.fits:
        return 1
    return 0 if make(java) is not None else 1


if __name__ == "__main__":
    sys.exit(main())
