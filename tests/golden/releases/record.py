"""Ask the classes of published client releases what they decide: `record.py JARS GOLDEN [RELEASE...]`.

JARS is what `jars.py` made. Compiles and runs the recorders for each release; writes `rules-V.jsonl.gz` to GOLDEN.
Needs a JDK. Inputs are drawn with fixed seeds, the clock stands still but for what the script says.

`record.py JARS GOLDEN RELEASE from OLDER` asks a release from 5.3.3 on what OLDER was asked in `select`, `send` and
`async`, and in `consumer/` about the consumer's side. Asked of OLDER itself it writes the same again.

`record.py JARS GOLDEN pop [RELEASE...]` writes `pop/KIND-V.json.gz`; JARS is what `jars.py JARS pop` made.
`record.py JARS GOLDEN RELEASE filters` asks a broker's filter about the expressions of `filter_questions.py`.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from filter_questions import questions
from jars import POP_RELEASES

from simulator.releases.ledger import RELEASES

HERE = Path(__file__).parent
POP_KINDS = ("alloc", "order", "read", "wake", "revive", "buffer", "ask", "fail")
LONGEST_S = 300
OPEN = ["--add-opens", "java.base/java.nio=ALL-UNNAMED"]  # the netty of 4.2.0 reaches in there
ASKED_AGAIN = ("select", "send", "async")
CONSUMERS_ASKED_AGAIN = {
    **dict.fromkeys(("alloc", "processqueue", "lock", "sort-hash"), "RecorderConsumers"),
    **dict.fromkeys(("tags", "flow", "delay", "orderly", "msgid"), "RecorderRules"),
    "defaults": "RecorderDefaults",
}
LOCKS = ("-Drocketmq.broker.rebalance.lockMaxLiveTime=400",)  # those of the recordings


def _run(jars: Path, release: str, recorder: str, *arguments: str | Path, own: str = "lib") -> bytes:
    """What a recorder prints about the classes of one release, a JSON object a line."""
    with tempfile.TemporaryDirectory() as folder:
        path = ":".join([folder + "/", *map(str, sorted((jars / release / own).glob("*.jar")))])
        sources = (HERE / "Clock.java", HERE / f"{recorder}.java")
        compiler = ["javac", "-nowarn", "-Xlint:none", "-sourcepath", str(HERE), "-d", folder, "-cp", path]
        subprocess.run([*compiler, *map(str, sources)], check=True, capture_output=True, timeout=LONGEST_S)
        command = [
            "java",
            *OPEN,
            f"-Duser.home={folder}",  # where brokers write their logs
            *(LOCKS if "lock" in arguments else ()),
            "-cp",
            folder,
            "Clock",
            path,
            recorder,
            release,
            *map(str, arguments),
        ]
        return subprocess.run(command, check=True, capture_output=True, timeout=LONGEST_S).stdout


def _write(path: Path, text: bytes) -> None:
    path.write_bytes(gzip.compress(text, mtime=0))
    print(f"{path.name}: {len(text.splitlines())} cases", flush=True)


def main(jars: Path, golden: Path, releases: Sequence[str]) -> None:
    """Record each of the releases."""
    for release in releases:
        _write(golden / f"rules-{release}.jsonl.gz", _run(jars, release, "Recorder"))


def filters(jars: Path, golden: Path, release: str) -> None:
    """Record what the broker's filter of a release makes of SQL92 expressions."""
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder) / "questions"
        asked.write_text("\n".join(questions()) + "\n")
        _write(golden / "consumer" / f"sql-{release}.jsonl.gz", _run(jars, release, "RecorderFilters", asked))


def ask_again(jars: Path, golden: Path, release: str, older: str) -> None:
    """Record what a release answers to what an older one was asked."""
    for kind in ASKED_AGAIN:
        asked = golden / f"{kind}-{older}.jsonl.gz"
        _write(golden / f"{kind}-{release}.jsonl.gz", _run(jars, release, "RecorderCases", kind, asked))
    for kind, recorder in CONSUMERS_ASKED_AGAIN.items():
        for asked in sorted((golden / "consumer").glob(f"{kind}-{older}*.jsonl.gz")):
            found = _run(jars, release, recorder, kind, asked)
            _write(asked.with_name(asked.name.replace(older, release)), found)


def pop(jars: Path, golden: Path, releases: Sequence[str]) -> None:
    """Record what POP decides at the brokers of each release."""
    for release in releases:
        for kind in POP_KINDS:
            cases = _run(jars, release, "RecorderPop", kind, own="whole").splitlines()
            path, text = golden / "pop" / f"{kind}-{release}.json.gz", b"[\n" + b",\n".join(cases) + b"\n]\n"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(gzip.compress(text, mtime=0))
            print(f"{path.name}: {len(cases)} cases", flush=True)


if __name__ == "__main__":
    if sys.argv[3:4] == ["pop"]:
        pop(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[4:] or POP_RELEASES)
    elif sys.argv[4:5] == ["from"]:
        ask_again(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[5])
    elif sys.argv[4:5] == ["filters"]:
        filters(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
    else:
        main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] or RELEASES)
