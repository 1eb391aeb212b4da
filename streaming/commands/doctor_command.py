"""What this machine offers the job: Java, Python packages, memory, disk; what is missing, and what to do."""

from __future__ import annotations

import json
import os
import platform
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import psutil
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from rich.markup import escape
from rich.table import Table

from streaming.commands.doctor_texts import DoctorTexts
from streaming.installation.conf_files import conf_folder
from streaming.installation.extras import EXTRAS
from streaming.installation.machine import memory_bytes
from streaming.spark.java import OLDEST, SUPPORTED, find_java, problem
from streaming.terminal.output_console import OutputConsole as Console

OK, INFO, WARN, FAIL = "ok", "info", "warn", "fail"
COLOURS = {OK: "green", INFO: "cyan", WARN: "yellow", FAIL: "red"}
GIB = 1 << 30
PACKAGES = ("pyspark", "kafka-python", "pandas", "pyarrow", "numba", "numpy", "pydantic")


@dataclass(frozen=True)
class Check:
    """One line of the table: what was looked at, what is there, and what to do about it."""

    name: str
    status: str
    found: str
    advice: str = ""


def doctor(as_json: bool = False) -> int:
    """Print what is there and what to do; exit code 0, or 3 if something that the job needs is missing."""
    checks = examine()
    failed = any(check.status == FAIL for check in checks)
    if as_json:
        print(json.dumps({"ok": not failed, "checks": [asdict(check) for check in checks]}, indent=2))
    else:
        _show(checks)
    return 3 if failed else 0


def examine() -> list[Check]:
    """Every check, in the order they are shown; a check that itself breaks is shown as failed."""
    parts: tuple[Callable[[], Iterator[Check]], ...] = (
        check_python,
        check_java,
        check_packages,
        check_data,
        check_machine,
        check_folders,
        check_compiled_code,
        check_loopback,
        check_jars,
    )
    checks: list[Check] = []
    for part in parts:
        try:
            checks += part()
        except Exception as error:  # the doctor reports, whatever it meets
            name = part.__name__.removeprefix("check_").replace("_", " ")
            checks.append(Check(name, FAIL, f"{type(error).__name__}: {error}", DoctorTexts.CHECK_FAILED()))
    return checks


def check_python() -> Iterator[Check]:
    """The Python that runs this."""
    version = platform.python_version()
    wanted = _bounds()[0]
    fits = SpecifierSet(wanted).contains(version, prereleases=True)
    advice = "" if fits else DoctorTexts.PYTHON_NEEDED(wanted=wanted)
    yield Check("Python", OK if fits else FAIL, f"{version} in {sys.prefix}", advice)


def check_java() -> Iterator[Check]:
    """The Java that Spark would be started with."""
    java = find_java()
    if java is None or not java.fits:
        missing = FAIL if find_spec("pyspark") else INFO  # only Spark needs it
        yield Check("Java", missing, java.version if java else "none", problem(java))
        return
    known = java.release in SUPPORTED
    supported = ", ".join(str(release) for release in SUPPORTED)
    advice = "" if known else DoctorTexts.JAVA_UNTESTED(supported=supported, oldest=OLDEST)
    yield Check("Java", OK if known else WARN, f"{java.version} in {java.home}", advice)


def check_packages() -> Iterator[Check]:
    """The packages that the job stands on, against the bounds of this distribution."""
    wanted = _bounds()[1]
    if not wanted:
        yield Check("sendlab", WARN, DoctorTexts.NOT_INSTALLED(), DoctorTexts.VERSIONS_NOT_CHECKED())
    for name in PACKAGES:
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            extra = EXTRAS.get(name)
            advice = extra.sentence if extra else DoctorTexts.PACKAGE_SETUP()
            yield Check(name, INFO if extra else FAIL, DoctorTexts.PACKAGE_NOT_INSTALLED(), advice)
            continue
        bound = wanted.get(name)
        if bound is None or bound.contains(version, prereleases=True):
            yield Check(name, OK, version)
        else:
            yield Check(name, FAIL, version, DoctorTexts.PACKAGE_NEEDED(package=name, bound=bound))


def check_data() -> Iterator[Check]:
    """The scenarios, experiments, recordings and settings that come with it."""
    yield Check("data files", OK, str(conf_folder()))


def check_machine() -> Iterator[Check]:
    """Cores and memory that this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    alone = DoctorTexts.ONE_CORE() if cores < 2 else ""
    yield Check("cores", WARN if alone else OK, str(cores), alone)
    total, free = memory_bytes()
    found = DoctorTexts.MEMORY(free_gib=free / GIB, total_gib=total / GIB)
    if free < GIB:
        yield Check("memory", FAIL, found, DoctorTexts.NO_MEMORY())
    elif free < 3 * GIB:
        yield Check("memory", WARN, found, DoctorTexts.LITTLE_MEMORY())
    else:
        yield Check("memory", OK, found)


def check_folders() -> Iterator[Check]:
    """Room and write access where output goes, and where Spark keeps what it shuffles."""
    spark = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0]
    yield folder("this folder", Path.cwd())
    yield folder("Spark's local folder", Path(spark or tempfile.gettempdir()))


def folder(name: str, path: Path) -> Check:
    """Whether a folder can be written and has room for a run."""
    try:
        with tempfile.TemporaryFile(dir=path) as file:
            file.write(b"x")
        free = psutil.disk_usage(str(path)).free
    except OSError as error:
        return Check(name, FAIL, f"{path}: {error.strerror}", DoctorTexts.NOT_WRITABLE())
    found = DoctorTexts.ROOM(folder=path, free_gib=free / GIB)
    if free < GIB // 2:
        return Check(name, FAIL, found, DoctorTexts.NO_ROOM())
    if free < 5 * GIB:
        return Check(name, WARN, found, DoctorTexts.LITTLE_ROOM())
    return Check(name, OK, found)


def check_compiled_code() -> Iterator[Check]:
    """The model's compiled rules on disk; without them the first run compiles first."""
    from simulator.compiled.jit import compiled_folder

    path = Path(os.environ.get("NUMBA_CACHE_DIR") or compiled_folder())
    rules = sum(1 for _ in path.rglob("*.nbc"))
    if rules:
        yield Check("compiled model", OK, DoctorTexts.COMPILED(rules=rules, folder=path))
    else:
        yield Check("compiled model", WARN, DoctorTexts.NOTHING_COMPILED(folder=path), DoctorTexts.COMPILES_FIRST())


def check_loopback() -> Iterator[Check]:
    """Whether this machine can talk to itself: Java, Python and Spark's workers do."""
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            address = server.getsockname()
            with socket.create_connection(address, timeout=5):
                pass
    except OSError as error:
        yield Check("loopback", FAIL, str(error), DoctorTexts.LOOPBACK_BLOCKED())
    else:
        yield Check("loopback", OK, DoctorTexts.LOOPBACK_ANSWERS())


def check_jars() -> Iterator[Check]:
    """The jars beside PySpark's: Kafka's connector, a broker for tests and the demonstration, Hadoop's S3."""
    from streaming.spark.jars import BROKER, CONNECTOR, S3A, jar_folder

    for kind in (CONNECTOR, BROKER, S3A):
        folder = jar_folder(kind)
        count, asked = len(list(folder.glob("*.jar"))), "--checkpoint s3a://" if kind is S3A else "--source kafka"
        found = DoctorTexts.JARS(count=count, folder=folder) if count else DoctorTexts.JARS_NOT_FETCHED(asked=asked)
        advice = "" if count or kind is S3A else DoctorTexts.JARS_SETUP()
        yield Check(kind.name, OK if count else INFO, found, advice)


def _bounds() -> tuple[str, dict[str, SpecifierSet]]:
    """The Python and the packages that pyproject.toml asks for; empty where sendlab is not installed."""
    try:
        about = metadata.metadata("sendlab")
    except metadata.PackageNotFoundError:
        return "", {}
    requirements = [Requirement(line) for line in metadata.requires("sendlab") or []]
    plain = {r.name.lower(): r.specifier for r in requirements if r.marker is None or _is_wanted(r.marker)}
    return about["Requires-Python"], plain


def _is_wanted(marker: Marker) -> bool:
    return any(marker.evaluate({"extra": extra}) for extra in ("", *(extra.name for extra in EXTRAS.values())))


def _show(checks: list[Check]) -> None:
    table = Table("", "check", "what is there, and what to do", box=None, pad_edge=False)
    for check in checks:
        status = f"[{COLOURS[check.status]}]{check.status}[/]"
        advice = f"\n[{COLOURS[check.status]}]-> {escape(check.advice)}[/]" if check.advice else ""
        table.add_row(status, check.name, escape(check.found) + advice)
    console = Console()
    console.print(table)
    failed = [check.name for check in checks if check.status == FAIL]
    warned = [check.name for check in checks if check.status == WARN]
    console.print()
    if failed:
        console.print(DoctorTexts.NOT_READY(failed=", ".join(failed)))
    elif warned:
        console.print(DoctorTexts.READY_WITH_WARNINGS(warned=", ".join(warned)))
    else:
        console.print(DoctorTexts.READY())
