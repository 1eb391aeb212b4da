"""The JSON schema of a hunt file: what editors check and complete against.

`python -m simulator.hunt.hunt_schema > conf/hunt.schema.json` writes it.
"""

from __future__ import annotations

import json
from typing import Any

from simulator.hunt.fault_template import COMMON, OWN, PLACES
from simulator.hunt.hunt_file import MOST_AT_ONCE, HuntSettings, SpaceSettings
from simulator.hunt.load_step import LOAD
from simulator.scenario.faults.fault_kinds import KINDS
from simulator.scenario.reading.fields import Model

Schema = dict[str, Any]
RANGE = {"type": ["string", "number", "array"], "description": "a value, a list of them, or a range such as 1s..60s"}
TYPES: dict[str, Schema] = {
    "name": {"type": "string"},
    "description": {"type": "string"},
    "scenario": {"type": ["string", "object"]},
    "set": {"type": "object"},
    "objectives": {"type": "array", "minItems": 1, "items": {"type": "string"}},
    "hunt": {"$ref": "#/$defs/space"},
    "faults": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/fault"}},
    "at": {"type": "string", "pattern": r"\.\."},
    "at_most": {"type": "integer", "minimum": 1, "maximum": MOST_AT_ONCE},
    "settings": {"type": "object", "additionalProperties": {"type": "array", "minItems": 1}},
}


def hunt_schema() -> Schema:
    """The schema as plain values, in a fixed order."""
    top = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A hunt of Sendlab"}
    return {**top, **_object(HuntSettings), "$defs": {"space": _object(SpaceSettings), "fault": _fault()}}


def _object(model: type[Model]) -> Schema:
    fields = {field.alias or name: field for name, field in model.model_fields.items()}
    properties = {
        key: TYPES[key] | ({"description": field.description} if field.description and "$ref" not in TYPES[key] else {})
        for key, field in fields.items()
    }
    required = [key for key, field in fields.items() if field.is_required()]
    return {"type": "object", "properties": properties, "additionalProperties": False} | (
        {"required": required} if required else {}
    )


def _fault() -> Schema:
    keys = sorted({key for kind in KINDS.values() for key in kind.keys} | {"ramp"} | set(COMMON))
    own: Schema = {
        "kind": {"enum": [*KINDS, LOAD]},
        "a_year": {"type": "number", "exclusiveMinimum": 0, "description": "how often it happens to one place"},
        "because": {"type": "string", "description": "where that figure is from"},
    }
    places = {key: {"type": ["string", "integer", "array"]} for key in PLACES}
    values = {key: RANGE for key in keys if key not in OWN}
    return {"type": "object", "properties": own | places | values, "required": ["kind"], "additionalProperties": False}


if __name__ == "__main__":
    print(json.dumps(hunt_schema(), indent=1, ensure_ascii=False))
