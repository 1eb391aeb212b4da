"""What an experiment says, in sentences: a difference only where the runs show one, and the objectives' answers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from simulator.experiments.experiment import Find
from simulator.experiments.experiment_measures import MEASURES, plain
from simulator.experiments.failed_latency import latency_of_failures
from simulator.experiments.intervals import Interval, runs_for_median, shows
from simulator.experiments.objective import Objective
from simulator.experiments.same_because import same_because
from simulator.experiments.study import Study
from simulator.experiments.texts.verdict_texts import VerdictTexts
from simulator.experiments.words import (
    OF_CONSUMERS,
    OF_LATER,
    arm_in_words,
    number,
    of_consumers,
    of_later,
    plus_minus,
    with_ends,
    with_unit,
)
from simulator.experiments.words import apart as difference_of
from simulator.scenario.checks.utilisation import (
    busiest_broker,
    busiest_with_one_gone,
    consumer_utilisation,
    has_rates,
)
from state.texts import Sentence, Text, joined, listed

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
FIGURES = {"p99_ms": "p99", "mean_ms": "the mean"}
WITH_ENDS: dict[str, Text] = {"failed_percent": VerdictTexts.FAILS, "no_master_s": VerdictTexts.NO_MASTER}
IN_NUMBERS: dict[str, Text] = {
    "attempts_per_message": VerdictTexts.ATTEMPTS,
    "max_queue_share_percent": VerdictTexts.BUSIEST_QUEUE,
}
UNSHOWN = ("lost", "lost_unseen")  # reported even where the runs do not show the difference


def verdict(study: Study) -> list[str]:
    """The sentences, the most telling first."""
    return [*_found(study), *_arms(study), *latency_of_failures(study), *_objectives(study), *_precision(study)]


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
    if measure in WITH_ENDS:
        return WITH_ENDS[measure](ours=plus_minus(ours, measure), theirs=plus_minus(theirs, measure))
    size, one, other = difference_of(ours.mean, theirs.mean)
    if measure in FIGURES:
        text, unit = VerdictTexts.LOWER if apart.mean < 0 else VerdictTexts.HIGHER, MEASURES[measure].unit
        return text(figure=FIGURES[measure], size=size, unit=unit, ours=one, theirs=other)
    if measure in LOSSES:
        text = VerdictTexts.NOT_STORED if measure == "not_stored" else VerdictTexts.LOSES
        ends = "" if apart.low is None or apart.high is None else _signed(apart)
        return text(ours=one, kind=LOSSES[measure], theirs=other, apart=ends)
    if measure == "copies_per_message":
        return _copies(ours.mean, theirs.mean)
    if measure in IN_NUMBERS:
        return IN_NUMBERS[measure](ours=number(ours.mean), theirs=number(theirs.mean))
    return recovery(ours.mean, theirs.mean)


def _copies(ours: float, theirs: float) -> str:
    """Copies of a message, or how many times the duplicates of the base."""
    more, before = ours - 1, theirs - 1
    if more > 0 and before > 0 and not 0.5 < more / before < 2:
        if more > before:
            return VerdictTexts.DUPLICATES_TIMES(times=number(more / before))
        return VerdictTexts.DUPLICATES_PART(part=number(before / more))
    if number(ours) == "1":
        return VerdictTexts.ONE_COPY(theirs=number(theirs))
    return VerdictTexts.COPIES(ours=number(ours), theirs=number(theirs))


def recovery(ours_s: float, theirs_s: float) -> str:
    """When an arm recovers, and when the base does; infinite is not within the run."""
    after, before = (with_unit(seconds, "recovery_s") for seconds in (ours_s, theirs_s))
    if math.isinf(ours_s):
        return VerdictTexts.NO_RECOVERY(theirs=before)
    if math.isinf(theirs_s):
        return VerdictTexts.RECOVERS_WHERE_BASE_NOT(ours=after)
    return VerdictTexts.RECOVERS(ours=after, theirs=before)


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
            yield VerdictTexts.SAME(arm=said, base=against, because=_because(study, arm))
            continue
        telling = {name: found[name] for name in _shown_measures(study) if found.get(name) is not None}
        mattering = {name: own for name, own in telling.items() if own and _matters(study, name, own)}
        of_groups = [name for name in mattering if plain(name) in OF_CONSUMERS or name in OF_LATER]
        others = {name: own for name, own in mattering.items() if name not in of_groups}
        few = [*_few(others), *of_groups[: MOST_PARTS + 1]]
        parts = [_part(study, arm, name, mattering[name]) for name in few]
        parts += [
            VerdictTexts.NOT_SHOWN(difference=_part(study, arm, name, own))
            for name, own in telling.items()
            if own and name in UNSHOWN and own.mean and not shows(own)
        ]
        if parts:
            # Some differences say what the arm does, others what is so in it.
            mark = ":" if few and (few[0] in FIGURES or _is_of_others(parts[0], study)) else ""
            failures, differences = _no_fewer_failures(study, arm, found), joined("; ", parts)
            yield VerdictTexts.DIFFERS(arm=said, mark=mark, differences=differences, base=against, failures=failures)
        else:
            pairs = min(len(study.runs_of(arm)), len(study.runs_of(base)))
            if pairs == 1:
                yield VerdictTexts.NO_DIFFERENCE_OF_A_PAIR(arm=said, base=against)
            else:
                yield VerdictTexts.NO_DIFFERENCE(arm=said, base=against, pairs=pairs)


def _is_of_others(part: str, study: Study) -> bool:
    """Whether a difference begins with a group, its queues or a count, not with what the arm does."""
    subjects = ("queues", *study.scenario(study.loaded.experiment.base_arm).consumers)
    return part[0].isdigit() or part.startswith(tuple(f"{subject} " for subject in subjects))


def _because(study: Study, arm: str) -> str:
    why = same_because(study, arm)
    return VerdictTexts.BECAUSE(why=why) if why else ""


def _signed(apart: Interval) -> str:
    """The ends of a difference with their signs."""
    assert apart.low is not None
    assert apart.high is not None
    size = f"{'+' if apart.mean > 0 else ''}{number(apart.mean)}"
    return VerdictTexts.SIGNED(apart=size, low=number(apart.low), high=number(apart.high))


def _no_fewer_failures(study: Study, arm: str, found: Mapping[str, Interval | None]) -> str:
    """That exactly as many messages fail although there are failures, and why."""
    apart, own = found.get("failed_percent"), study.interval(study.loaded.experiment.base_arm, "failed_percent")
    if apart is None or own is None or not own.mean or not apart.mean == apart.low == apart.high == 0:
        return ""
    return VerdictTexts.SAME_FAILURES(because=_because(study, arm))


def not_measured(study: Study, arm: str, measure: str) -> Sentence:
    """That no run of an arm has a measure; of a consumer group that had no message, why."""
    group, measured = measure.partition("[")[2].removesuffix("]"), study.measures(arm)
    none = group in study.scenario(arm).consumers and measured and f"lag_max[{group}]" not in measured
    why = VerdictTexts.NO_MESSAGES(group=group) if none else ""
    return VerdictTexts.NOT_MEASURED(measure=measure, why=why)


def _why(
    study: Study, arm: str, objectives: tuple[Objective, ...], want: bool | None, confidence: float | None = None
) -> str:
    reasons: list[str] = []
    for objective in objectives:
        found = study.interval(arm, objective.measure, confidence)
        if found is None:
            reasons.append(not_measured(study, arm, objective.measure))
        elif missing := study.unmeasured(arm, objective.measure):
            runs = len(study.runs_of(arm))
            reasons.append(VerdictTexts.NOT_MEASURED_IN(measure=objective.measure, missing=missing, runs=runs))
        elif want is None and objective.is_just_met_by(found):
            just = VerdictTexts.JUST_MET(
                measure=objective.measure,
                figure=number(found.mean),
                runs=len(study.runs_of(arm)),
                beyond=objective.beyond,
            )
            reasons.append(just)
        elif want is False and 0 < found.endless < found.runs and objective.holds(found) is False:
            endless = VerdictTexts.ENDLESS_IN(measure=objective.measure, endless=found.endless, runs=found.runs)
            reasons.append(endless)
        elif want is None and not found.is_sure and objective.holds(replace(found, is_sure=True)):
            sure = study.loaded.experiment.confidence if confidence is None else confidence
            few = VerdictTexts.TOO_FEW_RUNS(
                measure=objective.measure,
                figure=with_ends(found, objective.measure),
                confidence=number(sure),
                runs=runs_for_median(sure),
            )
            reasons.append(few)
        elif objective.holds(found) is want:
            figure = with_ends if want is None else plus_minus
            none = want is None and objective.is_of_none and not found.mean
            text = VerdictTexts.IS_NONE if none and found.high else VerdictTexts.IS
            reasons.append(text(measure=objective.measure, figure=figure(found, objective.measure)))
    return listed(reasons)


def _objectives(study: Study) -> Iterator[str]:
    objectives = study.loaded.experiment.objectives
    if not objectives:
        return
    answers = {arm: study.holds(arm, objectives) for arm in study.loaded.arms if study.runs_of(arm)}
    what = listed([str(objective) for objective in objectives])
    fulfilling = [arm for arm, held in answers.items() if held]
    if fulfilling:
        is_every = len(fulfilling) == len(answers) > 1
        whose = VerdictTexts.EVERY_ARM() if is_every else listed([arm_in_words(arm) for arm in fulfilling])
        yield VerdictTexts.HOLDS(objectives=what, count=len(objectives), whose=whose)
    for arm, held in answers.items():
        if held is True:
            continue
        open_ones = [one for one in objectives if study.holds(arm, (one,)) is held]
        what, why = listed([str(one) for one in open_ones]), _why(study, arm, tuple(open_ones), held)
        text = VerdictTexts.MISSES if held is False else VerdictTexts.CANNOT_TELL
        yield text(arm=arm_in_words(arm), objectives=what, why=why)


def _found(study: Study) -> Iterator[str]:
    find, state = study.loaded.experiment.find, study.search()
    if find is None or state is None:
        return
    what = listed([str(objective) for objective in find.such_that])
    values, which = find.values(), "smallest" if find.smallest else "greatest"
    if state.wanted:
        yield VerdictTexts.SEARCH_UNFINISHED(which=which, key=find.key, tried=len(state.tried))
        return
    if state.answer is None:
        last = study.searched_arm(values[-1] if find.smallest else values[0])
        missed = _missed(study, last, find)
        yield VerdictTexts.NO_VALUE(key=find.key, first=values[0], last=values[-1], objectives=what, missed=missed)
        return
    answer, arm = values[state.answer], study.searched_arm(values[state.answer])
    nearest = state.answer + (-1 if find.smallest else 1)
    if nearest in state.tried:
        missed = _missed(study, study.searched_arm(values[nearest]), find)
        why = _why(study, arm, find.such_that, True, find.confidence)
        beside = VerdictTexts.BESIDE(why=why, value=values[nearest], missed=missed)
    else:
        beside = VerdictTexts.END_OF_RANGE()
    yield VerdictTexts.ANSWER(
        answer=answer, which=which, key=find.key, objectives=what, confidence=find.confidence, beside=beside
    )
    yield from _headroom(study, arm)
    if not state.monotone:
        yield VerdictTexts.NOT_MONOTONE(key=find.key)


def _headroom(study: Study, arm: str) -> Iterator[str]:
    """How loaded what is searched for is with an answer, at peak and with one of them gone: brokers, or a group."""
    find, scenario = study.loaded.experiment.find, study.scenario(arm)
    group = find.group if find is not None else None
    if group is None:
        busy, alone = busiest_broker(scenario), busiest_with_one_gone(scenario)
        whose, with_gone = VerdictTexts.BUSIEST_BROKER(), VerdictTexts.BROKER_GONE
    else:
        busy, alone = consumer_utilisation(scenario, group), consumer_utilisation(scenario, group, 1)
        whose, with_gone = VerdictTexts.GROUP_THREADS(group=group), VerdictTexts.INSTANCE_GONE
    if busy is None or not has_rates(scenario):
        return
    left = 1 - (busy if alone is None else alone).utilisation
    yield VerdictTexts.UTILISATION(
        at_peak=number(100 * busy.utilisation),
        whose=whose,
        gone="" if alone is None else with_gone(with_gone=number(100 * alone.utilisation)),
        headroom=VerdictTexts.HEADROOM(left=number(100 * left)) if left > 0 else VerdictTexts.NO_HEADROOM(),
    )


def _missed(study: Study, arm: str, find: Find) -> str:
    """What a value of a search misses, or what its runs cannot tell."""
    missed = _why(study, arm, find.such_that, False, find.confidence)
    return missed or VerdictTexts.UNDECIDED(why=_why(study, arm, find.such_that, None, find.confidence))


def _precision(study: Study) -> Iterator[str]:
    precision = study.loaded.experiment.precision
    if precision is None:
        return
    for arm in study.loaded.arms:
        runs = len(study.runs_of(arm))
        wide = study.too_wide(arm)
        if not wide and runs:
            yield VerdictTexts.AS_NARROW_AS_ASKED(arm=arm_in_words(arm), runs=runs)
        elif runs >= precision.runs:
            yield VerdictTexts.LIMIT_REACHED(arm=arm_in_words(arm), runs=runs, measures=listed(wide))
