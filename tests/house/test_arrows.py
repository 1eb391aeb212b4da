"""Arrows between the rooms run one way: streaming -> simulator -> state."""

from __future__ import annotations

import pytest

from tests.house.tree import ROOT, imported, imports

FORBIDDEN = {
    "state": {"simulator", "streaming", "tests"},
    "simulator": {"streaming", "pyspark", "pandas", "tests"},
    "streaming": {"tests"},
}


@pytest.mark.parametrize("room", FORBIDDEN)
def test_arrows_between_rooms(room):
    paths = [file.relative_to(ROOT) for file in sorted((ROOT / room).rglob("*.py"))]
    wrong = {str(path): imports(path) & FORBIDDEN[room] for path in paths}
    assert paths
    assert {path: sorted(found) for path, found in wrong.items() if found} == {}


# Of rooms inside the model: each may import those before it, none behind it, as docs/architecture.md says.
ORDERS = {
    "simulator/engine": ("memory", "shared", "broker", "routes", "network", "senders", "sending"),
    "simulator": (
        *(
            "compiled",
            "client",
            "policies",
            "engine",
            "consumer",
            "scenario",
            "plan",
            "run",
            "causes",
            "replay",
            "explain",
        ),
        *("fit", "calibrate", "experiments", "advice", "incidents", "counterfactual"),
    ),
}


@pytest.mark.parametrize("house", ORDERS)
def test_rooms_inside_the_model_import_one_way(house):
    order, wrong = ORDERS[house], {}
    for number, room in enumerate(order):
        behind = {f"{house}/{later}".replace("/", ".") for later in order[number + 1 :]}
        for file in sorted((ROOT / house / room).rglob("*.py")):
            path = file.relative_to(ROOT)
            found = {name for name in imported(path) for later in behind if f"{name}.".startswith(f"{later}.")}
            if found:
                wrong[str(path)] = sorted(found)
    assert wrong == {}


@pytest.mark.parametrize("house", ORDERS)
def test_every_room_has_its_place(house):
    rooms = {path.name for path in (ROOT / house).iterdir() if (path / "__init__.py").is_file()}
    assert rooms == set(ORDERS[house])


def test_no_file_of_the_model_imports_itself_through_others():
    files = {str(path.relative_to(ROOT)): path.relative_to(ROOT) for path in (ROOT / "simulator").rglob("*.py")}
    names = {name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for name, path in files.items()}
    left = {name: imported(path) & set(names) - {name} for name, path in names.items()}
    while ends := {name for name, found in left.items() if not found & set(left)}:
        left = {name: found for name, found in left.items() if name not in ends}
    assert sorted(left) == []


def test_no_room_of_the_engine_imports_the_files_above_the_rooms():
    above = {f"simulator.engine.{path.stem}" for path in (ROOT / "simulator/engine").glob("[a-z]*.py")}
    files = [path.relative_to(ROOT) for path in sorted((ROOT / "simulator/engine").rglob("*/*.py"))]
    assert above
    assert {str(path): sorted(imported(path) & above) for path in files if imported(path) & above} == {}


def test_an_import_inside_a_function_is_seen(tmp_path):
    file = tmp_path / "module.py"
    file.write_text("def f():\n    import pandas.api\n    from pyspark.sql import types\n")
    assert imports(file) == {"pandas", "pyspark"}
