"""The model itself reads and writes nothing: files are read where scenarios are loaded, and compiled code is kept."""

from __future__ import annotations

import ast

from tests.house.tree import ROOT, tree_of

CALLS = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "glob", "rglob", "unlink", "mkdir"}
# Whoever starts a run from a file, and the cache of compiled code.
READERS = {
    "scenario/loading/scenario_file.py",
    "scenario/policy/own_policy.py",
    "proof/incidents/incident_file.py",
    "experiments/experiment_file.py",
    "hunt/hunt_file.py",
    "proof/hunted_incidents.py",
}
# What a notebook shows has its template in a file.
TEMPLATES = {"run/views/notebook_view.py"}
COMPILED = {"warm.py", "compiled/cache.py", "compiled/jit.py", "compiled/records.py"}


def file_calls(source: str) -> set[str]:
    """Names of calls that reach the file system."""
    calls = [node.func for node in ast.walk(tree_of(source)) if isinstance(node, ast.Call)]
    names = {call.id if isinstance(call, ast.Name) else getattr(call, "attr", "") for call in calls}
    return names & CALLS


def test_only_the_loader_and_the_cache_reach_files():
    model = ROOT / "simulator"
    found = {str(path.relative_to(model)) for path in model.rglob("*.py") if file_calls(path.read_text("utf-8"))}
    assert found <= READERS | TEMPLATES | COMPILED
    assert "scenario/loading/scenario_file.py" in found


def test_a_file_that_opens_another_is_seen():
    assert file_calls("with path.open() as file:\n    pass") == {"open"}
