"""Arrows between the rooms run one way: streaming -> simulator -> state."""

from __future__ import annotations

import pytest

from tests.house.tree import ROOT, imports

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


def test_an_import_inside_a_function_is_seen(tmp_path):
    file = tmp_path / "module.py"
    file.write_text("def f():\n    import pandas.api\n    from pyspark.sql import types\n")
    assert imports(file) == {"pandas", "pyspark"}
