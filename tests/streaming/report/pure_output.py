"""The output folder of a scenario, simulated in this process: what `sendlab run` writes, without Spark."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from simulator.run.simulate import Result, simulate
from simulator.scenario import Scenario
from streaming.jobs.scenario_job import about_scenario


def write_simulated(folder: Path, scenario: Scenario) -> Path:
    """Simulate a scenario to its end and write its tables and its run.json into `folder`."""
    return write_output(folder, simulate(scenario))


def write_output(folder: Path, result: Result) -> Path:
    """The same of a run that is simulated already."""
    scenario = result.scenario
    for name, table in result.tables.items():
        target = folder / name / "run=main"
        target.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, target / "b00000000-p0000.parquet")
    about = about_scenario(scenario, result.plan)
    skipped = result.events["skipped"]
    asked = _arrivals(result.sends) + skipped
    events = {"generated": asked, "handled": asked, "rejected": 0, "skipped": skipped}
    about |= {"run": "main", "clock_us": scenario.duration_us, "finished": True, "events": events}
    (folder / "run.json").write_text(json.dumps(about))
    return folder


def _arrivals(sends: pa.Table) -> int:
    return int(np.asarray(sends.column("messages")).sum())
