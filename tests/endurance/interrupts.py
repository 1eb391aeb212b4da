"""Ctrl-C in the first seconds of every command: at most one sentence, exit code 130, nothing running, nothing half.

    python -m tests.endurance.interrupts                          every command at 0.4, 1.5 and 4 s
    python -m tests.endurance.interrupts diff fork --at 1.5 6

The inputs are made by the first start, in OUT.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import psutil

from streaming.kafka.brokers.local_broker import LocalBroker
from tests.simulator.small import fault, text_of
from tests.streaming.lives import SENDLAB, no_stack_trace

TRACE = "conf/traces/live-4.9.8-s3"
LONGEST_WAIT_S = 60.0
MOMENTS_S = (0.4, 1.5, 4.0)
LEFT_OVER = (".part", ".unfinished", ".tmp")


def commands(at: Path, bootstrap: str) -> Mapping[str, tuple[object, ...]]:
    """Every command that takes longer than a moment, on the inputs in that folder; `OUT` is a new place of its own."""
    one, other, scenario, out = at / "one", at / "other", at / "one.yaml", "OUT"
    kafka = ("--bootstrap", bootstrap)
    return {
        "run": ("run", scenario, "--out", out),
        "plain": ("run", scenario, "--out", out, "--engine", "plain"),
        "report": ("report", one, "--out", f"{out}.html"),
        "state": ("state", one, "--parquet", f"{out}.parquet"),
        "advise": ("advise", scenario, "--seeds", 2, "--out", out),
        "whatif": ("whatif", "conf/experiments/release-under-a-hang.yaml", "--out", out),
        "diff": ("diff", one, other),
        "explain": ("explain", one, "--producer", 3, "--topic", "orders", "--seq", 20),
        "arms": ("replay", TRACE, "--arm", "client.release=5.3.3", "--out", out),
        "recordings": ("verify", "recordings", TRACE),
        "predictions": ("verify", "predictions", TRACE, "conf/scenarios/live/cluster.yaml"),
        "fork": ("fork", one, "--batch", 1, "--arm", "kill=b", "--for", "1m", "--out", out),
        "compact": ("compact", at / "copy"),
        "serve": ("serve", one, "--port", 0),
        "pairs": ("verify", "pairs", "--out", f"{out}.md"),
        "publish": ("publish", scenario, *kafka, "--pace", "1x"),
        "watch": ("watch", "sendlab-one", *kafka),
        "policy": ("policy", "check", at / "mine.py"),
        "calibrate": ("calibrate", TRACE, "--out", f"{out}.yaml"),
        "import": ("import", "message-trace", "conf/traces/pub-4.9.8-s3.txt.gz", "--out", out),
        "golden": ("verify", "golden", "tests/golden"),
        "incidents": ("verify", "incidents"),
        "published": ("verify", "published"),
    }


def _sendlab(*arguments: object) -> None:
    subprocess.run([SENDLAB, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def make_inputs(at: Path) -> None:
    """Two runs that differ in the release, and a policy; those that are there are kept."""
    at.mkdir(parents=True, exist_ok=True)
    for name, release in (("one", "4.9.8"), ("other", "5.3.3")):
        scenario = at / f"{name}.yaml"
        scenario.write_text(
            text_of(
                name="one", duration="60s", client={"release": release}, faults=[fault("hang", "9s", "11s")],
                producers={"count": 8, "threads": 2, "rate": "20/s"},
            )
        )  # fmt: skip
        _sendlab("run", scenario, "--out", at / name, "--max-events", 2000)
    if not (at / "mine.py").exists():
        _sendlab("policy", "new", at / "mine.py")


def _family(leader: int) -> list[psutil.Process]:
    """All that runs in the session that a process began, or descends from it."""
    found = []
    for process in psutil.process_iter():
        try:
            if os.getsid(process.pid) == leader and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (OSError, psutil.Error):
            continue
    return found


def struck(arguments: tuple[object, ...], after_s: float, at: Path) -> tuple[bool, str]:
    """Start a command, interrupt it, look at what is left: whether all is well, and what was seen."""
    place = at / "struck"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(at / "one", at / "copy", dirs_exist_ok=True)
    place.mkdir()
    words = [str(argument).replace("OUT", str(place / "out")) for argument in arguments]
    process = subprocess.Popen(
        [SENDLAB, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    time.sleep(after_s)
    ended = process.poll() is not None
    os.killpg(process.pid, signal.SIGINT) if not ended else None
    began = time.monotonic()
    try:
        out, said = process.communicate(timeout=LONGEST_WAIT_S)
        took_s = time.monotonic() - began
    except subprocess.TimeoutExpired:
        process.kill()
        out, said, took_s = *process.communicate(), LONGEST_WAIT_S
    time.sleep(0.5)
    left = _family(process.pid)
    for one in left:
        one.kill()
    halves = [str(path.relative_to(place)) for path in place.rglob("*") if path.name.endswith(LEFT_OVER)]
    sentences = [line for line in said.splitlines() if line.strip()]
    well = [ended or process.returncode == 130, no_stack_trace(out + said), not left, not halves, len(sentences) <= 1]
    seen = f"{process.returncode} in {took_s:.1f} s{', had ended' if ended else ''}"
    seen += f": {' | '.join(sentences)[:600]}" if sentences else ""
    seen += f"; left {[' '.join(one.name() for one in left)]}" if left else ""
    seen += f"; half {halves}" if halves else ""
    return all(well), seen


def main() -> None:
    """Strike every command at every moment; exit code 1 if one did not end as it should."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--at", type=float, nargs="+", default=MOMENTS_S)
    parser.add_argument("--out", type=Path, default=Path("out/interrupts"))
    asked = parser.parse_args()
    make_inputs(asked.out)
    bad = 0
    with LocalBroker(asked.out / "kafka") as broker:
        known = commands(asked.out, broker.bootstrap)
        for name in asked.names or known:
            for after_s in asked.at:
                well, seen = struck(known[name], after_s, asked.out)
                bad += not well
                print(f"{'' if well else 'WRONG '}{name} after {after_s:g} s: {seen}", flush=True)
    sys.exit(f"{bad} did not end as they should" if bad else 0)


if __name__ == "__main__":
    main()
