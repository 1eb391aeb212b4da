"""Recorded logs and running jobs: import, calibrate, replay, fork."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sendlab.given import NO_CHANGES, TRACES, Changes, options_of, path_given, plain
from streaming.errors import InputError
from streaming.terminal.output_console import OutputConsole as Console
from streaming.texts.command_texts import CommandTexts

if TYPE_CHECKING:
    from simulator.experiments.result import ExperimentResult
    from streaming.commands.replays.calibrate_command import FittedScenario
    from streaming.importing.trace import Trace
    from streaming.jobs.replay_job import Replayed

Arm = str | Mapping[str, Any]
RECORDINGS = ("", ".parquet", ".csv.gz")  # a recording may be named without its ending


def import_log(
    kind: str,
    files: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    hosts: str | Path | None = None,
    set: Changes = NO_CHANGES,
    map: Mapping[str, str] = NO_CHANGES,
    timezone: str | None = None,
    time_unit: str | None = None,
    latency_unit: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    allow_rejects: bool = False,
    fresh: bool = False,
) -> Trace:
    """Convert a log of real clients to a trace in the folder `out`, as `sendlab import` does.

    `kind`: message-trace, csv, client-log, recording, tables or metrics; `.about.notes` of the trace says what one
    should know of it. Raises InputError, also if more than a tenth of the rows was rejected, and EnvironmentProblem.

        sendlab.import_log("csv", "sends.csv", "out/trace", map={"time": "ts"}, timezone="Asia/Shanghai")
    """
    from streaming.commands.kafka.kafka_options import KafkaOptions
    from streaming.commands.replays.import_choices import choices_of
    from streaming.commands.replays.import_command import import_command
    from streaming.importing.trace import read_trace

    given = [files] if isinstance(files, str | Path) else list(files)
    code = import_command(
        kind, [Path(file) for file in given], Path(out), hosts=None if hosts is None else Path(hosts),
        changes=options_of(set), fresh=fresh, master=None, kafka=KafkaOptions(None, (), None),
        choices=choices_of(options_of(map), timezone, time_unit, latency_unit, decimal, encoding),
        allow_rejects=allow_rejects,
        as_json=False,
        console=Console(quiet=True),
    )  # fmt: skip
    if code:
        raise InputError(CommandTexts.TENTH_REJECTED().at(given[0]))
    return read_trace(Path(out))


def calibrate(
    trace: str | Path,
    out: str | Path,
    *,
    report: str | Path | None = None,
    runs: int = 5,
    set: Changes = NO_CHANGES,
    fresh: bool = False,
) -> FittedScenario:
    """Fit a scenario to a trace or a recording and write it to the file `out`; `.goodness` says how well it fits.

    `report`: a page of the fit. Raises InputError.

        sendlab.calibrate("out/trace", "fitted.yaml", set={"client.release": "4.9.8"}).goodness.misses
    """
    from streaming.commands.replays.calibrate_command import check_new, fitted_scenario, write_fitted

    file, page = Path(out), None if report is None else Path(report)
    check_new((file, page), fresh=fresh)
    fitted = fitted_scenario(trace_given(trace), options_of(set), runs, str(out))
    write_fitted(fitted, file, page)
    return fitted


def replay(
    trace: str | Path,
    *,
    arms: Sequence[Arm] = (),
    scenario: str | Path | None = None,
    out: str | Path | None = None,
    runs: int | None = None,
    set: Changes = NO_CHANGES,
    fresh: bool = False,
) -> Replayed | ExperimentResult:
    """Replay a trace or a recording under other clients; without `arms` return the decisions of a recording.

    `arms`: dicts of changes, or "KEY=VALUE"; each gets the recorded messages and brokers. `scenario`: the calibrated
    scenario of the trace, if you have edited it. Raises InputError, ScenarioError and EnvironmentProblem.

        sendlab.replay("live-4.9.8-s3", arms=[{"client.release": "5.3.3"}]).verdict
    """
    path = trace_given(trace)
    if arms:
        from streaming.commands.replays.arms_command import arms_result

        result, _ = arms_result(
            path, [_arm(arm) for arm in arms], out=None if out is None else Path(out), changes=options_of(set),
            seeds=runs or 20, fresh=fresh, console=Console(quiet=True),
            edited=None if scenario is None else Path(scenario),
        )  # fmt: skip
        return result
    from streaming.commands.replays.replay_command import replayed

    return replayed(path, out=None if out is None else Path(out), fresh=fresh)


def fork(
    folder: str | Path,
    arms: Sequence[Arm],
    *,
    length: str | timedelta | Mapping[str, float] = "10m",
    batch: int | None = None,
    out: str | Path | None = None,
    runs: int = 20,
    fresh: bool = False,
) -> ExperimentResult:
    """Start arms from the state of a run's checkpoint; the run continues undisturbed.

    `arms`: dicts of changes, or texts such as "kill=broker-b for 30s". Raises InputError and EnvironmentProblem.

        sendlab.fork("out/live", [{"client.release": "5.3.3"}, "hang=broker-b"], length="30m").verdict
    """
    from streaming.commands.replays.fork_command import fork_result

    result, _ = fork_result(
        Path(folder), [_arm(arm) for arm in arms], batch=batch, length=str(plain(length)),
        out=None if out is None else Path(out), seeds=runs, fresh=fresh, console=Console(quiet=True),
    )  # fmt: skip
    return result


def _arm(arm: Arm) -> str:
    return arm if isinstance(arm, str) else " ".join(options_of(arm))


def trace_given(given: str | Path) -> Path:
    """A trace or a recording: a path with or without its extension, or the name of an example."""
    path = Path(given)
    if any(path.with_name(path.name + ending).exists() for ending in RECORDINGS):
        return path
    if isinstance(given, Path) or len(path.parts) > 1:
        return path
    return path_given(given, TRACES)
