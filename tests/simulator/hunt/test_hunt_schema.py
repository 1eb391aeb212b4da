"""The schema of hunts: written from the models, and it takes what the loader takes."""

from __future__ import annotations

import json
import re

import pytest
import yaml
from jsonschema import Draft202012Validator

from simulator.hunt.hunt_file import load_hunt, load_rates
from simulator.hunt.hunt_schema import hunt_schema
from tests.house.tree import ROOT

PAGE = (ROOT / "docs" / "hunting.md").read_text()
EXAMPLE = re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)[1]


def errors(text: str) -> list[str]:
    return [one.message for one in Draft202012Validator(hunt_schema()).iter_errors(yaml.safe_load(text))]


def test_the_file_is_the_schema_of_the_models():
    assert json.loads((ROOT / "conf" / "hunt.schema.json").read_text()) == hunt_schema()


def test_the_example_of_the_page_is_a_hunt_and_fits_the_schema(tmp_path):
    file = tmp_path / "hunt.yaml"
    file.write_text(EXAMPLE.replace("../conf", str(ROOT / "conf")))
    loaded = load_hunt(file, load_rates(ROOT / "conf" / "fault-rates.yaml"))
    assert errors(EXAMPLE) == []
    assert [one.kind for one in loaded.space.templates] == ["rolling_restart", "hang", "partition"]
    assert dict(loaded.space.settings) == {"consumers.billing.threads": (10,)}


@pytest.mark.parametrize(("right", "wrong"), [("at_most: 2", "at_mots: 2"), ("kind: hang", "kind: hnag")])
def test_the_schema_refuses_what_the_loader_refuses(right, wrong):
    assert errors(EXAMPLE.replace(right, wrong))
