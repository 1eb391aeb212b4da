"""How long short commands take: help, version, and the quickstart simulated without Spark, and that part by part."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from tests.bench.measure import ROOT, Context, Entry
from tests.bench.processes import as_set_up


def took_s(arguments: Sequence[str]) -> float:
    """Seconds of a `sendlab` command from its start to its end. Raises CalledProcessError if it fails."""
    began = perf_counter()
    command = [str(Path(sys.executable).with_name("sendlab")), *arguments]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return perf_counter() - began


def parts_s(arguments: Sequence[str]) -> dict[str, float]:
    """Seconds of each part of a run without Spark, Python's own start and end among them."""
    began = perf_counter()
    command = [sys.executable, "-m", "tests.bench.peers.command_parts", *arguments]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    whole, found = perf_counter() - began, json.loads(done.stdout.splitlines()[-1])
    return found | {"everything else": whole - sum(found.values())}


def measure(context: Context) -> Iterator[Entry]:
    """Medians, after one of each that is not counted."""
    as_set_up(ROOT)
    times = 1 if context.quick else 7
    out = context.scratch / "plain"
    plain = ["run", "conf/scenarios/quickstart.yaml", "--engine", "plain", "--fresh", "--out", str(out)]
    asked = (
        ("help_seconds", ["--help"]),
        ("version_seconds", ["--version"]),
        ("plain_quickstart_seconds", plain),
    )
    for name, arguments in asked:
        context.tell(f"sendlab {arguments[0]}")
        took_s(arguments)
        found = [took_s(arguments) for _ in range(times)]
        more: dict[str, Any] = {"seconds": [round(one, 3) for one in found]}
        if arguments is plain:
            context.tell("the same, part by part")
            taken = [parts_s(arguments) for _ in range(min(times, 3))]
            more["parts_s"] = {part: round(median(one[part] for one in taken), 2) for part in taken[0]}
        yield Entry(name, median(found), "s", f"{median(found):.2f} s", more=more)
