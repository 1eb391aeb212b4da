"""Which Java Spark would run on, and whether it can.

Spark takes `JAVA_HOME` if it is set and the `java` on the PATH if not; the usual places are looked at when
the PATH gives none that fits. `python -m streaming.spark.java` prints the verdict for the set-up script.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from streaming.errors import EnvironmentProblem
from streaming.installation.extras import WITHOUT_SPARK, require
from streaming.texts.spark_texts import SparkTexts

OLDEST = 17
SUPPORTED = (17, 21, 25)  # the releases that Spark 4.3 names
USUAL_PLACES = (
    "/usr/lib/jvm/*",
    "/usr/java/*",
    "/opt/java/*",
    "/opt/homebrew/opt/openjdk*",
    "/usr/local/opt/openjdk*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
)


@dataclass(frozen=True)
class Java:
    """A Java that starts: its home folder and its version."""

    home: Path
    version: str
    release: int

    @property
    def fits(self) -> bool:
        """Whether Spark runs on it."""
        return self.release >= OLDEST


def probe(program: Path) -> Java | None:
    """Ask a `java` program what it is; None if it does not start or does not answer."""
    command = [str(program), "-XshowSettings:properties", "-version"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return parse(answer.stderr + answer.stdout) if answer.returncode == 0 else None


def parse(text: str) -> Java | None:
    """Read the properties that `java -XshowSettings:properties` prints; None if they are not there."""
    pattern = r"^\s*(java\.home|java\.version|java\.specification\.version) = (.+?)\s*$"
    found: dict[str, str] = dict(re.findall(pattern, text, re.MULTILINE))
    release = re.match(r"(?:1\.)?(\d+)", found.get("java.specification.version", ""))  # Java 8 says 1.8
    if release is None or "java.home" not in found:
        return None
    return Java(Path(found["java.home"]), found.get("java.version", release[1]), int(release[1]))


def find_java() -> Java | None:
    """The Java to run Spark on: JAVA_HOME's alone if that is set, else the PATH's, else the newest that fits.

    Returns one that is too old if there is nothing better; None if there is none.
    """
    if home := os.environ.get("JAVA_HOME"):
        return probe(Path(home) / "bin" / "java")
    on_path = shutil.which("java")
    first = probe(Path(on_path)) if on_path else None
    if first and first.fits:
        return first
    root = Path("/")
    folders = [folder for pattern in USUAL_PLACES for folder in root.glob(pattern.lstrip("/"))]
    programs = sorted({(folder / "bin" / "java").resolve() for folder in folders})
    others = [java for program in programs if (java := probe(program))]
    named = [java for java in others if java.release in SUPPORTED]
    fitting = named or [java for java in others if java.fits]
    if first and not fitting:
        return first
    return max(fitting or others, key=lambda java: java.release, default=None)


def require_java() -> Java:
    """A Java that Spark runs on.

    Raises EnvironmentProblem, with what is missing or too old and the command that installs it.
    """
    java = find_java()
    if java is not None and java.fits:
        return java
    raise EnvironmentProblem(problem(java))


def require_spark() -> Java:
    """A Java that Spark runs on, where PySpark is installed, too. Raises EnvironmentProblem."""
    require("pyspark")
    return require_java()


def problem(java: Java | None) -> str:
    """Why `java` will not do, and what to do about it."""
    remedy = SparkTexts.INSTALL_JAVA(oldest=OLDEST, command=install_command())
    home = os.environ.get("JAVA_HOME")
    if java is None and home:
        return SparkTexts.JAVA_HOME_WITHOUT_JAVA(home=home, oldest=OLDEST)
    if java is None:
        return SparkTexts.NO_JAVA(oldest=OLDEST, remedy=remedy, otherwise=WITHOUT_SPARK)
    return SparkTexts.JAVA_TOO_OLD(
        oldest=OLDEST, where="JAVA_HOME" if home else "the PATH", version=java.version, home=java.home, remedy=remedy,
        then=SparkTexts.POINT_JAVA_HOME() if home else "",
    )  # fmt: skip


def install_command() -> str:
    """The command that installs a Java with this system's package manager."""
    commands = {
        "apt-get": f"sudo apt-get install {_debian_package()}",
        "dnf": "sudo dnf install java-21-openjdk-headless",
        "apk": "apk add openjdk17-jre-headless bash",
        "pacman": "sudo pacman -S jre21-openjdk-headless",
        "zypper": "sudo zypper install java-21-openjdk-headless",
        "brew": "brew install openjdk@21",
    }
    return next((text for tool, text in commands.items() if shutil.which(tool)), "see adoptium.net")


def _debian_package() -> str:
    """Debian 13 ships Java 21 but not 17; 12 ships 17 but not 21."""
    try:
        major = int(Path("/etc/debian_version").read_text().split(".")[0])
    except (OSError, ValueError):
        return "openjdk-21-jre-headless"
    return "openjdk-17-jre-headless" if major <= 12 else "openjdk-21-jre-headless"


def main() -> int:
    """Print `ok`, `missing` or `unfit` and a sentence; exit code 0 or 3."""
    java = find_java()
    if java is not None and java.fits:
        print(SparkTexts.JAVA_FITS(version=java.version, home=java.home))
        return 0
    nothing = java is None and not os.environ.get("JAVA_HOME")
    print("missing" if nothing else "unfit", problem(java))
    return 3


if __name__ == "__main__":
    sys.exit(main())
