"""`python -m tests.bench.one NAME [--quick]`: one measure in a process of its own, for `python -m tests.bench`.

Prints a line of JSON for each step ("step") and each figure ("entry").
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from tests.bench.measure import Context

MEASURES = Path(__file__).with_name("measures")


def _put(kind: str, value: object) -> None:
    print(json.dumps({kind: value}), flush=True)


def module_of(name: str) -> str:
    """The module of a measure, wherever it is below `measures`. Raises StopIteration if there is none."""
    paths = (path for suffix in ("/__init__.py", ".py") for path in MEASURES.rglob(f"{name}{suffix}"))
    place = next(paths).relative_to(MEASURES.parents[2])
    return ".".join(place.with_suffix("").parts).removesuffix(".__init__")


def main() -> None:
    """Measure what the arguments name."""
    name, *options = sys.argv[1:]
    measure = import_module(module_of(name)).measure
    with tempfile.TemporaryDirectory(prefix=f"sendlab-bench-{name}-", ignore_cleanup_errors=True) as folder:
        for entry in measure(Context("--quick" in options, Path(folder), lambda text: _put("step", text))):
            _put("entry", asdict(entry))


if __name__ == "__main__":
    main()
