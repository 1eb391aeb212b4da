"""What a job is when it begins again: as its checkpoint has it, with what its scenario file says by now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from simulator.plan.compile import name_in
from simulator.scenario import parse_scenario
from simulator.scenario.reading.scenario_error import ScenarioError
from state.texts import sentence_of
from streaming.clock import virtual_time
from streaming.errors import InputError
from streaming.jobs.folders.checkpoint import RELOADS, Checkpoint
from streaming.jobs.job import Job, Options
from streaming.jobs.reload.change_log import KIND, ChangeLog, Reload
from streaming.texts.job_texts import JobTexts


class Restart(NamedTuple):
    """The job; what is changed in it now, not stored yet; its changes, a line each."""

    job: Job
    reload: Reload | None = None
    lines: tuple[str, ...] = ()


def restarted(job: Job, options: Options, checkpoint: Checkpoint) -> Restart:
    """The job that a start of `job` on that checkpoint means; touches nothing.

    A scenario that the job once had goes on as it was last changed to. Another one changes a job without an end from
    its next micro-batch on. Raises InputError for what may not change; what does not fit at all is left to
    `Checkpoint.check_fits`.
    """
    if options.fresh or not checkpoint.exists or job.kafka is not None or len(job.runs) > 1:
        return Restart(job)
    run = job.run
    runs = checkpoint.manifest().get("runs") or {}
    stored: Mapping[str, Any] = next(
        (about for name, about in runs.items() if name_in(name) == name_in(run.spec.run)), {}
    )
    if run.spec.kind != KIND or stored.get("kind") != KIND:
        return Restart(job)
    has_changed = (checkpoint.folder / RELOADS).exists()
    if not has_changed and (stored.get("digest") == run.digest or not options.forever):
        return Restart(job)
    change_log = ChangeLog.of(checkpoint)
    if run.digest in change_log.given:
        differs = "" if run.digest == change_log.given[-1] else JobTexts.SCENARIO_DIFFERS()
        line = JobTexts.LAST_RELOAD_APPLIES(at=virtual_time(change_log.reloads[-1].at_us), differs=differs)
        return Restart(change_log.job(job), lines=(line,))
    if not options.forever:
        return Restart(job)
    try:
        reload = change_log.changed(parse_scenario(run.spec.spec), change_log.planned_us)
    except ScenarioError as error:
        raise InputError(JobTexts.CANNOT_RESTART(why=sentence_of(error))) from None
    if reload is None:
        return Restart(change_log.job(job))
    return Restart(change_log.having(reload).job(job), reload, change_lines(reload))


def change_lines(reload: Reload) -> tuple[str, ...]:
    """A change, in lines."""
    return tuple(f"changed from {virtual_time(reload.at_us)} on: {change}" for change in reload.changes)
