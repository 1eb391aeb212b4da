"""What is written of the records is what they are."""

from __future__ import annotations

import json

from simulator.plan.compile import compile_text
from streaming.kafka.intake.event_records import FIELDS, KINDS, json_schema
from streaming.kafka.publishing.run_records import records_of
from tests.house.tree import ROOT
from tests.simulator.small import fault, text_of


def test_the_schema_in_conf_is_up_to_date():
    assert json.loads((ROOT / "conf" / "kafka" / "event-record.schema.json").read_text()) == json_schema()


def test_every_published_record_has_the_fields_of_its_kind_and_no_others():
    faults = [fault("slow", "1s", "1s", factor=3), fault("packet_loss", "1s", "1s", probability=0.05)]
    text = text_of(faults=faults)
    seen = set()
    for record in records_of(compile_text(text)):
        said = json.loads(record.value)
        seen.add(said["kind"])
        needed = {field.name for field in FIELDS if said["kind"] in field.needed_by}
        allowed = needed | {field.name for field in FIELDS if said["kind"] in field.allowed_in}
        assert needed <= said.keys() <= allowed
    assert seen == set(KINDS)


def test_the_document_names_every_field():
    page = (ROOT / "docs" / "kafka.md").read_text()
    assert [field.name for field in FIELDS if f"`{field.name}`" not in page] == []
