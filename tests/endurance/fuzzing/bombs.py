"""Inputs that are made to take all memory or never to end."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import pyarrow as pa

from simulator.scenario import load_scenario
from simulator.scenario.reading.scenario_error import ScenarioError
from streaming.importing.csv_log.csv_shape import LINE
from streaming.importing.message_trace_format import RECORD
from streaming.kafka.intake.judging import judge
from tests.endurance.fuzzing.drawing import check_sentence
from tests.endurance.fuzzing.logs import imported
from tests.endurance.fuzzing.records import NAMES

MB = 1_000_000
LINE_MB = 100
SOUND = b"1795291200.5,shop,orders,broker-a,1.5,SEND_OK"


def long_line(folder: Path) -> str:
    """A CSV whose second line has 100 MB; the lines around it are used."""
    file = folder / "long.csv"
    with file.open("wb") as opened:
        opened.write(b"time,producer,topic,broker,latency_ms,outcome" + LINE + SOUND + LINE)
        for _ in range(LINE_MB):
            opened.write(b"x" * MB)
        opened.write(LINE + SOUND + LINE)
    found = imported("csv", file, LINE, folder / "long-csv")
    assert found == (2, 1, 0), f"{found} rows and rejects"
    return "2 rows, 1 reject"


def long_record(folder: Path) -> str:
    """A compressed message trace that is one record of 100 MB."""
    file = folder / "long.txt.gz"
    with gzip.open(file, "wb", compresslevel=1) as opened:
        opened.write(b"Pub\x01")
        for _ in range(LINE_MB):
            opened.write(b"1" * MB)
    found = imported("message-trace", file, RECORD, folder / "long-trace")
    assert found == (0, 1, 0), f"{found} rows and rejects"
    return "1 reject"


def large_records(_folder: Path) -> str:
    """Records of Kafka of 10 MB each, deep, long and with numbers of a million digits."""
    values = [
        b'{"v":' * (2 * MB), b"[" * (10 * MB), b'{"v": ' + b"9" * (10 * MB) + b"}", 
        b'{"v": 1, "run": "' + b"a" * (10 * MB) + b'"}',
        b'{"v":' * 10_000 + b"1" + b"}" * 10_000, b'{"v": ' + b"9" * 5_000 + b"}", json.dumps({"v": 1}).encode() * MB,
    ]  # fmt: skip
    judged = judge(pa.array(values, pa.binary()), NAMES)
    assert [number for number, _ in judged.rejected] == list(range(len(values)))
    for _, reason in judged.rejected:
        check_sentence(reason, "a large record")
    return f"{len(values)} refused"


def scenario_bombs(folder: Path, names: Collection[str] = ()) -> str:
    """Scenario files that grow when they are read, or are large, deep or of another kind; `names`: only those."""
    nine = [", ".join([f"*a{n - 1}"] * 9) for n in range(1, 12)]
    bombs = {
        "aliases": "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{all_}]\n" for n, all_ in enumerate(nine, 1)),
        "merges": "a0: &a0 {x: 1}\n" + "".join(f"a{n}: &a{n} {{<<: [{all_}]}}\n" for n, all_ in enumerate(nine, 1)),
        "itself": "a: &a [*a]\n",
        "deep list": "[" * 100_000,
        "deep mapping": "".join(" " * n + "a:\n" for n in range(1_500)),
        "deep flow": "{a: " * 100_000,
        "scalar": "name: " + "a" * (10 * MB),
        "digits": "seed: " + "9" * (10 * MB),
        "keys": "".join(f"k{n}: 1\n" for n in range(20_000)),
        "list": "faults: [" + "1, " * 20_000 + "1]",
        "comment": "#" * (10 * MB),
        "blank": "\n" * (10 * MB),
        "quotes": "name: '" + "''" * (4 * MB),
        "escapes": 'name: "' + "\\u0041" * MB + '"',
        "documents": "---\n" * 100_000,
        "counted": "name: a\nbrokers: {" + ", ".join(f"b{n}: {{count: 10000}}" for n in range(1_000)) + "}",
        "tabs": "\t" * MB,
        "question marks": "? " * 50_000,
        "dashes": "- " * 50_000,
        "anchors": "&a " * 100_000,
    }
    chosen = {name: text for name, text in bombs.items() if not names or name in names}
    for name, text in chosen.items():
        file = folder / "bomb.yaml"
        file.write_text(text)
        try:
            load_scenario(file)
        except ScenarioError as error:
            check_sentence(str(error), name)
        else:
            raise AssertionError(f"{name} is taken for a scenario")
    return f"{len(chosen)} refused"


BOMBS: Mapping[str, Callable[[Path], str]] = {
    "a line of 100 MB": long_line,
    "a compressed record of 100 MB": long_record,
    "large records of Kafka": large_records,
    "scenarios that grow": scenario_bombs,
}
