"""Ask the classes of every published client release what they decide: `record.py JARS GOLDEN`.

JARS is what `jars.py` made. Compiles and runs the recorder for each release; writes `rules-V.jsonl.gz` to GOLDEN.
Needs a JDK. Inputs are drawn with fixed seeds, the clock stands still but for what the script says.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from simulator.releases.ledger import RELEASES

HERE = Path(__file__).parent
SOURCES = (HERE / "Clock.java", HERE / "Recorder.java")
LONGEST_S = 300
OPEN = ["--add-opens", "java.base/java.nio=ALL-UNNAMED"]  # the netty of 4.2.0 reaches in there


def record(jars: Path, release: str) -> bytes:
    """The cases of one release, a JSON object a line."""
    with tempfile.TemporaryDirectory() as folder:
        path = ":".join([folder + "/", *map(str, sorted((jars / release / "lib").glob("*.jar")))])
        compiler = ["javac", "-nowarn", "-Xlint:none", "-d", folder, "-cp", path, *map(str, SOURCES)]
        subprocess.run(compiler, check=True, capture_output=True, timeout=LONGEST_S)
        recorder = ["java", *OPEN, "-cp", folder, "Clock", path, release]
        return subprocess.run(recorder, check=True, capture_output=True, timeout=LONGEST_S).stdout


def main(jars: Path, golden: Path, releases: Sequence[str]) -> None:
    """Record each of the releases."""
    for release in releases:
        text = record(jars, release)
        (golden / f"rules-{release}.jsonl.gz").write_bytes(gzip.compress(text, mtime=0))
        print(f"{release}: {text.count(b'{')} cases", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] or RELEASES)
