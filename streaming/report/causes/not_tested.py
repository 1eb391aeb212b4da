"""Why causes of a run are not tested, and the command that tests them."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from simulator.causes.suspects import suspects_of
from simulator.scenario import Scenario
from streaming.outputs.dataset import RunOutput
from streaming.report.causes.cause_answer import CauseAnswer
from streaming.report.causes.output_figures import has_figures
from streaming.report.causes.proof_budget import budget_for
from streaming.report.causes.proving import why_not_provable
from streaming.report.fault_times import scenario_of
from streaming.report.texts.consequence_texts import ConsequenceTexts


@dataclass(frozen=True)
class NotTested:
    """text: the sentence. budget: of `--causes`, that is enough to test all causes; "" where none is."""

    text: str
    budget: str = ""

    def as_json(self) -> dict[str, object]:
        """Plain values."""
        return {"text": self.text, "causes": self.budget or None}


def not_tested_of(output: RunOutput, answer: CauseAnswer | None) -> NotTested | None:
    """What to say where a cause is not tested; None where all are. answer: None where only the tables were read."""
    if answer is not None and not answer.is_untested:
        return None
    scenario, why = scenario_of(output), why_not_provable(output)
    if why or scenario is None:
        return NotTested(why)
    if answer is None:
        suspects = len(suspects_of(scenario))
        budget, command = _enough(output, scenario, 1 + suspects)
        if not suspects:
            return NotTested(ConsequenceTexts.TEST_NEEDS(runs=1, command=command), budget)
        return NotTested(ConsequenceTexts.TEST_NEEDS_TABLES(suspects=suspects, command=command), budget)
    tables = 0 if has_figures(output, scenario) else 1  # without them the run itself is made, too
    least, most = answer.runs_least + tables, answer.runs_most + tables
    budget, command = _enough(output, scenario, most)
    if least == most:
        return NotTested(ConsequenceTexts.TEST_NEEDS(runs=least, command=command), budget)
    return NotTested(ConsequenceTexts.TEST_NEEDS_UP_TO(least=least, most=most, command=command), budget)


def _enough(output: RunOutput, scenario: Scenario, runs: int) -> tuple[str, str]:
    """The budget for so many runs, and the command that has it."""
    budget = f"{budget_for(scenario, runs)}s"
    if output.about.get("is_temporary"):
        return budget, ConsequenceTexts.TESTED_ONCE_WRITTEN(budget=budget)
    return budget, ConsequenceTexts.TESTED_BY(out=shlex.quote(str(output.path)), budget=budget)
