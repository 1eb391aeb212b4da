"""Which moment of the wall clock virtual time 0 is in the traces of a job."""

from __future__ import annotations

import time
from pathlib import Path

from streaming.files.json_file import read_json, write_json

NOTE = "otlp.json"


def zero_ns_of(checkpoint: Path) -> int:
    """When virtual time 0 is in the traces, ns since 1970: when the job first began, noted in its checkpoint."""
    file = checkpoint / NOTE
    if file.exists():
        return int(read_json(file, "note of the traces' time 0")["zero_ns"])
    zero_ns = time.time_ns()
    write_json(file, {"zero_ns": zero_ns})
    return zero_ns
