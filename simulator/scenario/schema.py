"""The JSON schema of a scenario file, made from the models: what editors check and complete against.

`python -m simulator.scenario.schema > conf/scenario.schema.json` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import TypeAdapter
from pydantic.fields import FieldInfo

from simulator.scenario.brokers.broker import Broker
from simulator.scenario.distributions.latency_settings import Latency
from simulator.scenario.distributions.measured import LatencyFile
from simulator.scenario.producers import Selector
from simulator.scenario.reading.fields import Model
from simulator.scenario.reading.resolve import Likeness
from simulator.scenario.reading.sentences import expected_of
from simulator.scenario.scenario import Scenario

Schema = dict[str, Any]

# Keys of the YAML that the loader replaces, and the model that says what they are.
WRITTEN_ONLY: dict[type[Model], type[Model]] = {Latency: LatencyFile, Broker: Likeness}
FILLED_IN = {"ProducerGroup": ("topics",), "Broker": ("latency",)}  # the loader gives them, or `like` does
LOADERS_OWN: dict[type[Model], tuple[str, ...]] = {Selector: ("built_in", "source")}


def scenario_schema() -> Schema:
    """The schema as plain values, in a fixed order."""
    schema = Scenario.model_json_schema()
    definitions = schema["$defs"]
    definitions["Scenario"] = {key: value for key, value in schema.items() if key != "$defs"}
    for model in models():
        own = definitions[model.__name__]
        own["properties"] = dict(_properties(model, own["properties"]))
        own["title"] = model.__name__
        own.pop("description", None)  # a docstring, for readers of the code
        for key in FILLED_IN.get(model.__name__, ()):
            own["required"].remove(key)
        if not own.get("required", True):
            del own["required"]
    scenario = definitions.pop("Scenario")
    groups = scenario["properties"]["producers"]
    one, several = groups.pop("items"), groups.pop("type")
    groups["anyOf"] = [one, {"type": several, "items": one, "minItems": 1}]
    topics = scenario["properties"]["topics"]["patternProperties"]
    for pattern, topic in topics.items():
        topics[pattern] = {"anyOf": [topic, {"type": "null"}]}
    top = {"$schema": "https://json-schema.org/draft/2020-12/schema", **scenario, "title": "A scenario of Sendlab"}
    return {**top, "$defs": dict(sorted(definitions.items()))}


def models() -> Iterator[type[Model]]:
    """Every model that a scenario is made of, each once."""
    known = {model.__name__: model for model in _subclasses(Model)}
    names = {"Scenario", *Scenario.model_json_schema()["$defs"]}
    return (known[name] for name in sorted(names))


def _subclasses(model: type[Model]) -> Iterator[type[Model]]:
    for each in model.__subclasses__():
        yield each
        yield from _subclasses(each)


def _properties(model: type[Model], found: Schema) -> Iterator[tuple[str, Schema]]:
    """The properties of a model as they are written: no nulls, defaults as text with a unit."""
    for name, field in model.model_fields.items():
        key = field.alias or name
        if key in LOADERS_OWN.get(model, ()):
            continue
        own = {word: value for word, value in found[key].items() if word not in ("default", "title")}
        offered = [each for each in own.pop("anyOf", ()) if each != {"type": "null"}]
        own |= offered[0] if len(offered) == 1 else {"anyOf": offered} if offered else {}
        own["description"] = field.description
        own["title"] = expected_of(field) or own.get("title", "")
        if not field.is_required() and field.default is not None and field.default_factory is None:
            adapter: TypeAdapter[Any] = TypeAdapter(_annotated(field))
            own["default"] = adapter.dump_python(field.default, mode="json", by_alias=True, exclude_none=True)
        yield key, {word: value for word, value in own.items() if value != ""}
    others = WRITTEN_ONLY.get(model)
    if others is not None and model.resolved_away:
        yield from _properties(others, others.model_json_schema()["properties"])


def _annotated(field: FieldInfo) -> Any:
    return Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation


if __name__ == "__main__":
    print(json.dumps(scenario_schema(), indent=1, ensure_ascii=False))
