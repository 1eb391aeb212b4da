"""Summary, findings and report of a result of `simulate`, through an output folder like a run's."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.run.simulate import Result
from streaming.errors import InputError
from streaming.files.json_file import write_json
from streaming.files.parquet_files import ParquetFiles
from streaming.jobs.asked import folder_asked
from streaming.jobs.scenario_job import about_scenario
from streaming.problems import disk_problem
from streaming.texts.command_texts import CommandTexts

if TYPE_CHECKING:
    from streaming.outputs.summary import Summary
    from streaming.report.findings.finding import ReportFinding


def summary_of(result: Result) -> Summary:
    """What the run came to. `missing` names the tables that were not asked for."""
    from streaming.outputs.summary import summarise

    with _folder(result) as folder:
        return summarise(folder)


def findings_of(result: Result) -> list[ReportFinding]:
    """What stands out in the run, the worst first, each with its `text` and `cause`."""
    from streaming.report.causes.cause_lines import cause_lines, shown_findings
    from streaming.report.causes.causes_option import DEFAULT, budget_asked
    from streaming.report.causes.proving import prove_output
    from streaming.report.collected.data import collect

    with _folder(result) as folder:
        prove_output(folder, budget_asked(DEFAULT))
        return shown_findings(cause_lines(collect(folder)))


def report_of(result: Result, path: str | Path) -> Path:
    """Write the report to a file; returns its path. Raises InputError if it cannot be written."""
    from streaming.report import write_report
    from streaming.report.causes.causes_option import DEFAULT, budget_asked
    from streaming.report.causes.proving import prove_output

    with _folder(result) as folder:
        prove_output(folder, budget_asked(DEFAULT))
        return write_report(folder, path)


@contextmanager
def _folder(result: Result) -> Iterator[Path]:
    """An output folder of the result, for as long as it is read."""
    with tempfile.TemporaryDirectory(prefix="sendlab-result-") as name:
        _write(result, Path(name), is_temporary=True)
        yield Path(name)


def write_result(result: Result, folder: str | Path) -> Path:
    """Write the tables and run.json of a result into an empty folder. Raises InputError, EnvironmentProblem."""
    out = folder_asked(folder, "folder")
    if out.exists() and any(out.iterdir()):
        raise InputError(CommandTexts.FOLDER_NOT_EMPTY().at(out))
    try:
        out.mkdir(parents=True, exist_ok=True)
        _write(result, out)
    except OSError as error:
        raise disk_problem(error, out) from error
    return out


def _write(result: Result, folder: Path, *, is_temporary: bool = False) -> None:
    handled = result.events["generated"]
    note = {
        **about_scenario(result.scenario, result.plan),
        "tables": list(result.tables),
        "clock_us": result.plan.duration_us,
        "finished": True,
        "events": {**result.events, "handled": handled, "rejected": 0},
        **({"is_temporary": True} if is_temporary else {}),
    }
    files = ParquetFiles(folder, "b00000000-p0000")
    for table, rows in result.tables.items():
        files.write(result.plan.run, table, rows)
    files.close()
    write_json(folder / "run.json", note)
