"""What the causes machinery says of a found case: its consequences, each proven by leaving its causes out."""

from __future__ import annotations

from simulator.causes.consequence import LATE, Consequence
from simulator.causes.proof import prove
from simulator.experiments.words import number
from simulator.hunt.cases.case_words import comes_to
from simulator.hunt.goal import Goal
from simulator.hunt.schedule import Schedule, scenario_with
from simulator.hunt.schedule_outcome import in_a_line
from simulator.scenario import Scenario

RUNS = 12  # of a proof at most
MOST_MESSAGES = 2_000_000  # of a run whose rows are read
SAID = {
    "failed": "{} messages of {place} fail", "duplicates": "{} duplicates of messages of {place}",
    "waits": "{} messages of {place} wait long", "retries": "{} messages of {place} need more than one attempt",
    "backlog": "{place} is behind by {} messages", "unowned": "queues of {place} have no owner for {} s",
    "double_owned": "queues of {place} have two owners for {} s",
    "consumed_twice": "{place} consumes {} messages again",
    "failed_deliveries": "{} deliveries of {place} fail", "delivered_again": "{place} delivers {} messages again",
    "late_delays": "delayed messages of {place} are up to {} ms late",
    "never_sent": "{} messages of {place} are not sent",
    "revived": "{} messages come to {place} again, not acknowledged within the invisible time",
    "refused_pops": "{} pops of {place} are refused", "no_master": "{place} has no master for {} s",
}  # fmt: skip
MEASURES = ("lost", "missed", "skipped", "dead_letters")


def causes_of_case(text: str, schedule: Schedule) -> tuple[str, ...]:
    """What is proven of a schedule in a scenario's canonical text; why nothing is, if the simulator fails meanwhile."""
    try:
        return proven_causes(scenario_with(text, schedule))
    except Exception as error:  # the case stands without it
        return (f"Its causes could not be proven: the simulator failed with {in_a_line(error)}",)


def proven_causes(scenario: Scenario) -> tuple[str, ...]:
    """What happens in a run because of which faults, a sentence each, the most costly first; none of a large run."""
    if scenario.expected_messages > MOST_MESSAGES:
        return ()
    proof = prove(scenario, runs=RUNS)
    texts = {one.id: one.text for one in proof.suspects}
    said = []
    for one in proof.answer():
        if one.cost <= LATE and one.because and one.proven:
            causes = (" or " if one.each_would_do else " and ").join(texts.get(name, name) for name in one.because)
            left = "; ".join(f"without {texts.get(name, name)}: {number(one.without[name])}" for name in one.because
                             if name in one.without)  # fmt: skip
            said.append(f"{what_happens(one)}, because {causes}" + (f" ({left})" if left else ""))
    return tuple(said)


def what_happens(one: Consequence) -> str:
    """A consequence with its size, as a sentence without its end."""
    if one.kind in MEASURES:
        measure = one.kind if one.kind == "lost" else f"{one.kind}[{one.place}]"
        return comes_to(Goal(measure, "==", 0.0), {measure: float(round(one.size))})
    return SAID[one.kind].format(f"{round(one.size):,}", place=one.place)
