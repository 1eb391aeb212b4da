"""One place knows every key: the models. The schema for editors, docs/scenario.md and `sendlab keys` follow from it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from simulator.scenario.describe_keys import document
from simulator.scenario.keys import keys_at, sections
from simulator.scenario.reading.document import Document
from simulator.scenario.reading.scenario_error import ScenarioError
from simulator.scenario.reading.sentences import expected_of
from simulator.scenario.schema import LOADERS_OWN, WRITTEN_ONLY, models, scenario_schema
from tests.house.tree import ROOT
from tests.says import Said, Says

SCENARIOS = sorted((ROOT / "conf" / "scenarios").rglob("*.yaml"))
TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict, "array": list}
SCHEMA = scenario_schema()


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value is what the schema allows, for the words that ours uses."""
    if "$ref" in schema:
        return fits(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return any(fits(value, each) for each in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    names = schema.get("type", [])
    names = [names] if isinstance(names, str) else names
    if names == ["null"]:
        return value is None
    if names and not any(isinstance(value, TYPES[n]) and isinstance(value, bool) == (n == "boolean") for n in names):
        return False
    if isinstance(value, str):
        return re.search(schema.get("pattern", ""), value) is not None
    if isinstance(value, list):
        return all(fits(each, schema.get("items", {})) for each in value)
    return _mapping_fits(value, schema) if isinstance(value, dict) else _number_fits(value, schema)


def _mapping_fits(value: dict[str, Any], schema: dict[str, Any]) -> bool:
    for key, inner in value.items():
        found = [each for pattern, each in schema.get("patternProperties", {}).items() if re.search(pattern, key)]
        found += [schema["properties"][key]] if key in schema.get("properties", {}) else []
        if not all(fits(inner, each) for each in found) or not (found or schema.get("additionalProperties", True)):
            return False
    return set(schema.get("required", ())) <= value.keys()


def _number_fits(value: float, schema: dict[str, Any]) -> bool:
    return schema.get("minimum", value) <= value <= schema.get("maximum", value)


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_the_schema_allows_every_scenario_of_the_project(file):
    assert fits(Document(file.read_text(), str(file)).value, SCHEMA)


@pytest.mark.parametrize(
    ("key", "value"),
    [("durration", "5m"), ("duration", "5 minuets"), ("seed", "one"), ("client", {"release": "9.9.9"}), ("brokers", 3)],
)
def test_the_schema_refuses_what_the_loader_refuses(key, value):
    scenario = Document((ROOT / "conf/scenarios/quickstart.yaml").read_text(), "").value
    assert not fits({**scenario, key: value}, SCHEMA)


def test_the_schema_file_is_what_the_models_say():
    assert json.loads((ROOT / "conf" / "scenario.schema.json").read_text()) == SCHEMA


def test_the_text_is_what_the_models_say():
    assert (ROOT / "docs" / "scenario.md").read_text() == document()


def test_every_key_has_a_meaning_and_says_what_is_expected():
    mute = [
        f"{model.__name__}.{name}"
        for model in models()
        for name, field in model.model_fields.items()
        if name not in LOADERS_OWN.get(model, ()) and not field.description
    ]
    assert mute == []
    assert [key.path for section in sections() for key in section.keys if not key.expected] == []
    assert expected_of(next(models()).model_fields["base_us"]) == "a duration such as 10us"


def test_keys_that_the_loader_replaces_are_described_by_a_model():
    found = {model: tuple(other.keys()) for model, other in WRITTEN_ONLY.items()}
    assert found == {model: model.resolved_away for model in models() if model.resolved_away}


@pytest.mark.parametrize("path", ["brokers.lognormal", "brokers.NAME.latency", "brokers.broker-a.latency"])
def test_the_name_of_a_broker_may_stand_in_a_path_or_not(path):
    wanted = {"brokers.lognormal": "brokers"}.get(path, "brokers.NAME.latency")
    assert keys_at(path)[0].path == wanted


def test_a_key_is_reported_with_its_unit_its_default_and_what_is_in_it():
    timeout = keys_at("client.send_msg_timeout")[0]
    assert (timeout.expected, timeout.default, timeout.is_required) == ("a duration from 1ms to 1d", "3s", False)
    assert [key.name for key in keys_at("brokers.latency.lognormal")] == ["lognormal", "p50", "p99"]
    assert keys_at("producers.0.rate") == keys_at("producers.rate")


@pytest.mark.parametrize("path", ["consumers.consumeThreadMax", "consumers.billing.consumeThreadMax"])
def test_a_key_without_an_effect_is_shown_as_such(path):
    with pytest.raises(ScenarioError) as refused:
        keys_at(path)
    assert Said(refused.value) == Says("reading.has-no-effect", key=f"keys {path}")


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("durration", Says("reading.unknown-meant", "keys durration", near="duration")),
        ("brokers.b.latncy", Says("reading.unknown-meant", "keys brokers.b.latncy", near="latency")),
        ("brokers.latncy", Says("reading.unknown-meant", "keys brokers.latncy", near="latency")),
        ("seed.x", Says("reading.no-such-key", "keys seed.x", path="seed", key="x")),
        ("..", Says("reading.dotted-path-expected", "keys ..")),
    ],
)
def test_a_key_that_is_not_there_is_refused_with_the_nearest(path, sentence):
    with pytest.raises(ScenarioError) as refused:
        keys_at(path)
    assert Said(refused.value) == sentence
