"""The causes of an output folder: read from beside it, or proven now within a budget of wall time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path

from rich.console import Console
from rich.status import Status

from simulator.causes.judgement import Key
from simulator.causes.poison import blocking_message
from simulator.causes.proof import BASE, Proof
from simulator.causes.run_figures import RunFigures, Stop, Stopped, figures_of
from simulator.scenario import Scenario, parse_scenario
from streaming.outputs.dataset import RunOutput, open_output
from streaming.report.causes.cause_answer import CauseAnswer, answer_of, read_answer, write_answer
from streaming.report.causes.output_figures import figures_of_output, scenario_so_far
from streaming.report.fault_times import scenario_of
from streaming.report.texts.consequence_texts import ConsequenceTexts
from streaming.runner.worker_pool import worker_pool

SHOWN_AFTER_S = 2.0
FASTEST_S = 2.5e-7  # of a message: no run is faster
WORTH_PROCESSES_S = 4.0  # of work that is left: a process takes about two seconds to start


def likely_answer(output: RunOutput) -> CauseAnswer | None:
    """What stands out and what probably caused it; None where the output does not show it."""
    proof = _begun(output)
    return None if proof is None else answer_of(proof)


def known_answer(output: RunOutput) -> CauseAnswer | None:
    """What is kept beside the output, else what is likely."""
    return read_answer(output) or likely_answer(output)


def prove_output(dir: str | Path, budget_s: float, console: Console | None = None) -> None:
    """Prove the causes of what stands out in a finished run, unless they are known, and keep them beside it.

    Nothing is proven of a run that is not finished, has no end, or is not of its scenario's own events. Ctrl-C ends it:
    what was not reached stays likely. Raises InputError if the folder is no output.
    """
    output = open_output(dir)
    known = read_answer(output)
    if budget_s <= 0 or not _can_be_proven(output):
        return
    if known is not None and (known.is_complete or known.budget_s >= budget_s):
        return
    scenario = scenario_of(output)
    if scenario is None or scenario.expected_messages * FASTEST_S > budget_s:
        return  # not one run would end in time
    budget = ProofTime(budget_s, console)
    try:
        proof = _proven(output, budget)
    finally:
        budget.close()
    if proof is not None and proof.found:
        try:
            write_answer(output, answer_of(proof, min(budget_s, budget.spent_s)))
        except OSError:
            return  # a folder that cannot be written has a report without causes


def _proven(output: RunOutput, budget: ProofTime) -> Proof | None:
    """The proof as far as the time and Ctrl-C let it come, None where it has not even begun."""
    proof: Proof | None = None
    try:
        proof = _begun(output, budget.is_over) or _rerun(output, budget)
        if proof is not None and proof.found:
            prove_within(proof, str(output.about["scenario_yaml"]), budget)
            _name_blocking(proof, budget)
    except Stopped:
        return None
    except KeyboardInterrupt:
        if budget.console is not None:
            budget.console.print(ConsequenceTexts.STOPPED(), style="dim", highlight=False)
    return proof


def _can_be_proven(output: RunOutput) -> bool:
    about, scenario = output.about, scenario_of(output)
    whole = bool(about["finished"]) and not about.get("forever") and not about.get("reloads")
    return whole and scenario is not None and scenario.digest() == about.get("digest")


def _begun(output: RunOutput, is_over: Stop = lambda: False) -> Proof | None:
    scenario = scenario_of(output)
    figures = None if scenario is None else figures_of_output(output, scenario, is_over)
    if scenario is None or figures is None:
        return None
    proof = Proof(scenario_so_far(scenario, output))
    proof.take(BASE, figures)
    return proof


def _rerun(output: RunOutput, budget: ProofTime) -> Proof | None:
    """The proof of an output without the tables that figures need: its run is done once more."""
    scenario = scenario_of(output)
    proof = None if scenario is None else Proof(scenario)
    return proof if proof is not None and _run_here(proof, BASE, budget) else None


class ProofTime:
    """Wall time that is left, and a line of progress when it takes longer than a moment."""

    def __init__(self, seconds: float, console: Console | None, now: Callable[[], float] = time.time) -> None:
        self.now, self.began_s = now, now()
        self.until_s = self.began_s + seconds
        self.console, self.status = console, None if console is None else console.status("")
        self.is_shown, self.text = False, ConsequenceTexts.PROVES()

    @property
    def spent_s(self) -> float:
        """Seconds that are used up."""
        return self.now() - self.began_s

    def is_over(self) -> bool:
        """Whether it is used up; shows the line of progress when it is time."""
        now = self.now()
        if not self.is_shown and self.status is not None and now - self.began_s > SHOWN_AFTER_S:
            self.is_shown = True
            self._line(self.status)
        return now >= self.until_s

    def _line(self, status: Status) -> None:
        if self.console is not None and self.console.is_terminal:
            status.update(self.text)
            status.start()
        elif self.console is not None:
            self.console.print(ConsequenceTexts.PROVES_SINCE(text=self.text), style="dim", highlight=False)

    def tell(self, done: int, left: int) -> None:
        """Note how many runs are done."""
        self.text = ConsequenceTexts.PROVES_RUNS(done=done, runs=done + left)
        if self.is_shown and self.status is not None:
            self.status.update(self.text)

    def close(self) -> None:
        """Take the line away."""
        if self.is_shown and self.status is not None:
            self.status.stop()


def prove_within(proof: Proof, text: str, budget: ProofTime, processes: int | None = None) -> None:
    """Do the runs that a proof wants, here while they are short, else in processes. `text`: the scenario."""
    cores = processes or os.cpu_count() or 1
    while (keys := proof.wanted()) and not budget.is_over():
        began_s = budget.now()
        if not _run_here(proof, keys[0], budget):
            return
        took_s = budget.now() - began_s
        budget.tell(len(proof.sizes), len(keys) - 1)
        if cores > 1 and took_s * (len(keys) - 1) > WORTH_PROCESSES_S and len(keys) > 2:
            _run_apart(proof, text, keys[1:], budget, cores)


def _name_blocking(proof: Proof, budget: ProofTime) -> None:
    for group in proof.groups_blocked():
        try:
            found = blocking_message(proof.scenario, group, budget.is_over)
        except Stopped:
            return
        proof.name_blocking(group, f"{found.times} {found.text}" if found is not None else "")


def _run_here(proof: Proof, key: Key, budget: ProofTime) -> bool:
    try:
        proof.take(key, figures_of(proof.scenario_of(key), budget.is_over))
    except Stopped:
        return False
    return True


def _run_apart(proof: Proof, text: str, keys: list[Key], budget: ProofTime, cores: int) -> None:
    with worker_pool(min(cores, len(keys))) as pool:
        left: dict[Future[RunFigures | None], Key] = {
            pool.submit(run_without, text, key, budget.until_s): key for key in keys
        }
        while left and not budget.is_over():
            done, _ = wait(left, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in done:
                key, found = left.pop(future), future.result()
                if found is not None:
                    proof.take(key, found)
            budget.tell(len(proof.sizes), len(left))


def run_without(text: str, key: Key, until_s: float) -> RunFigures | None:
    """The figures of a scenario without suspects, None if the time was over first."""
    scenario: Scenario = parse_scenario(text)
    try:
        return figures_of(Proof(scenario).scenario_of(key), lambda: time.time() >= until_s)
    except Stopped:
        return None
