"""The JVM's archive of the classes that a job loads (application class data sharing): read from one file, Spark starts
in half the time.

The set-up makes it (`streaming.jobs.archive_maker`); a JVM that it does not fit does without it.
"""

from __future__ import annotations

import hashlib
import shlex
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from simulator.compiled.cache import cache_folder
from streaming.spark.java import Java
from streaming.spark.spark_home import installed_spark, spark_home


def archive_of(java: Java) -> Path:
    """Where the archive for this Java and this installation of Spark is kept."""
    named = [java.version, str(java.home), version("pyspark"), str(spark_home())]
    for origin in (java.home / "lib" / "modules", installed_spark() / "jars"):
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
