"""Jars that are needed beside PySpark's, fetched once into the user's cache folder by the Ivy that PySpark brings.

`python -m streaming.spark.jars kafka|objects` fetches those of a folder of conf/ for the set-up; with --missing it only
says, by its exit code, whether there is something to fetch.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from simulator.compiled.cache import cache_folder
from streaming.errors import EnvironmentProblem
from streaming.installation.conf_files import conf_folder
from streaming.spark.java import require_java
from streaming.spark.spark_home import installed_spark
from streaming.texts.spark_texts import SparkTexts


class Jars(NamedTuple):
    """Jars that are fetched together: a configuration of conf/ROOM/jars.xml."""

    room: str
    configuration: str
    name: str


CONNECTOR = Jars("kafka", "connector", "Kafka connector")
BROKER = Jars("kafka", "broker", "Kafka broker")
S3A = Jars("objects", "s3a", "S3 file system")
PATIENCE_S = 600
NO_CHECKOUT = Path(os.devnull)  # what takes long to fetch survives `make clean`
FAILURE = "UNRESOLVED DEPENDENCIES"


def _listed(kind: Jars) -> Path:
    return conf_folder() / kind.room / "jars.xml"


def jar_folder(kind: Jars) -> Path:
    """Where jars of a kind are, or would be: another folder for other versions."""
    digest = hashlib.blake2b(_listed(kind).read_bytes(), digest_size=6).hexdigest()
    return cache_folder(kind.room, NO_CHECKOUT) / f"{kind.configuration}-{digest}"


def jars(kind: Jars, tell: Callable[[str], None] = lambda text: None) -> tuple[Path, ...]:
    """The jars of a kind; fetched if they are not there, and then `tell` says so.

    Raises EnvironmentProblem if they cannot be fetched.
    """
    folder = jar_folder(kind)
    if not folder.is_dir():
        tell(SparkTexts.FETCHING_JARS(kind=kind.name))
        _fetch(kind, folder)
    return tuple(sorted(folder.glob("*.jar")))


def _fetch(kind: Jars, folder: Path) -> None:
    ivy = next(iter(sorted((installed_spark() / "jars").glob("ivy-*.jar"))), None)
    if ivy is None:
        raise EnvironmentProblem(SparkTexts.NO_IVY().at(installed_spark() / "jars"))
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder.parent) as spare:
        pattern = f"{spare}/jars/[artifact]-[revision].[ext]"
        command = [
            str(require_java().home / "bin" / "java"), "-jar", str(ivy), "-cache", f"{spare}/ivy",
            "-ivy", str(_listed(kind)), "-confs", kind.configuration, "-types", "jar", "bundle", "maven-plugin",
            "-retrieve", pattern,
        ]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EnvironmentProblem(SparkTexts.JARS_NOT_FETCHED(kind=kind.name, why=error)) from error
        found = Path(spare, "jars")
        if done.returncode != 0 or FAILURE in done.stdout or not found.is_dir():
            raise EnvironmentProblem(SparkTexts.JARS_NOT_THERE(kind=kind.name, why=_reason(done.stdout)))
        try:
            found.rename(folder)
        except OSError:  # another process was first
            if not folder.is_dir():
                raise
        shutil.rmtree(Path(spare, "ivy"), ignore_errors=True)


def _reason(said: str) -> str:
    lines = [line.strip(" :\t") for line in said.splitlines()]
    telling = [line for line in lines if "not found" in line or "Exception" in line or "error" in line.lower()]
    return (telling or lines or ["no answer"])[0][:200]


def main(arguments: list[str]) -> int:
    """Fetch what is missing of the named folders of conf/, or say whether anything is."""
    wanted = [kind for kind in (CONNECTOR, BROKER, S3A) if kind.room in arguments]
    missing = [kind for kind in wanted if not jar_folder(kind).is_dir()]
    if "--missing" in arguments:
        return 0 if missing else 1
    try:
        for kind in missing:
            jars(kind)
    except EnvironmentProblem as problem:
        print(problem, file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
