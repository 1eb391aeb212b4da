"""Prints which functions of the model a run of the scenario on standard input calls, as JSON: `file:function` each.

Rules must not be compiled for this (NUMBA_DISABLE_JIT=1).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from simulator.run.simulate import simulate
from simulator.scenario import parse_scenario

HERE = Path("simulator").resolve()


def called(text: str) -> set[str]:
    """Functions of the model that a run calls, by file and name."""
    found, scenario = set[tuple[str, str]](), parse_scenario(text)

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            found.add((frame.f_code.co_filename, frame.f_code.co_name))

    sys.setprofile(note)
    simulate(scenario)
    sys.setprofile(None)
    own = [(Path(file), name) for file, name in found if Path(file).is_relative_to(HERE)]
    return {f"{file.relative_to(HERE)}:{name}" for file, name in own if not name.startswith("<")}


if __name__ == "__main__":
    print(json.dumps(sorted(called(sys.stdin.read()))))
