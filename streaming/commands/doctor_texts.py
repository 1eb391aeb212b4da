"""What the doctor finds on a machine, and what it advises."""

from __future__ import annotations

from state.texts import Text


class DoctorTexts:
    """What the doctor finds on a machine, and what it advises."""

    CHECK_FAILED = Text("this check itself failed")
    COMPILED = Text("{rules} {rules:rule|rules} in {folder}")
    COMPILES_FIRST = Text("the first run compiles it, or run make setup")
    JARS = Text("{count} {count:jar|jars} in {folder}")
    JARS_NOT_FETCHED = Text("not fetched yet: done when {asked} first needs it")
    JARS_SETUP = Text("run make setup to have it now")
    JAVA_UNTESTED = Text("Spark 4.3 supports Java {supported}; use Java {oldest} if it fails to start")
    LITTLE_MEMORY = Text("enough for small scenarios only: 3 GiB free is comfortable")
    LITTLE_ROOM = Text("long runs in event mode write gigabytes: watch it")
    LOOPBACK_ANSWERS = Text("127.0.0.1 answers")
    LOOPBACK_BLOCKED = Text("allow connections to 127.0.0.1: Spark's parts talk through it")
    MEMORY = Text("{free_gib:.1f} GiB free of {total_gib:.1f} GiB")
    NOTHING_COMPILED = Text("none in {folder}")
    NOT_INSTALLED = Text("runs from a folder, not installed")
    NOT_READY = Text("Not ready: {failed}.")
    NOT_WRITABLE = Text("work in a folder that you can write to")
    NO_MEMORY = Text("Java and two Python workers need about 2 GiB: end other programs")
    NO_ROOM = Text("make room: 0.5 GiB is the least that a run needs")
    ONE_CORE = Text("one core is shared by Java, Python and the model: expect half the speed")
    PACKAGE_NEEDED = Text("{package} {bound} is needed: run make setup")
    PACKAGE_NOT_INSTALLED = Text("not installed")
    PACKAGE_SETUP = Text("run make setup")
    PYTHON_NEEDED = Text("Sendlab needs Python {wanted}: remove .venv and run make setup PYTHON=/path/to/python3")
    READY = Text("Ready.")
    READY_WITH_WARNINGS = Text("Ready. Warnings: {warned}.")
    ROOM = Text("{folder}: {free_gib:.1f} GiB free")
    VERSIONS_NOT_CHECKED = Text("run make setup to have versions checked")
