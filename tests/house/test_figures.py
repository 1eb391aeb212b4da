"""What is counted of the house stays at nothing; `python -m tests.house.figures -v` lists what is counted."""

from __future__ import annotations

import pytest

from tests.house import figures

NOTHING = (
    figures.anonymous_subscripts,
    figures.untyped_parameters,
    figures.long_signatures,
    figures.long_imports,
    figures.circles,
    figures.full_folders,
    figures.repeated_modules,
    figures.repeated_classes,
)
COMPILED = """
from simulator.engine.names import a, b, c, d, e, f, g, h, i, j, k, l, n

@rule(inlined=True)
def step(c: Any, sends: Region, now_us, v: int, w: int, x: int, y: int) -> Any:
    c[0] = sends[v].state + sends[v + STATE]
    return sends[v + 1]

def built(m: np.ndarray) -> int:
    return m[3]
"""


@pytest.mark.parametrize("count", NOTHING, ids=lambda count: count.__name__)
def test_the_house_holds_none(count):
    assert count() == []


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A small house in which everything is wrong."""
    files = {
        "simulator/engine/loop.py": COMPILED,
        "streaming/loop.py": "class Cell: ...\ndef f():\n    from streaming import api\n",
        "streaming/api.py": "import streaming.loop\nclass Cell: ...\n",
    } | {f"state/m{n}.py": "" for n in range(16)}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(figures, "ROOT", tmp_path)


@pytest.mark.parametrize(
    ("count", "found"),
    [
        (figures.anonymous_subscripts, ["c[0]", "sends[v + STATE]"]),
        (figures.untyped_parameters, ["step(c)", "step(now_us)"]),
        (figures.long_signatures, ["step has 7"]),
        (figures.long_imports, ["13 names of simulator.engine.names"]),
        (figures.circles, ["streaming.api <-> streaming.loop"]),
        (figures.full_folders, ["state: 16"]),
        (figures.repeated_modules, ["simulator/engine/loop.py = streaming/loop.py"]),
        (figures.repeated_classes, ["streaming/api.py:2 Cell = streaming/loop.py:1 Cell"]),
    ],
)
def test_what_is_wrong_is_counted(house, count, found):
    assert [line.partition(".py:")[2].partition(": ")[2] or line for line in count()] == found or count() == found
