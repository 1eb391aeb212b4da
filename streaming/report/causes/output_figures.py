"""The figures of a run from the tables of its output folder."""

from __future__ import annotations

import pyarrow as pa

from simulator.causes.run_figures import COLUMNS, Beat, FigureReader, RunFigures, tables_read
from simulator.scenario import Scenario
from streaming.outputs.dataset import RunOutput


def scenario_so_far(scenario: Scenario, output: RunOutput) -> Scenario:
    """The scenario up to the time that was simulated."""
    return scenario.model_copy(update={"duration_us": min(output.end_us, scenario.duration_us)})


def has_figures(output: RunOutput, scenario: Scenario) -> bool:
    """Whether the tables that figures need were written, and are whole."""
    return all(output.is_written(name) for name in tables_read(scenario)) and not output.has_old_rows_removed


def figures_of_output(output: RunOutput, scenario: Scenario, beat: Beat = lambda: None) -> RunFigures | None:
    """The figures of the time that was simulated, None if a table that they need was not written."""
    if not has_figures(output, scenario):
        return None
    reader = FigureReader(scenario, min(output.end_us, scenario.duration_us))
    for name in tables_read(scenario):
        for batch in output.batches(name, COLUMNS[name]):
            beat()
            if batch.num_rows:
                reader.add(name, pa.Table.from_batches([batch]))
    return reader.done(int(output.about["events"].get("skipped", 0)))
