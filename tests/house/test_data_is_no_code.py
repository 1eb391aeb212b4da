"""What users give is data: nothing is unpickled or evaluated, but for the functions that a scenario names as code."""

from __future__ import annotations

import re
from pathlib import Path

from tests.house.tree import files, text

RUNS_CODE = re.compile(
    r"\b(?:pickle|cloudpickle|dill|marshal|shelve)\b\.|\b(?:eval|exec)\(|yaml\.(?:unsafe_|full_)?load\("
)
# paths: the user's own functions and policies are code, and SECURITY.md says so
ALLOWED = {"simulator/scenario/policy/own_function.py", "simulator/scenario/policy/own_policy.py"}


def test_nothing_is_unpickled_or_evaluated():
    rooms = {"simulator", "state", "streaming"}
    sources = [path for path in files() if path.suffix == ".py" and path.parts[0] in rooms]
    found = {str(path) for path in sources if RUNS_CODE.search(text(Path(path)) or "")}
    assert len(sources) > 300
    assert found == ALLOWED
