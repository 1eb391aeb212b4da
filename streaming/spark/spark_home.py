"""Where Spark is for its JVM: the installed pyspark without the zipped copy of itself.

The JVM has its Python workers import pyspark from that copy, if it is there, which is compiled again in each of them;
with ten seconds to start, that is too much for a busy machine. Without it they import what is installed.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from simulator.compiled.cache import ROOT, cache_folder

PARTS = ("bin", "jars")


def installed_spark() -> Path:
    """The folder of the installed pyspark."""
    spark = find_spec("pyspark")
    return Path(spark.origin if spark and spark.origin else ROOT).parent


def spark_home() -> Path:
    """A folder with the parts of the installed pyspark that a JVM starts from, as links; pyspark's own if none can be
    made.
    """
    installed = installed_spark()
    home = cache_folder("spark") / hashlib.blake2b(str(installed).encode(), digest_size=6).hexdigest()
    with suppress(OSError):
        home.mkdir(parents=True, exist_ok=True)
        for part in PARTS:
            with suppress(FileExistsError):
                (home / part).symlink_to(installed / part)
    return home if all((home / part).is_dir() for part in PARTS) else installed
