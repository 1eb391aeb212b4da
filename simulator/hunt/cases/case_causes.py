"""What the causes machinery says of a found case: its consequences, each proven by leaving its causes out."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.causes.consequence import LATE, Consequence
from simulator.causes.proof import prove
from simulator.experiments.words import number
from simulator.hunt.cases.case_words import comes_to
from simulator.hunt.goal import Goal
from simulator.hunt.schedule import Schedule, scenario_with
from simulator.hunt.schedule_outcome import in_a_line
from simulator.hunt.texts.hunt_texts import CauseTexts
from simulator.scenario import Scenario
from state.texts import Text, joined

RUNS = 12  # of a proof at most
MOST_MESSAGES = 2_000_000  # of a run whose rows are read
SAID: dict[str, Text] = {
    "failed": CauseTexts.FAILED, "duplicates": CauseTexts.DUPLICATES, "waits": CauseTexts.WAITS,
    "retries": CauseTexts.RETRIES, "backlog": CauseTexts.BACKLOG, "unowned": CauseTexts.UNOWNED,
    "double_owned": CauseTexts.DOUBLE_OWNED, "consumed_twice": CauseTexts.CONSUMED_TWICE,
    "failed_deliveries": CauseTexts.FAILED_DELIVERIES, "delivered_again": CauseTexts.DELIVERED_AGAIN,
    "late_delays": CauseTexts.LATE_DELAYS, "never_sent": CauseTexts.NEVER_SENT, "revived": CauseTexts.REVIVED,
    "refused_pops": CauseTexts.REFUSED_POPS, "lost_pops": CauseTexts.LOST_POPS, "no_master": CauseTexts.NO_MASTER,
    "late_transactions": CauseTexts.LATE_TRANSACTIONS, "readable_twice": CauseTexts.READABLE_TWICE,
    "failed_starts": CauseTexts.FAILED_STARTS,
}  # fmt: skip
MEASURES = ("lost", "missed", "skipped", "dead_letters")


def causes_of_case(text: str, schedule: Schedule) -> tuple[str, ...]:
    """What is proven of a schedule in a scenario's canonical text; why nothing is, if the simulator fails meanwhile."""
    try:
        return proven_causes(scenario_with(text, schedule))
    except Exception as error:  # the case stands without it
        return (CauseTexts.NOT_PROVEN(error=in_a_line(error)),)


def proven_causes(scenario: Scenario) -> tuple[str, ...]:
    """What happens in a run because of which faults, a sentence each, the most costly first; none of a large run."""
    if scenario.expected_messages > MOST_MESSAGES:
        return ()
    proof = prove(scenario, runs=RUNS)
    texts = {one.id: one.text for one in proof.suspects}
    said = []
    for one in proof.answer():
        if one.cost <= LATE and one.because and one.proven:
            link = " or " if one.each_would_do else " and "
            causes = joined(link, [texts.get(name, name) for name in one.because])
            runs = joined("; ", [
                CauseTexts.WITHOUT(which=which, left=number(one.without[name]))
                for name, which in zip(one.because, _left_out(one, texts), strict=True) if name in one.without
            ])  # fmt: skip
            left = CauseTexts.WITHOUT_THEM(runs=runs) if runs else ""
            said.append(CauseTexts.BECAUSE(consequence=what_happens(one), causes=causes, without=left))
    return tuple(said)


def _left_out(one: Consequence, texts: Mapping[str, str]) -> list[str]:
    """What stands for each cause that was left out, in the sentence that has named them all."""
    if len(one.because) == 1:
        return [CauseTexts.IT()]
    if len(one.because) == 2:
        return [CauseTexts.FIRST_OF_TWO(), CauseTexts.SECOND_OF_TWO()]
    return [texts.get(name, name) for name in one.because]


def what_happens(one: Consequence) -> str:
    """A consequence with its size, as a sentence without its end."""
    if one.kind in MEASURES:
        measure = one.kind if one.kind == "lost" else f"{one.kind}[{one.place}]"
        return comes_to(Goal(measure, "==", 0.0), {measure: float(round(one.size))})
    return SAID[one.kind](size=f"{round(one.size):,}", place=one.place)
