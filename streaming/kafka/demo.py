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
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.json as pj

from simulator.run.simulate import Result, simulate
from simulator.scenario import load_scenario
from state.tables import TABLES
from streaming.clock import virtual_time
from streaming.errors import EnvironmentProblem
from streaming.installation.conf_files import conf_folder
from streaming.kafka.brokers.kafka_cluster import all_in, reached
from streaming.kafka.brokers.kafka_login import Connection
from streaming.kafka.brokers.local_broker import LocalBroker
from streaming.kafka.kafka_demo_texts import KafkaDemoTexts
from streaming.kafka.output.decision_records import WRITTEN, RowsSeen, topic_of
from streaming.texts.kafka_texts import KafkaTexts

FOLDER = Path("out/kafka-demo")
LENGTH = "2m"
PACE = "4x"
EVENTS_A_BATCH = "10000"  # the broker is killed between two of several micro-batches, or in one
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
            say(KafkaDemoTexts.BROKER_LISTENS(bootstrap=broker.bootstrap))
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
    with ExitStack() as begun, ThreadPoolExecutor(1) as aside:
        serve = begun.enter_context(_begun("serve", str(FOLDER), "--port", "0"))
        publish = begun.enter_context(_begun("publish", str(scenario), "--for", LENGTH, *at, *events, *shuffled))
        say(KafkaDemoTexts.PUBLISHING(length=LENGTH, pace=PACE))
        _wait_for_topic(broker, f"{PREFIX}-events")
        take = ("--source", "kafka", *at, *events, "--max-events", EVENTS_A_BATCH)
        run = begun.enter_context(_begun("run", str(scenario), "--for", LENGTH, "--out", str(out), *take, *both))
        say(KafkaDemoTexts.RUNNING())
        page = _page(serve)
        say(KafkaDemoTexts.LOOK_AT(page=page))
        _wait_for_decisions(page, run)
        say(KafkaDemoTexts.BROKER_SHOT(shown=_shown(page)))
        broker.kill()
        time.sleep(DOWN_S)
        say(KafkaDemoTexts.BROKER_GONE(shown=_shown(page)))
        broker.start()
        say(KafkaDemoTexts.BROKER_BACK())
        direct = aside.submit(simulate, load_scenario(scenario, {"duration": LENGTH}))
        while run.poll() is None:
            say(_shown(page))
            with suppress(subprocess.TimeoutExpired):
                run.wait(PAGE_S)
        say(_shown(page))
        say(KafkaDemoTexts.ENDED(publish=publish.wait(), run=run.wait(), folder=FOLDER))
    with subprocess.Popen([*SENDLAB, "watch", PREFIX, *at, "--once"]):
        published, again = _read_once(broker)
    return _compare(direct.result(), out, published, again, say)


def _page(serve: subprocess.Popen[bytes]) -> str:
    """Address of the live page, once it says it."""
    log, until_s = FOLDER / "serve.log", time.monotonic() + PATIENCE_S
    while serve.poll() is None and time.monotonic() < until_s:
        if found := re.search(r"http://\S+", log.read_text()):
            return found[0]
        time.sleep(0.1)
    raise EnvironmentProblem(KafkaTexts.PAGE_NOT_STARTED(log=log))


def _jobs(page: str) -> list[dict[str, Any]]:
    """What the live page knows of jobs, as its script asks for it."""
    with urllib.request.urlopen(f"{page}jobs.json", timeout=PATIENCE_S) as answer:
        found: list[dict[str, Any]] = json.load(answer)
    return found


def _shown(page: str) -> str:
    """What the live page shows of the job."""
    jobs = _jobs(page)
    if not jobs:
        return KafkaDemoTexts.NO_JOB_YET()
    counts = {"sends": 0, "failures": 0} | jobs[0]["counts"]
    at = virtual_time(min(jobs[0]["clock_us"], jobs[0]["duration_us"]))
    return KafkaDemoTexts.JOB_SHOWN(state=jobs[0]["state"], at=at, messages=counts["sends"], failed=counts["failures"])


def _wait_for_topic(broker: LocalBroker, topic: str) -> None:
    with reached(Connection(broker.bootstrap)) as consumer:
        while topic not in consumer.topics():
            time.sleep(0.2)


def _wait_for_decisions(page: str, run: subprocess.Popen[bytes]) -> None:
    while run.poll() is None and not any(job["clock_us"] for job in _jobs(page)):
        time.sleep(0.2)


def _compare(direct: Result, out: Path, published: dict[str, pa.Table], again: Counter[str], say: Say) -> int:
    problems = 0
    for table in WRITTEN:
        wanted = _in_order(table, direct.tables[table])
        files = ds.dataset(out / table, partitioning=None).to_table()
        same = [_in_order(table, rows).equals(wanted) for rows in (files, published[table])]
        problems += same.count(False)
        files_are, topic_is = (
            KafkaDemoTexts.SAME_ROWS() if is_same else KafkaDemoTexts.OTHER_ROWS() for is_same in same
        )
        text = KafkaDemoTexts.COMPARED(rows=wanted.num_rows, files=files_are, topic=topic_is, twice=again[table])
        say(text.at(table))
    return 1 if problems else 0


def _in_order(table: str, rows: pa.Table) -> pa.Table:
    """The rows by their key, texts spelled out."""
    texts = [pa.string() if pa.types.is_dictionary(field.type) else field.type for field in rows.schema]
    plain = rows.cast(pa.schema(zip(rows.column_names, texts, strict=True)))
    return plain.sort_by([(name, "ascending") for name in TABLES[table].key])


def _read_once(broker: LocalBroker) -> tuple[dict[str, pa.Table], Counter[str]]:
    """The rows in the topic of each table, each once, and how many came again."""
    tables = {topic_of(PREFIX, table): table for table in WRITTEN}
    seen, again = RowsSeen(), Counter[str]()
    values: dict[str, list[bytes]] = {table: [] for table in WRITTEN}
    with reached(Connection(broker.bootstrap)) as consumer:
        for record in all_in(consumer, list(tables)):
            if seen.is_new(record.headers):
                values[tables[record.topic]].append(record.value)
            else:
                again[tables[record.topic]] += 1
    return {table: _rows_of(table, own) for table, own in values.items()}, again


def _rows_of(table: str, values: list[bytes]) -> pa.Table:
    """The rows that JSON objects spell; a field that the table does not have becomes a column."""
    own = [
        field.with_type(pa.string()) if pa.types.is_dictionary(field.type) else field for field in TABLES[table].schema
    ]
    parsing = pj.ParseOptions(explicit_schema=pa.schema(own), unexpected_field_behavior="infer")
    text = b"\n".join(values)
    rows = pj.read_json(pa.BufferReader(text), pj.ReadOptions(block_size=len(text) + 1), parsing)
    return rows.drop_columns(["v", "run"])


if __name__ == "__main__":
    sys.exit(main())
