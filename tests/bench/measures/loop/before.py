"""The event loop, its compilation and event mode against an earlier commit, in the same run."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median

from tests.bench.cluster import cluster_text
from tests.bench.measure import ROOT, Context, Entry, interleaved, median_ratio
from tests.bench.peers.side import TABLES
from tests.bench.processes import as_set_up

COMMIT = "98d0dcd"  # one record for each sender thread, requests settled when they are asked
SIDE = ROOT / "tests" / "bench" / "peers" / "side.py"
CELLS = (2, 1)


@dataclass(frozen=True)
class Side:
    """A tree, where its Cell, compile_text and arrivals are, its benchmark of event mode, and its compiled code."""

    tree: Path
    modules: str
    event_bench: str
    cache: Path

    def compiled(self, number: int) -> Side:
        """The same tree with a cache of its own."""
        return replace(self, cache=self.cache.with_name(f"{self.cache.name}-{number}"))

    def command(self, what: str, scenario: Path) -> list[str]:
        """How `side.py` is run."""
        return [sys.executable, str(SIDE), what, str(scenario), self.modules]

    @property
    def environment(self) -> dict[str, str]:
        """With this tree on the path and its own cache."""
        return {**os.environ, "PYTHONPATH": str(self.tree), "NUMBA_CACHE_DIR": str(self.cache), "PYTHONSAFEPATH": "1"}

    def cpu_until_ready_s(self, scenario: Path) -> float:
        """Seconds of CPU from the start of a process until the loop has run."""
        command = self.command("ready", scenario)
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, cwd=self.tree, check=True)
        return float(done.stdout)

    def ns_a_send(self, scenario: Path, tables: str) -> float:
        """Nanoseconds of CPU a send, in a process of its own: where its memory lies changes the figure by 10 %."""
        with self._asked(self.command("loop", scenario)) as process:
            ask(process, tables)
            return ask(process, tables)

    @contextmanager
    def event_mode(self, folder: Path, attempts: int, batches: int) -> Iterator[subprocess.Popen[str]]:
        """A process that measures the job from its source to Parquet, see `ask`."""
        command = [sys.executable, str(SIDE), "event", str(folder), f"{self.event_bench},{attempts},{batches}"]
        with self._asked(command) as process:
            yield process

    @contextmanager
    def _asked(self, command: list[str]) -> Iterator[subprocess.Popen[str]]:
        pipe = subprocess.PIPE
        with subprocess.Popen(
            command, env=self.environment, stdin=pipe, stdout=pipe, text=True, cwd=self.tree
        ) as process:
            yield process
            assert process.stdin is not None
            process.stdin.close()


def ask(process: subprocess.Popen[str], line: str) -> float:
    """What it answers: nanoseconds of CPU a send with these tables, or attempts a second with so many cells."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def is_in_history(commit: str) -> bool:
    """Whether this clone has a commit; one with the newest commits only may not."""
    return subprocess.run(["git", "-C", str(ROOT), "cat-file", "-e", commit], check=False).returncode == 0


@contextmanager
def earlier_tree(scratch: Path) -> Iterator[Path]:
    """A work tree of COMMIT for as long as it is needed. Raises CalledProcessError where the history is not there."""
    tree = scratch / "before"
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--quiet", "--detach", str(tree), COMMIT], check=True)
    try:
        yield tree
    finally:
        subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def _sides(tree: Path, scratch: Path) -> tuple[Side, Side]:
    modules = "simulator.run.cell,simulator.plan.compile,simulator.workload"
    now, then = "tests.bench.measures.job.event_mode", "tests.bench.measures.event_mode"
    return Side(ROOT, modules, now, scratch / "compiled-now"), Side(tree, modules, then, scratch / "compiled-before")


def measure(context: Context) -> Iterator[Entry]:
    """Ratios of CPU time: cold compile, warm start, the loop; and of what event mode writes a second."""
    seconds, repetitions, compiles = (2.0, 1, 1) if context.quick else (60.0, 9, 2)
    scenario = context.scratch / "before.yaml"
    scenario.write_text(cluster_text(seconds))
    with earlier_tree(context.scratch) as tree, ExitStack() as stack:
        now, then = _sides(tree, context.scratch)
        for side in (now, then):
            as_set_up(side.tree)
        yield from _readiness(context, (now, then), scenario, compiles)
        warm = (now.compiled(0), then.compiled(0))
        for tables in TABLES:
            context.tell(f"the loop, {tables}")
            sides = [partial(side.ns_a_send, scenario, tables) for side in warm]
            mine, theirs = interleaved(repetitions, *sides)
            yield Entry(
                f"event_loop_vs_before_{tables}", median_ratio(theirs, mine), "x",
                ours=f"{median(mine):.0f} ns of CPU a send", peer=f"{median(theirs):.0f} ns ({COMMIT})",
                more={"repetitions": repetitions},
            )  # fmt: skip
        yield from _event_mode(context, warm, stack)


def _event_mode(context: Context, sides: tuple[Side, Side], stack: ExitStack) -> Iterator[Entry]:
    attempts, batches, repetitions = (100_000, 1, 1) if context.quick else (1_000_000, 2, 3)
    folders = (context.scratch / "event-now", context.scratch / "event-before")
    processes = [
        stack.enter_context(side.event_mode(folder, attempts, batches))
        for side, folder in zip(sides, folders, strict=True)
    ]
    for cells in CELLS:
        context.tell(f"event mode to Parquet, {cells} cells")
        turns = [partial(ask, process, str(cells)) for process in processes]
        interleaved(1, *turns)
        mine, theirs = interleaved(repetitions, *turns)
        yield Entry(
            f"event_mode_vs_before_{cells}_cells", median_ratio(mine, theirs), "x",
            ours=f"{median(mine) / 1e6:.2f} M attempts/s", peer=f"{median(theirs) / 1e6:.2f} M attempts/s ({COMMIT})",
            more={"attempts_a_batch": attempts, "repetitions": repetitions},
        )  # fmt: skip


def _readiness(context: Context, sides: tuple[Side, Side], scenario: Path, times: int) -> Iterator[Entry]:
    cold: tuple[list[float], list[float]] = ([], [])
    for number in range(times):
        for side, found in zip(sides, cold, strict=True):
            context.tell(f"compile {side.tree.name}")
            found.append(side.compiled(number).cpu_until_ready_s(scenario))
    yield Entry(
        "cold_compile", median_ratio(*cold), "x",
        ours=f"{median(cold[0]):.1f} s of CPU", peer=f"{median(cold[1]):.1f} s ({COMMIT})",
    )  # fmt: skip
    yield Entry("cold_compile_cpu", median(cold[0]), "s", f"{median(cold[0]):.1f} s of CPU")
    context.tell("start with the code on disk")
    warm = interleaved(3 * times, *(partial(side.compiled(0).cpu_until_ready_s, scenario) for side in sides))
    yield Entry(
        "warm_start", median_ratio(*warm), "x",
        ours=f"{median(warm[0]):.2f} s of CPU", peer=f"{median(warm[1]):.2f} s ({COMMIT})",
    )  # fmt: skip
