"""Names that are written into a scenario are read as the same text."""

from __future__ import annotations

import pytest
import yaml

from simulator.scenario.reading.yaml_names import name_text, quoted


@pytest.mark.parametrize("name", ["orders", "broker-a", "%RETRY%billing", "on", "Null", "y", "1.5", "a: b", 'a "b"'])
def test_a_name_is_read_as_itself(name):
    assert yaml.safe_load(f"x: {name_text(name)}") == {"x": name}


def test_a_backslash_is_no_escape():
    assert yaml.safe_load(f"x: {quoted(chr(92) + 'd')}") == {"x": chr(92) + "d"}
