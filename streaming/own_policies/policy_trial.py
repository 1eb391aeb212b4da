"""Whether a policy file keeps to what it must, tried in a process of its own that can be ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from simulator.compiled.cache import ROOT
from streaming.texts.command_texts import CommandTexts

PATIENCE_S = 30.0  # for any one step; compiling is the longest


@dataclass(frozen=True)
class Tried:
    """What came out: the parts of a file that is fine, or the sentence about one that is not."""

    parts: str = ""
    problem: str | None = None


def tried(path: Path, patience_s: float = PATIENCE_S) -> Tried:
    """Try a policy file, every index of memory checked. A step that does not end within `patience_s` is reported."""
    command = [sys.executable, "-m", "streaming.own_policies.trial_process", str(path.resolve())]
    paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "SENDLAB_CHECKED": "1", "PYTHONPATH": paths}
    environment.pop("NUMBA_DISABLE_JIT", None)  # whoever asks may do without; whether it compiles is half the question
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    last: dict[str, str] = {"doing": CommandTexts.POLICY_STARTS()}
    given_up = threading.Event()

    def give_up() -> None:
        given_up.set()
        process.kill()

    watch = threading.Timer(patience_s, give_up)
    watch.start()
    try:
        for said in _lines(process):
            last = said
            watch.cancel()
            watch = threading.Timer(patience_s, give_up)
            watch.start()
        errors = process.stderr.read() if process.stderr is not None else ""
    finally:
        watch.cancel()
        process.kill()
        process.wait()
    if given_up.is_set():
        text = CommandTexts.POLICY_LOOPS(doing=last.get("doing", "it"), patience_s=patience_s)
        return Tried(problem=text.at(path.name))
    if "parts" in last:
        return Tried(parts=last["parts"])
    return Tried(problem=last.get("found") or f"{path.name}: {(errors.strip().splitlines() or ['it ended'])[-1]}")


def _lines(process: subprocess.Popen[str]) -> Iterator[dict[str, str]]:
    for line in process.stdout or ():
        if line.startswith("{"):
            yield json.loads(line)
