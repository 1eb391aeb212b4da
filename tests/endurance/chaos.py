"""A job that is killed again and again at random moments ends with the rows of one that nobody disturbed.

    make chaos                                          100 kills; the same command goes on where it was stopped
    python -m tests.endurance.chaos --kills 5 --seed 2
    python -m tests.endurance.chaos --source kafka      the events come from a topic, shuffled and some twice

Whom a kill strikes (Python, the JVM, both, the Python workers, with --source kafka the broker) and when follows from
the seed and its number. A job that ends before it is struck is compared and begun anew.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario
from streaming.kafka.brokers.local_broker import LocalBroker
from tests.simulator.hashed import hashes_of
from tests.simulator.small import fault, text_of
from tests.streaming.lives import SENDLAB, Life, hashes_by_duckdb

SCENARIO = text_of(
    name="chaos",
    duration="10m",
    cells=2,
    producers={"count": 16, "threads": 2, "rate": "30/s", "arrivals": "poisson"},
    faults=[fault("hang", "30s", "20s"), fault("refuse", "3m", "10s", "a"), fault("slow", "5m", "1m", "c", factor=40)],
)
LONGEST_S = 40.0
PATIENCE_S = 3_600.0  # for the job that nobody strikes any more
# Whom a kill strikes, by a word of the command lines of the job's children: Spark names the module that a worker runs.
STRUCK = {"python": (), "jvm": ("java",), "both": ("java",), "workers": ("pyspark.",)}
WITH_KAFKA = {**STRUCK, "kafka": ()}
DOWN_S = 3.0


def strike(life: Life, target: str, broker: LocalBroker | None) -> None:
    """SIGKILL to a part of a running job; a broker comes back after a while."""
    if target == "kafka" and broker is not None:
        broker.kill()
        time.sleep(DOWN_S)
        broker.start()
    for word in WITH_KAFKA[target]:
        for process in life.family(word):
            with suppress(psutil.NoSuchProcess):
                process.kill()
    if target in ("python", "both"):
        life.kill(jvm=False)


def lived(life: Life, seconds: float) -> bool:
    """Whether the job still runs after so long."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and not life.ended:
        time.sleep(0.05)
    return not life.ended


def compared(out: Path, expected: dict[str, str]) -> None:
    """Exit with 1 unless the finished job has the rows that it is to have."""
    found = hashes_by_duckdb(out)
    if found != expected:
        wrong = [name for name in expected if found[name] != expected[name]]
        sys.exit(f"{out}: other rows than undisturbed in {', '.join(wrong)}")
    print(f"{out}: the rows of an undisturbed run", flush=True)


@contextmanager
def topic(scenario: Path, folder: Path) -> Iterator[LocalBroker]:
    """A broker with a topic that holds the events of a scenario, out of order and some twice."""
    shutil.rmtree(folder, ignore_errors=True)
    with LocalBroker(folder) as broker:
        disorder = ("--shuffle", "5s", "--duplicates", "1%")
        words = ("publish", scenario, "--bootstrap", broker.bootstrap, "--topic", "chaos", *disorder)
        subprocess.run([SENDLAB, *map(str, words)], check=True, stdout=subprocess.DEVNULL)
        yield broker


def main() -> None:
    """Kill, compare, and tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--source", choices=("synthetic", "kafka"), default="synthetic")
    parser.add_argument("--longest", type=float, default=LONGEST_S, help="seconds of a life, for a slow machine more")
    parser.add_argument("--out", type=Path, help="default out/chaos-SOURCE")
    asked = parser.parse_args()
    asked.out = asked.out or Path(f"out/chaos-{asked.source}")
    asked.out.mkdir(parents=True, exist_ok=True)
    note, scenario = asked.out / "chaos.json", asked.out / "chaos.yaml"
    scenario.write_text(SCENARIO)
    done = json.loads(note.read_text()) if note.exists() else {"kills": 0, "jobs": 0}
    expected = hashes_of(simulate(parse_scenario(SCENARIO)).tables)
    out = asked.out / "job"
    with ExitStack() as stack:
        broker = None
        if asked.source == "kafka":
            shutil.rmtree(out, ignore_errors=True)  # its offsets are those of a broker that is gone
            broker = stack.enter_context(topic(scenario, asked.out / "kafka"))
        _kill_and_compare(asked, done, expected, broker)
    print(f"{done['kills']} kills, {done['jobs']} jobs, every row there once")


def _kill_and_compare(
    asked: argparse.Namespace, done: dict[str, int], expected: dict[str, str], broker: LocalBroker | None
) -> None:
    note, scenario, out = asked.out / "chaos.json", asked.out / "chaos.yaml", asked.out / "job"
    words = ("run", scenario, "--out", out, "--max-events", 6000)
    if broker is not None:
        words = (*words, "--source", "kafka", "--bootstrap", broker.bootstrap, "--topic", "chaos")
    while True:
        life = Life(asked.out / "job.log", *words, PYTHONPATH=".")
        try:
            drawn = random.Random(f"{asked.seed} {done['kills']}")
            target = drawn.choice(list(STRUCK if broker is None else WITH_KAFKA))
            after_s = drawn.uniform(0, asked.longest)
            if done["kills"] < asked.kills and lived(life, after_s):
                strike(life, target, broker)
                lived(life, 10)  # one whose workers are gone goes on; one whose JVM is gone ends by itself
                done["kills"] += 1
                print(f"kill {done['kills']} of {asked.kills}: {target} after {after_s:.1f} s", flush=True)
            code = life.wait(PATIENCE_S) if done["kills"] >= asked.kills or life.ended else None
        finally:
            life.end()
        if code == 0:
            compared(out, expected)
            shutil.rmtree(out)
            done["jobs"] += 1
        note.write_text(json.dumps(done))
        if code == 0 and done["kills"] >= asked.kills:
            break


if __name__ == "__main__":
    main()
