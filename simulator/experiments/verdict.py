"""What an experiment says, in sentences: a difference only where the runs show one, and the objectives' answers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from simulator.experiments.experiment import Find
from simulator.experiments.experiment_measures import MEASURES, plain
from simulator.experiments.intervals import Interval
from simulator.experiments.objective import Objective
from simulator.experiments.same_because import same_because
from simulator.experiments.study import Study
from simulator.experiments.words import (
    OF_CONSUMERS,
    OF_LATER,
    arm_in_words,
    listed,
    number,
    of_consumers,
    of_later,
    plus_minus,
    some,
    with_ends,
    with_unit,
)
from simulator.experiments.words import apart as difference_of
from simulator.scenario.checks.utilisation import busiest_broker, busiest_with_one_gone, consumer_utilisation

# Reported of a difference, in this order; the other measures are in the tables.
LOSSES = {"lost": "acknowledged", "lost_unseen": "one-way", "not_stored": "failed"}
ALWAYS_SHOWN = (
    "lost",
    "lost_unseen",
    "failed_percent",
    "p99_ms",
    "no_master_s",
    "not_stored",
    "mean_ms",
    "copies_per_message",
    "attempts_per_message",
    "max_queue_share_percent",
    "recovery_s",
)
TOO_SMALL = 0.01  # a difference below this part of the base's value is not worth a sentence; of losses every one is
MOST_PARTS = 4
UNSHOWN = ("lost", "lost_unseen")  # reported even where the runs do not show the difference


def verdict(study: Study) -> list[str]:
    """The sentences, the most telling first."""
    return [*_found(study), *_arms(study), *_objectives(study), *_precision(study)]


def shows(found: Interval) -> bool:
    """Whether a difference's interval leaves 0 out."""
    return found.low is not None and found.high is not None and (found.low > 0 or found.high < 0)


def _matters(study: Study, measure: str, found: Interval) -> bool:
    own = study.interval(study.loaded.experiment.base_arm, measure)
    return shows(found) and (measure in LOSSES or own is None or abs(found.mean) >= TOO_SMALL * abs(own.mean))


def _part(study: Study, arm: str, measure: str, apart: Interval) -> str:
    ours, theirs = study.interval(arm, measure), study.interval(study.loaded.experiment.base_arm, measure)
    assert ours is not None
    assert theirs is not None
    if plain(measure) in OF_CONSUMERS:
        return of_consumers(measure, ours.mean, theirs.mean)
    if measure in OF_LATER:
        return of_later(measure, ours.mean, theirs.mean)
    if measure == "failed_percent":
        return f"fails {plus_minus(ours, measure)} instead of {plus_minus(theirs, measure)}"
    if measure in ("p99_ms", "mean_ms"):
        name = {"p99_ms": "p99", "mean_ms": "the mean"}[measure]
        way = "lower" if apart.mean < 0 else "higher"
        size, one, other = difference_of(ours.mean, theirs.mean)
        return f"{name} is {size} {MEASURES[measure].unit} {way} ({one} instead of {other})"
    if measure in LOSSES:
        _, one, other = difference_of(ours.mean, theirs.mean)
        verb = "does not store" if measure == "not_stored" else "loses"
        ends = "" if apart.low is None or apart.high is None else f", {_signed(apart)}"
        return f"{verb} {one} {LOSSES[measure]} messages per run instead of {other}{ends}"
    if measure == "copies_per_message":
        more, before = ours.mean - 1, theirs.mean - 1
        if more > 0 and before > 0 and not 0.5 < more / before < 2:
            times = f"{number(more / before)} times" if more > before else f"1/{number(before / more)} of"
            return f"stores {times} as many duplicates" if more > before else f"stores {times} the duplicates"
        copies = "copy" if number(ours.mean) == "1" else "copies"
        return f"stores {number(ours.mean)} {copies} of a message instead of {number(theirs.mean)}"
    if measure == "attempts_per_message":
        return f"makes {number(ours.mean)} attempts for a message instead of {number(theirs.mean)}"
    if measure == "no_master_s":
        return f"is without a master for {plus_minus(ours, measure)} instead of {plus_minus(theirs, measure)}"
    if measure == "max_queue_share_percent":
        return f"puts {number(ours.mean)} % instead of {number(theirs.mean)} % on its busiest queue"
    return recovery(ours.mean, theirs.mean)


def recovery(ours_s: float, theirs_s: float) -> str:
    """When an arm recovers, and when the base does; infinite is not within the run."""
    after, before = (f"after {with_unit(seconds, 'recovery_s')}" for seconds in (ours_s, theirs_s))
    if math.isinf(ours_s):
        return f"does not recover within the run instead of {before}"
    if math.isinf(theirs_s):
        return f"recovers {after} instead of not at all within the run"
    return f"recovers {after} instead of {before.removeprefix('after ')}"


def _shown_measures(study: Study) -> list[str]:
    """The measures that are reported of a difference, in their order."""
    groups = study.scenario(study.loaded.experiment.base_arm).consumers
    return [*ALWAYS_SHOWN, *OF_LATER, *(f"{measure}[{group}]" for group in groups for measure in OF_CONSUMERS)]


def _few(found: Mapping[str, Interval]) -> list[str]:
    """The first differences; if all of them are for the better, or all for the worse, the first of the others, too."""
    names = list(found)
    few, rest = names[:MOST_PARTS], names[MOST_PARTS:]
    better = {found[name].mean < 0 for name in few}
    other = [name for name in rest if (found[name].mean < 0) not in better]
    return [*few[:-1], other[0]] if len(better) == 1 and other else few


def _arms(study: Study) -> Iterator[str]:
    base = study.loaded.experiment.base_arm
    for arm in study.loaded.arms:
        if arm == base or not study.runs_of(arm):
            continue
        said, against = arm_in_words(arm), arm_in_words(base)
        found = {name: study.difference(arm, name) for name in study.measures(arm)}
        if all(apart is not None and apart.mean == apart.low == apart.high == 0 for apart in found.values()):
            why = same_because(study, arm)
            same = f"{said} and {against} are the same: every measure differs by exactly 0 in every pair of runs"
            yield f"{same}: {why}." if why else f"{same}."
            continue
        telling = {name: found[name] for name in _shown_measures(study) if found.get(name) is not None}
        mattering = {name: own for name, own in telling.items() if own and _matters(study, name, own)}
        of_groups = [name for name in mattering if plain(name) in OF_CONSUMERS or name in OF_LATER]
        others = {name: own for name, own in mattering.items() if name not in of_groups}
        few = [*_few(others), *of_groups[: MOST_PARTS + 1]]
        parts = [_part(study, arm, name, mattering[name]) for name in few]
        parts += [
            f"{_part(study, arm, name, own)}, which these runs do not show"
            for name, own in telling.items()
            if own and name in UNSHOWN and own.mean and not shows(own)
        ]
        if parts:
            mark = ":" if parts[0].startswith(("p99", "the mean")) else ""
            yield f"{said}{mark} {'; '.join(parts)} (against {against}){_no_fewer_failures(study, arm, found)}."
        else:
            pairs = min(len(study.runs_of(arm)), len(study.runs_of(base)))
            runs = "one pair" if pairs == 1 else f"these {some(pairs, 'pair')}"
            yield f"{said} against {against}: no difference worth telling that {runs} of runs can show."


def _signed(apart: Interval) -> str:
    """The ends of a difference with their signs."""
    assert apart.low is not None
    assert apart.high is not None
    return f"{'+' if apart.mean > 0 else ''}{number(apart.mean)} ({number(apart.low)} to {number(apart.high)})"


def _no_fewer_failures(study: Study, arm: str, found: Mapping[str, Interval | None]) -> str:
    """That exactly as many messages fail although there are failures, and why."""
    apart, own = found.get("failed_percent"), study.interval(study.loaded.experiment.base_arm, "failed_percent")
    if apart is None or own is None or not own.mean or not apart.mean == apart.low == apart.high == 0:
        return ""
    why = same_because(study, arm)
    return f"; exactly as many messages fail in every pair of runs{f': {why}' if why else ''}"


def _why(
    study: Study, arm: str, objectives: tuple[Objective, ...], want: bool | None, confidence: float | None = None
) -> str:
    reasons = []
    for objective in objectives:
        found = study.interval(arm, objective.measure, confidence)
        if found is None:
            reasons.append(f"{objective.measure} was not measured")
        elif missing := study.unmeasured(arm, objective.measure):
            reasons.append(
                f"{objective.measure} was not measured in {missing} of {some(len(study.runs_of(arm)), 'run')}"
            )
        elif objective.holds(found) is want:
            figure = with_ends if want is None else plus_minus
            reasons.append(f"{objective.measure} is {figure(found, objective.measure)}")
    return listed(reasons)


def _objectives(study: Study) -> Iterator[str]:
    objectives = study.loaded.experiment.objectives
    if not objectives:
        return
    answers = {arm: study.holds(arm, objectives) for arm in study.loaded.arms if study.runs_of(arm)}
    what = listed([str(objective) for objective in objectives])
    fulfilling = [arm for arm, held in answers.items() if held]
    if fulfilling:
        verb = "hold" if len(objectives) > 1 else "holds"
        whose = (
            "every arm" if len(fulfilling) == len(answers) > 1 else listed([arm_in_words(arm) for arm in fulfilling])
        )
        yield f"{what} {verb} for {whose}."
    for arm, held in answers.items():
        if held is True:
            continue
        open_ones = [one for one in objectives if study.holds(arm, (one,)) is held]
        what, why = listed([str(one) for one in open_ones]), _why(study, arm, tuple(open_ones), held)
        if held is False:
            yield f"{arm_in_words(arm)} misses {what}: {why}."
        else:
            yield f"{arm_in_words(arm)}: these runs cannot tell whether {what}: {why}."


def _found(study: Study) -> Iterator[str]:
    find, state = study.loaded.experiment.find, study.search()
    if find is None or state is None:
        return
    what = listed([str(objective) for objective in find.such_that])
    values, which = find.values(), "smallest" if find.smallest else "greatest"
    if state.wanted:
        yield f"The search for the {which} {find.key} is not finished: {len(state.tried)} values are tried."
        return
    if state.answer is None:
        last = study.searched_arm(values[-1] if find.smallest else values[0])
        why = _missed(study, last, find)
        yield f"No {find.key} from {values[0]} to {values[-1]} is shown to hold {what}; at the easiest end {why}."
        return
    answer, arm = values[state.answer], study.searched_arm(values[state.answer])
    text = f"{answer} is the {which} {find.key} for which {what} (confidence {find.confidence} %)"
    beside = state.answer + (-1 if find.smallest else 1)
    if beside in state.tried:
        why = _missed(study, study.searched_arm(values[beside]), find)
        text += f": there {_why(study, arm, find.such_that, True, find.confidence)}; at {values[beside]} {why}"
    else:
        text += ", the end of the range"
    yield text + "."
    yield from _headroom(study, arm)
    if not state.monotone:
        yield f"The objectives are not monotone in {find.key}: one further in misses them, or one further out holds."


def _headroom(study: Study, arm: str) -> Iterator[str]:
    """How loaded what is searched for is with an answer, at peak and with one of them gone: brokers, or a group."""
    find, scenario = study.loaded.experiment.find, study.scenario(arm)
    group = find.group if find is not None else None
    if group is None:
        busy, alone = busiest_broker(scenario), busiest_with_one_gone(scenario)
        whose, gone = "the busiest broker's send threads", "one broker"
    else:
        busy, alone = consumer_utilisation(scenario, group), consumer_utilisation(scenario, group, 1)
        whose, gone = f"{group}'s consume threads", "one instance"
    if busy is None:
        return
    text = f"Utilisation at peak is {number(100 * busy.utilisation)} % of {whose}"
    worst = busy
    if alone is not None:
        text += f", {number(100 * alone.utilisation)} % with {gone} gone"
        worst = alone
    left = f"headroom {number(100 * (1 - worst.utilisation))} %" if worst.utilisation < 1 else "no headroom"
    yield f"{text}: {left}."


def _missed(study: Study, arm: str, find: Find) -> str:
    """What a value of a search misses, or what its runs cannot tell."""
    missed = _why(study, arm, find.such_that, False, find.confidence)
    return missed or f"these runs cannot tell: {_why(study, arm, find.such_that, None, find.confidence)}"


def _precision(study: Study) -> Iterator[str]:
    precision = study.loaded.experiment.precision
    if precision is None:
        return
    for arm in study.loaded.arms:
        runs = len(study.runs_of(arm))
        wide = study.too_wide(arm)
        if not wide and runs:
            yield f"{arm_in_words(arm)}: as narrow as asked after {some(runs, 'run')}."
        elif runs >= precision.runs:
            limit = f"the limit of {some(runs, 'run')} was reached"
            yield f"{arm_in_words(arm)}: {limit} before {listed(wide)} was as narrow as asked."
