"""What is printed about Spark: its Java, its jars, its master and workers, its checkpoint."""

from __future__ import annotations

from state.texts import Text


class SparkTexts:
    """What is printed about Spark: its Java, its jars, its master and workers, its checkpoint."""

    FILE_CHANGED = Text("{file} is not what was written there")
    FILE_MISSING = Text("{file} is missing")
    INSTALL_JAVA = Text("Install Java {oldest} or 21: {command}")
    FETCHING_JARS = Text("fetching the jars of the {kind} (once; about a minute)")
    JARS_NOT_FETCHED = Text("the jars of the {kind} could not be fetched: {why}")
    JARS_NOT_THERE = Text(
        "the jars of the {kind} could not be fetched from Maven Central ({why}); make setup tries again, "
        "JAVA_TOOL_OPTIONS can name a proxy"
    )
    JAVA_HOME_WITHOUT_JAVA = Text(
        "JAVA_HOME is {home}, but no bin/java starts there. Point it at a Java {oldest} or newer, or unset it."
    )
    JAVA_FITS = Text("ok Java {version} in {home}")
    JAVA_TOO_OLD = Text(
        "Spark needs Java {oldest} or newer, but {where} leads to Java {version} in {home}. {remedy}{then}"
    )
    MASTER_EXPECTED = Text("expected local[N], local[*], spark://HOST:PORT, yarn or k8s://URL")
    METADATA_MISSING = Text("{file} is missing or cannot be read")
    NOT_STARTED = Text("Spark did not start: {why}; its log is {log}")
    NO_IVY = Text("PySpark has no ivy-*.jar there, which fetches jars")
    NO_JAVA = Text("Spark needs Java {oldest} or newer, and no Java was found. {remedy}{otherwise}")
    NO_MASTER_ANSWERS = Text("no Spark master answers there ({why})")
    NO_WORKER = Text(
        "no worker has taken the job in {patience_s:.0f} s; it asks each for {memory} of memory and a core (--memory "
        "asks for less)"
    )
    POINT_JAVA_HOME = Text(" and point JAVA_HOME at it")
