"""The causes of an output folder: read from beside it, or proven now within a budget of work."""

from __future__ import annotations

import os
import time
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path

from rich.console import Console

from simulator.causes.judgement import Key
from simulator.causes.poison import blocking_message
from simulator.causes.proof import BASE, Proof
from simulator.causes.run_figures import Beat, RunFigures, figures_of
from simulator.scenario import Scenario, parse_scenario
from streaming.outputs.dataset import RunOutput, open_output
from streaming.report.causes.cause_answer import CauseAnswer, answer_of, read_answer, write_answer
from streaming.report.causes.output_figures import figures_of_output, scenario_so_far
from streaming.report.causes.proof_budget import ProofBudget, runs_within
from streaming.report.fault_times import scenario_of
from streaming.report.texts.consequence_texts import ConsequenceTexts
from streaming.runner.worker_pool import worker_pool

WORTH_PROCESSES_S = 4.0  # of work that is left: a process takes about two seconds to start


def untested_answer(output: RunOutput) -> CauseAnswer | None:
    """What stands out and what probably caused it; None where the output does not show it."""
    proof = _begun(output)
    return None if proof is None else answer_of(proof)


def known_answer(output: RunOutput) -> CauseAnswer | None:
    """What is kept beside the output, else what only happened at the same time."""
    return read_answer(output) or untested_answer(output)


def prove_output(dir: str | Path, budget_s: float, console: Console | None = None) -> None:
    """Prove the causes of what stands out in a finished run, unless they are known, and keep them beside it.

    What the budget proves is the same on every machine. Nothing is proven of a run that is not finished, has no end, or
    is not of its scenario's own events. Ctrl-C ends it: what was not reached stays untested. Raises InputError if the
    folder is no output.
    """
    output = open_output(dir)
    known = read_answer(output)
    if budget_s <= 0 or why_not_provable(output):
        return
    if known is not None and (known.is_complete or known.budget_s >= budget_s):
        return
    scenario = scenario_of(output)
    runs = 0 if scenario is None else runs_within(scenario, budget_s)
    if not runs:
        return
    budget = ProofBudget(runs, console)
    try:
        proof, is_whole = _proven(output, budget)
    finally:
        budget.close()
    if proof is not None and proof.found:
        try:
            write_answer(output, answer_of(proof, budget_s if is_whole else 0.0))
        except OSError:
            return  # a folder that cannot be written has a report without causes


def _proven(output: RunOutput, budget: ProofBudget) -> tuple[Proof | None, bool]:
    """The proof as far as the budget and Ctrl-C let it come, None where it has not even begun; whether nobody
    stopped it."""
    proof: Proof | None = None
    try:
        proof = _begun(output, budget.show) or _rerun(output, budget)
        if proof is not None and proof.found:
            prove_within(proof, str(output.about["scenario_yaml"]), budget)
            _name_blocking(proof, budget)
    except KeyboardInterrupt:
        if budget.console is not None:
            budget.console.print(ConsequenceTexts.STOPPED(), style="dim", highlight=False)
        return proof, False
    return proof, True


def why_not_provable(output: RunOutput) -> str:
    """Why no budget is enough to prove the causes of a run, as a sentence; "" if one is."""
    about, scenario = output.about, scenario_of(output)
    if about.get("forever"):
        return ConsequenceTexts.NOT_PROVEN_ENDLESS()
    if not about["finished"]:
        return ConsequenceTexts.NOT_PROVEN_UNFINISHED()
    if about.get("reloads"):
        return ConsequenceTexts.NOT_PROVEN_RELOADED()
    if output.removed_before_us:
        return ConsequenceTexts.NOT_PROVEN_REMOVED()
    if scenario is None or scenario.digest() != about.get("digest"):
        return ConsequenceTexts.NOT_PROVEN_OTHER_EVENTS()
    return ""


def _begun(output: RunOutput, beat: Beat = lambda: None) -> Proof | None:
    scenario = scenario_of(output)
    figures = None if scenario is None else figures_of_output(output, scenario, beat)
    if scenario is None or figures is None:
        return None
    proof = Proof(scenario_so_far(scenario, output))
    proof.take(BASE, figures)
    return proof


def _rerun(output: RunOutput, budget: ProofBudget) -> Proof | None:
    """The proof of an output without the tables that figures need: its run is done once more."""
    scenario = scenario_of(output)
    if scenario is None:
        return None
    proof = Proof(scenario)
    budget.runs_left -= 1
    _run_here(proof, BASE, budget)
    return proof


def prove_within(proof: Proof, text: str, budget: ProofBudget, processes: int | None = None) -> None:
    """Do the runs that a proof wants: first those without one suspect, then those without two. `text`: the scenario.

    Which runs are done does not depend on how they are done, here while they are short, else in processes.
    """
    cores = processes or os.cpu_count() or 1
    while keys := proof.wanted()[: budget.runs_left]:
        budget.runs_left -= len(keys)
        runs = len(proof.sizes) + len(keys)
        while keys:
            budget.tell(len(proof.sizes), runs)
            began_s = time.monotonic()
            _run_here(proof, keys.pop(0), budget)
            took_s = time.monotonic() - began_s
            if cores > 1 and took_s * len(keys) > WORTH_PROCESSES_S and len(keys) > 1:
                _run_apart(proof, text, keys, budget, cores)
                break


def _name_blocking(proof: Proof, budget: ProofBudget) -> None:
    for group in proof.groups_blocked():
        found = blocking_message(proof.scenario, group, budget.show)
        proof.name_blocking(group, f"{found.times} {found.text}" if found is not None else "")


def _run_here(proof: Proof, key: Key, budget: ProofBudget) -> None:
    proof.take(key, figures_of(proof.scenario_of(key), budget.show))


def _run_apart(proof: Proof, text: str, keys: list[Key], budget: ProofBudget, cores: int) -> None:
    runs = len(proof.sizes) + len(keys)
    with worker_pool(min(cores, len(keys))) as pool:
        left: dict[Future[RunFigures], Key] = {pool.submit(run_without, text, key): key for key in keys}
        while left:
            done, _ = wait(left, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in done:
                proof.take(left.pop(future), future.result())
            budget.tell(len(proof.sizes), runs)


def run_without(text: str, key: Key) -> RunFigures:
    """The figures of a scenario without suspects."""
    scenario: Scenario = parse_scenario(text)
    return figures_of(Proof(scenario).scenario_of(key))
