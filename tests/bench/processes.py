"""Running the `sendlab` command as a user does, and watching its processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

import psutil

from tests.bench.measure import ROOT

STOP_S = 60.0
KIB = 1024
P, R = ParamSpec("P"), TypeVar("R")


def in_a_process(measure: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """What a function gives in a new process: where its memory lies changes a loop's figure by 10 %."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, *arguments, **named).result()


@contextmanager
def sendlab(arguments: Sequence[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A running `sendlab` command; it is asked to stop, then made to, if it still runs at the end."""
    command = [str(Path(sys.executable).with_name("sendlab")), *arguments]
    with log.open("ab") as output:
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output, start_new_session=True)
        try:
            yield process
        finally:
            if process.poll() is None:
                stop(process)


def as_set_up(tree: Path) -> None:
    """Compile the modules of a tree to bytecode, as `make setup` does: Python may be told not to write it."""
    folders = [str(tree / name) for name in ("simulator", "state", "streaming")]
    subprocess.run([sys.executable, "-m", "compileall", "-q", *folders], check=True, cwd=tree)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ask a command to stop as Ctrl-C does; kill it with its children if it does not."""
    own = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    process.send_signal(signal.SIGINT)
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        for member in own:
            if member.is_running():
                member.kill()
        process.wait(STOP_S)


def said(log: Path) -> str:
    """The last lines of a command's output."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-5:])


def memory_of(pid: int) -> dict[str, int]:
    """Bytes of a process and all below it, `jvm` and `python` apart; pages that several share count once."""
    found = {"jvm": 0, "python": 0}
    try:
        top = psutil.Process(pid)
        members = [top, *top.children(recursive=True)]
    except psutil.NoSuchProcess:
        return found
    for member in members:
        try:
            java = _runs_java(member)
            # What the JVM starts is a second view of the JVM's own memory until its program is loaded.
            if not (java and _runs_java(member.parent())):
                found["jvm" if java else "python"] += _proportional_set(member.pid)
        except (psutil.Error, OSError):
            continue  # ended meanwhile
    return found


def _runs_java(process: psutil.Process | None) -> bool:
    return process is not None and Path(process.exe()).name == "java"


def _proportional_set(pid: int) -> int:
    with open(f"/proc/{pid}/smaps_rollup", "rb", buffering=0) as rollup:
        for line in os.read(rollup.fileno(), 1 << 16).splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * KIB
    return 0
