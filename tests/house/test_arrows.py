"""Arrows between the rooms run one way: streaming -> simulator -> state."""

from __future__ import annotations

import re
from pathlib import Path

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
    "simulator/engine": ("memory", "shared", "broker", "routes", "network", "proxies", "senders", "sending"),
    "simulator/consumer": (
        *("allocation", "rules", "sql", "memory", "shared", "queue_log", "links", "broker", "schedule", "transactions"),
        *("handling", "concurrent", "orderly", "client", "pop", "proxied", "machine"),
    ),
    "simulator": (
        *(
            "compiled",
            "kernel",
            "client",
            "policies",
            "engine",
            "consumer",
            "releases",
            "scenario",
            "plan",
            "run",
            "causes",
            "replay",
            "explain",
        ),
        *("fit", "calibrate", "experiments", "advice", "hunt", "proof", "counterfactual"),
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


# At every depth sub-folders and files that stand beside them import one way.
ONE_WAY = ("state", "simulator", "streaming")


def folders(packages: tuple[str, ...]) -> list[str]:
    found = (path.parent.relative_to(ROOT) for name in packages for path in (ROOT / name).rglob("__init__.py"))
    return [str(path) for path in sorted(found)]


def arrows_in(folder: Path) -> dict[str, set[str]]:
    """What each sub-folder and file of a folder imports of the others; `__init__.py` gathers what lies below."""
    own = ".".join(folder.relative_to(ROOT).parts) + "."
    places = {path.stem: path for path in folder.iterdir() if path.is_dir() or path.suffix == ".py"}
    found = {}
    for name, path in places.items():
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        seen = {module for file in files for module in imported(file.relative_to(ROOT)) if module.startswith(own)}
        found[name] = {module.removeprefix(own).split(".")[0] for module in seen} & set(places) - {name}
    return {name: seen - {"__init__"} for name, seen in found.items() if name != "__init__"}


def in_circles(arrows: dict[str, set[str]]) -> list[str]:
    """What remains when each that imports none of the rest, or that none of the rest imports, is taken away."""
    while loose := {
        name for name, seen in arrows.items() if not seen & set(arrows) or name not in set().union(*arrows.values())
    }:
        arrows = {name: seen for name, seen in arrows.items() if name not in loose}
    return sorted(arrows)


@pytest.mark.parametrize("folder", folders(ONE_WAY))
def test_a_folder_imports_one_way(folder):
    assert in_circles(arrows_in(ROOT / folder)) == []


def test_no_file_of_the_model_imports_itself_through_others():
    files = {str(path.relative_to(ROOT)): path.relative_to(ROOT) for path in (ROOT / "simulator").rglob("*.py")}
    names = {name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for name, path in files.items()}
    assert in_circles({name: imported(path) & set(names) - {name} for name, path in names.items()}) == []


def test_a_circle_between_a_folder_and_a_file_beside_it_is_seen(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.house.test_arrows.ROOT", tmp_path)
    monkeypatch.setattr("tests.house.tree.ROOT", tmp_path)
    for name, text in {"a/x.py": "from top.b import y", "b.py": "import top.a.z", "c.py": "import top.b"}.items():
        (tmp_path / "top" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "top" / name).write_text(text)
    assert in_circles(arrows_in(tmp_path / "top")) == ["a", "b"]


def test_releases_are_compared_only_in_their_own_room():
    compares = re.compile(r"RELEASES\.index\(|is_since|release (<|>|<=|>=) ")
    files = [path.relative_to(ROOT) for path in sorted((ROOT / "simulator").rglob("*.py"))]
    found = [str(path) for path in files if compares.search((ROOT / path).read_text())]
    assert [path for path in found if not path.startswith("simulator/releases/")] == []


def test_no_room_of_the_engine_imports_the_files_above_the_rooms():
    above = {f"simulator.engine.{path.stem}" for path in (ROOT / "simulator/engine").glob("[a-z]*.py")}
    files = [path.relative_to(ROOT) for path in sorted((ROOT / "simulator/engine").rglob("*/*.py"))]
    assert above
    assert {str(path): sorted(imported(path) & above) for path in files if imported(path) & above} == {}


def test_an_import_inside_a_function_is_seen(tmp_path):
    file = tmp_path / "module.py"
    file.write_text("def f():\n    import pandas.api\n    from pyspark.sql import types\n")
    assert imports(file) == {"pandas", "pyspark"}
