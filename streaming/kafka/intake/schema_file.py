"""`python -m streaming.kafka.intake.schema_file`: the JSON schema of the records that a job reads, for conf/kafka/."""

from __future__ import annotations

import json

from streaming.kafka.intake.event_records import json_schema

if __name__ == "__main__":
    print(json.dumps(json_schema(), indent=1, ensure_ascii=False))
