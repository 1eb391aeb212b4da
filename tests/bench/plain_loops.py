"""The bare event loop in a process for each core, all at once: what the machine itself gives."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

LOOP = """
import sys
from simulator.plan.compile import compile_scenario
from simulator.scenario import parse_scenario
from tests.bench.measures.loop.event_loop import loop_sends_per_s
times, *tables = sys.argv[1:]
plan = compile_scenario(parse_scenario(sys.stdin.readline().encode().decode("unicode_escape")))
loop_sends_per_s(plan, tables)
print("ready", flush=True)
sys.stdin.readline()
found = [loop_sends_per_s(plan, tables)[0] for _ in range(int(times))]
print(len(found) / sum(1 / one for one in found))
"""


def plain_loops(processes: int, text: str, times: int, tables: Sequence[str] = ("windows",)) -> float:
    """Sends a second of so many processes together, each with the scenario that often, with the workload's generation.

    They begin at the same moment, after a run that is not counted; `tables` are put out.
    """
    command, pipe = [sys.executable, "-c", LOOP, str(times), *tables], subprocess.PIPE
    running = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(processes)]
    for process in running:
        _say(process, text.encode("unicode_escape").decode())
    for process in running:
        _heard(process)
    for process in running:
        _say(process, "go")
    found = sum(float(_heard(process)) for process in running)
    for process in running:
        process.communicate()
    return found


def _say(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def _heard(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"a process of the bare loop ended with {process.wait()}")
    return line
