"""The scenarios of a job, from the one that it began with to the one that it was last changed to.

CHECKPOINT/reloads.json lists the changes. A step's scenario follows from its number, so that a job which is killed and
goes on gives the same rows.
"""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass, replace

import yaml

from simulator.plan.timetable import announced_events
from simulator.scenario import Scenario, parse_scenario
from simulator.scenario.amendment import amended, from_now_on
from simulator.scenario.reading.scenario_error import ScenarioError
from simulator.units import parse_duration_us
from state.row import StateRow
from streaming.errors import InputError
from streaming.files.json_file import read_json, write_json
from streaming.flow.run_spec import RunSpec
from streaming.flow.scenario_feed import plan_of
from streaming.jobs.endless.forever import check_endless
from streaming.jobs.folders.checkpoint import RELOADS, Checkpoint
from streaming.jobs.job import FOREVER, Job
from streaming.jobs.memory_needs import needs_of
from streaming.jobs.scenario_job import about_scenario
from streaming.spark.checkpoint.checkpoint_files import OFFSETS
from streaming.texts.job_texts import JobTexts

KIND = "scenario"


@dataclass(frozen=True)
class Reload:
    """One change. at_us: virtual time from which on it holds; given: digest of the scenario that was asked for;
    scenario: YAML of the whole run with the change; changes: a sentence each; id: of the request.
    """

    at_us: int
    given: str
    scenario: str
    changes: tuple[str, ...]
    id: str


@dataclass(frozen=True)
class ChangeLog:
    """The scenario that a job began with, and the changes since."""

    checkpoint: Checkpoint
    began: Scenario
    reloads: tuple[Reload, ...]

    @classmethod
    def of(cls, checkpoint: Checkpoint) -> ChangeLog:
        """The change log of a checkpoint. Raises InputError if it is not of one scenario, or damaged."""
        file = checkpoint.folder / RELOADS
        if not file.exists():
            return cls(checkpoint, first_scenario(checkpoint), ())
        try:
            stored = read_json(file, "list of the job's changes")["reloads"]
            reloads = tuple(Reload(**{**one, "changes": tuple(one["changes"])}) for one in stored)
            if not reloads or not all(isinstance(one.at_us, int) for one in reloads):
                raise TypeError(JobTexts.NAMES_NO_CHANGE())
        except (LookupError, TypeError) as error:
            raise InputError(JobTexts.CHANGES_DAMAGED(why=error).at(file)) from error
        return cls(checkpoint, first_scenario(checkpoint), reloads)

    @property
    def now(self) -> Scenario:
        """The scenario of the whole run, as it was last changed. Raises InputError."""
        return _parsed(self.reloads[-1].scenario, self.checkpoint) if self.reloads else self.began

    @property
    def given(self) -> tuple[str, ...]:
        """Digests of what was asked for, the last last."""
        return (self.began.digest(), *(reload.given for reload in self.reloads))

    @property
    def spec(self) -> RunSpec:
        """What rebuilds the run."""
        window_us = self.began.window_us
        later = tuple((reload.at_us // window_us, reload.scenario) for reload in self.reloads)
        began = self.began.to_yaml()
        return RunSpec(plan_of(began).run, KIND, began, later)

    @property
    def planned_us(self) -> int:
        """Virtual time up to which micro-batches are begun: the next border. Raises InputError if the run is over."""
        from streaming.flow.step_source import StepSource  # it needs Spark

        source = StepSource((self.spec,), self.checkpoint.stop_file)
        try:
            reached = source.reached(self.checkpoint.offsets_of(OFFSETS))
        except (ValueError, LookupError, TypeError) as error:
            raise self.checkpoint.unreadable_offsets(error) from error
        if reached.is_end or reached.until_us is None:
            raise InputError(JobTexts.RUN_AT_ITS_END().at(self.checkpoint.folder))
        return reached.until_us

    def changed(self, wanted: Scenario, at_us: int, name: str = "", *, from_now: bool = False) -> Reload | None:
        """The change to another scenario from `at_us` on, None if it changes nothing.

        from_now: moments of new faults count from then on. Raises ScenarioError for what may not change, InputError.
        """
        now = self.now
        amendment = amended(now, from_now_on(now, wanted, at_us) if from_now else wanted, at_us)
        if not amendment.changes:
            return None
        if now.duration_us == parse_duration_us(FOREVER):
            check_endless(amendment.scenario)
        text = amendment.scenario.to_yaml()
        return Reload(at_us, wanted.digest(), text, amendment.changes, name or uuid.uuid4().hex)

    def having(self, reload: Reload) -> ChangeLog:
        """The change log with one more change."""
        return replace(self, reloads=(*self.reloads, reload))

    def store(self) -> None:
        """Write the changes down."""
        write_json(self.checkpoint.folder / RELOADS, {"reloads": [asdict(one) for one in self.reloads]})

    def job(self, like: Job) -> Job:
        """The job with its changes; `like`: of one of its scenarios."""
        if not self.reloads:
            return like
        stored = self.checkpoint.manifest()["runs"][self.spec.run]
        now, digest = self.now, str(stored["digest"])
        about = about_scenario(now, plan_of(self.reloads[-1].scenario))
        reloads = [{"at_us": one.at_us, "changes": list(one.changes)} for one in self.reloads]
        run = replace(
            like.run,
            spec=self.spec,
            digest=digest,
            settings=stored["settings"],
            about={**about, "run": self.spec.run, "digest": digest, "announced": self._announced(), "reloads": reloads},
            needs=needs_of(now),
        )
        return replace(like, runs=(run,))

    def scenario_of(self, row: StateRow) -> Scenario:
        """The scenario that a state row is of. Raises InputError if it is of none."""
        texts = [reload.scenario for reload in self.reloads]
        for scenario in (*(_parsed(text, self.checkpoint) for text in reversed(texts)), self.began):
            if scenario.digest() == row.digest:
                return scenario
        raise InputError(JobTexts.STATE_OF_ANOTHER_VERSION().at(self.checkpoint.folder))

    def _announced(self) -> int:
        """Observations that the source announces in the whole run."""
        spec, total = self.spec, 0
        turns = [(0, spec.spec), *spec.later]
        plans = [plan_of(text) for _, text in turns]
        ends = [step for step, _ in turns[1:]] + [plans[-1].windows]
        for (first, _), last, plan in zip(turns, ends, plans, strict=True):
            if last > first:
                total += len(plan.cells) * announced_events(plan.observations, last, plan.window_us, first)
        return total


def first_scenario(checkpoint: Checkpoint) -> Scenario:
    """The scenario that a checkpoint's only run began with. Raises InputError if it is a recording's, or too old."""
    runs = checkpoint.manifest()["runs"]
    (name, run), *more = runs.items()
    if run["kind"] != KIND or more:
        raise InputError(JobTexts.NOT_ONE_RUN(kind=run["kind"], name=name).at(checkpoint.folder))
    scenario = _parsed(yaml.safe_dump(run["settings"], sort_keys=False), checkpoint)
    if scenario.digest() != run["digest"]:
        raise InputError(JobTexts.SCENARIO_OF_ANOTHER_VERSION().at(checkpoint.folder))
    return scenario


def _parsed(text: str, checkpoint: Checkpoint) -> Scenario:
    try:
        return parse_scenario(text, source=str(checkpoint.folder))
    except ScenarioError as error:
        raise InputError(JobTexts.SCENARIO_UNREADABLE(why=error).at(checkpoint.folder)) from None
