"""The records of a topic that a job reads: one JSON object each, described field by field."""

from __future__ import annotations

from typing import Any, NamedTuple

import pyarrow as pa

from simulator.engine.memory import periods_table as tables

VERSION = 1
ARRIVAL, OBSERVATION, TIME, END = "arrival", "observation", "time", "end"
KINDS = {
    ARRIVAL: "an application wants to send a message",
    OBSERVATION: "for a time a broker, or the network to it, is not as usual",
    TIME: "what follows in this partition is not older, but for the lateness",
    END: "nothing follows in this partition",
}
MAX_BYTES = 65_536
PERIODS = {
    "speed": tables.SPEED, "answer": tables.ANSWER, "stall": tables.STALL, "down": tables.DOWN, "slave": tables.SLAVE,
    "link": tables.LINK, "added": tables.ADDED, "loss": tables.LOSS,
}  # fmt: skip
OF_LINKS = ("link", "loss")  # what a group of producers has with a broker, not the broker itself


class RecordField(NamedTuple):
    """One field: kinds of record that have to have it, those that may, and what it means."""

    name: str
    type: pa.DataType
    needed_by: tuple[str, ...]
    allowed_in: tuple[str, ...]
    meaning: str


WHOLE, TEXT = pa.int64(), pa.string()
FIELDS = (
    RecordField("v", WHOLE, tuple(KINDS), (), f"version of this description: {VERSION}"),
    RecordField("kind", TEXT, tuple(KINDS), (), ", ".join(KINDS)),
    RecordField("run", TEXT, tuple(KINDS), (), "name of the run: the scenario's, in lower case with dashes"),
    RecordField("cell", WHOLE, (ARRIVAL, OBSERVATION), (), "cell of the run, from 0"),
    RecordField("at_us", WHOLE, (ARRIVAL, OBSERVATION, TIME), (), "virtual time in microseconds from the run's begin"),
    RecordField("producer", WHOLE, (ARRIVAL,), (), "number of the producer in the run, from 0"),
    RecordField("thread", WHOLE, (ARRIVAL,), (), "number of its sender thread, from 0"),
    RecordField("topic", TEXT, (ARRIVAL,), (), "topic of the message"),
    RecordField("seq", WHOLE, (ARRIVAL,), (), "number of the message on its thread, rising; with the thread the key"),
    RecordField("draw", WHOLE, (), (ARRIVAL,), "decides how long its broker takes; by default a hash of its key"),
    RecordField("until_us", WHOLE, (OBSERVATION,), (), "virtual time at which it is over"),
    RecordField("broker", TEXT, (OBSERVATION,), (), "name of the broker"),
    RecordField("group", TEXT, (), (OBSERVATION,), f"producer group, for {' and '.join(OF_LINKS)} alone"),
    RecordField("table", TEXT, (OBSERVATION,), (), f"what is not as usual: {', '.join(PERIODS)}"),
    RecordField("value", WHOLE, (OBSERVATION,), (), "how, as simulator.engine.memory.periods_table says of that table"),
)
SCHEMA = pa.schema([(field.name, field.type) for field in FIELDS])


def json_schema() -> dict[str, Any]:
    """The JSON schema of a record."""

    def spelled(field: RecordField) -> dict[str, Any]:
        if field.name == "v":
            return {"const": VERSION, "description": field.meaning}
        values: dict[str, list[str]] = {"table": list(PERIODS)}
        named = {"enum": values[field.name]} if field.name in values else {}
        return {"type": "integer" if field.type == WHOLE else "string", **named, "description": field.meaning}

    kinds = []
    for kind, meaning in KINDS.items():
        own = [field for field in FIELDS if kind in (*field.needed_by, *field.allowed_in)]
        properties = {field.name: spelled(field) for field in own} | {"kind": {"const": kind}}
        needed = [field.name for field in own if kind in field.needed_by]
        kinds.append({"title": kind, "description": meaning, "properties": properties, "required": needed})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A record that sendlab run --source kafka reads",
        "type": "object",
        "oneOf": kinds,
    }
