"""Kafka at both ends, with a broker of its own: publish -> topic -> job -> topics -> watch, and a kill on the way.

`make kafka-demo`. The scenario is the quickstart's first two minutes; the broker is killed while the job runs, and the
live page shows the job meanwhile, for a browser and, in a line each time, here.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds

from simulator.run.simulate import simulate
from simulator.scenario import load_scenario
from state.tables import TABLES
from streaming.conf_files import conf_folder
from streaming.errors import EnvironmentProblem
from streaming.job.live_line import virtual_time
from streaming.kafka.brokers.kafka_cluster import all_in, reached
from streaming.kafka.brokers.kafka_login import Connection
from streaming.kafka.brokers.local_broker import LocalBroker
from streaming.kafka.output.decision_records import WRITTEN, RowsSeen, topic_of

FOLDER = Path("out/kafka-demo")
LENGTH = "2m"
PACE = "4x"
PREFIX = "sendlab-demo"
SENDLAB = (sys.executable, "-c", "from streaming.entry import main; main()")
DOWN_S = 3.0
PAGE_S = 5.0  # between two looks at the live page
PATIENCE_S = 60.0

Say = Callable[[str], None]


def main() -> int:
    """Show it; 1 if a row is missing or came to be another."""
    began = time.monotonic()

    def say(text: str) -> None:
        print(f"{time.monotonic() - began:5.0f} s  {text}", flush=True)

    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    scenario = conf_folder() / "scenarios" / "quickstart.yaml"
    try:
        with LocalBroker(FOLDER / "broker") as broker:
            say(f"a Kafka broker listens on {broker.bootstrap}")
            return _show(broker, scenario, say)
    except EnvironmentProblem as problem:
        print(problem, file=sys.stderr)
        return 3


@contextmanager
def _begun(command: str, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    with (FOLDER / f"{command}.log").open("w") as log:
        process = subprocess.Popen([*SENDLAB, command, *arguments], stdout=log, stderr=subprocess.STDOUT)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()


def _show(broker: LocalBroker, scenario: Path, say: Say) -> int:
    at = ("--bootstrap", broker.bootstrap)
    events = ("--topic", f"{PREFIX}-events")
    both = ("--sink", "parquet", "--sink", "kafka", "--topic-prefix", PREFIX)
    shuffled = ("--pace", PACE, "--shuffle", "5s", "--duplicates", "1%")
    out = FOLDER / "out"
    with ExitStack() as begun:
        serve = begun.enter_context(_begun("serve", str(FOLDER), "--port", "0"))
        publish = begun.enter_context(_begun("publish", str(scenario), "--for", LENGTH, *at, *events, *shuffled))
        say(f"sendlab publish: {LENGTH} of virtual time at {PACE}, shuffled within 5 s, 1 % of the records twice")
        _wait_for_topic(broker, f"{PREFIX}-events")
        take = ("--source", "kafka", *at, *events)
        run = begun.enter_context(_begun("run", str(scenario), "--for", LENGTH, "--out", str(out), *take, *both))
        say("sendlab run --source kafka --sink parquet --sink kafka: the job begins")
        page = _page(serve)
        say(f"sendlab serve: look at {page} while the job runs")
        _wait_for_rows(out, run)
        say(f"first decisions; {_shown(page)}; killing the broker with SIGKILL")
        broker.kill()
        time.sleep(DOWN_S)
        say(f"no broker; {_shown(page)}")
        broker.start()
        say("the broker is back")
        while run.poll() is None:
            say(_shown(page))
            with suppress(subprocess.TimeoutExpired):
                run.wait(PAGE_S)
        say(_shown(page))
        say(f"publish ended with {publish.wait()}, the job with {run.wait()}: their words are in {FOLDER}/*.log")
    subprocess.run([*SENDLAB, "watch", PREFIX, *at, "--once"], check=False)
    return _compare(broker, scenario, out, say)


def _page(serve: subprocess.Popen[bytes]) -> str:
    """Address of the live page, once it says it."""
    log, until_s = FOLDER / "serve.log", time.monotonic() + PATIENCE_S
    while serve.poll() is None and time.monotonic() < until_s:
        if found := re.search(r"http://\S+", log.read_text()):
            return found[0]
        time.sleep(0.1)
    raise EnvironmentProblem(f"the live page did not begin; its log is {log}")


def _shown(page: str) -> str:
    """What the live page shows of the job, as its script asks for it."""
    with urllib.request.urlopen(f"{page}jobs.json", timeout=PATIENCE_S) as answer:
        jobs = json.load(answer)
    if not jobs:
        return "the page shows no job yet"
    counts = {"sends": 0, "failures": 0} | jobs[0]["counts"]
    at = virtual_time(min(jobs[0]["clock_us"], jobs[0]["duration_us"]))
    told = f"the page shows it {jobs[0]['state']}, at {at}"
    return f"{told}: {counts['sends']:,} sends, {counts['failures']:,} failed"


def _wait_for_topic(broker: LocalBroker, topic: str) -> None:
    with reached(Connection(broker.bootstrap)) as consumer:
        while topic not in consumer.topics():
            time.sleep(0.2)


def _wait_for_rows(out: Path, run: subprocess.Popen[bytes]) -> None:
    while run.poll() is None and not list(out.glob("attempts/run=*/b*.parquet")):
        time.sleep(0.2)


def _compare(broker: LocalBroker, scenario: Path, out: Path, say: Say) -> int:
    direct = simulate(load_scenario(scenario, {"duration": LENGTH}))
    problems = 0
    for table in WRITTEN:
        wanted = _in_order(table, direct.tables[table].to_pylist())
        files = _in_order(table, ds.dataset(out / table, partitioning=None).to_table().to_pylist())
        published, again = _read_once(broker, table)
        same = files == wanted, _in_order(table, published) == wanted
        problems += same.count(False)
        told = ["the same rows" if is_same else "OTHER ROWS" for is_same in same]
        say(f"{table}: {len(wanted):,} rows without Kafka; in files {told[0]}, in its topic {told[1]}, {again:,} twice")
    return 1 if problems else 0


def _in_order(table: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: tuple(row[name] for name in TABLES[table].key))


def _read_once(broker: LocalBroker, table: str) -> tuple[list[dict[str, Any]], int]:
    """The rows in the topic of a table, each once, and how many came again."""
    seen, rows, again = RowsSeen(), [], 0
    with reached(Connection(broker.bootstrap)) as consumer:
        for record in all_in(consumer, [topic_of(PREFIX, table)]):
            if seen.is_new(record.headers):
                said = json.loads(record.value)
                rows.append({name: value for name, value in said.items() if name not in ("v", "run")})
            else:
                again += 1
    return rows, again


if __name__ == "__main__":
    sys.exit(main())
