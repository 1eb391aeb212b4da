"""The tables of an experiment as rows of text: the same for HTML and Markdown."""

from __future__ import annotations

import math
from typing import Any

import yaml

from simulator.experiments.experiment_measures import MEASURES, why_not_measured
from simulator.experiments.intervals import Interval, shows
from simulator.experiments.result import ExperimentResult
from simulator.experiments.words import NEVER, number, plus_minus, with_unit
from streaming.experiment_page.experiment_page_texts import ExperimentPageTexts
from streaming.page_frame.text_table import TextTable

RUNS_SHOWN = 60
OF_A_RUN = (
    "failed_percent",
    "mean_ms",
    "p99_ms",
    "attempts_per_message",
    "copies_per_message",
    "lost",
    "lost_unseen",
    "not_stored",
)


def _names(result: ExperimentResult) -> list[str]:
    study = result.study
    return list(dict.fromkeys(name for arm in study.shown_arms() for name in study.measures(arm)))


def side_by_side(result: ExperimentResult) -> TextTable:
    """Every measure of every arm with its interval, and how that was found."""
    study, arms, rows = result.study, result.study.shown_arms(), []
    for name in _names(result):
        found = [study.interval(arm, name) for arm in arms]
        methods = dict.fromkeys(one.method for one in found if one is not None)
        cells = ["-" if one is None else plus_minus(one, name) for one in found]
        rows.append((name, *cells, "; ".join(methods)))
    return TextTable("Arms side by side", ("measure", *arms, "interval"), tuple(rows))


def _interval_text(apart: Interval | None, measure: str) -> str:
    if apart is None:
        return "-"
    if apart.mean == 0 and apart.low == 0 and apart.high == 0:
        return "0, the same"
    if math.isinf(apart.mean):
        when = ExperimentPageTexts.WITHIN_THE_RUN() if apart.mean < 0 else NEVER
        return ExperimentPageTexts.UNLIKE_THE_BASE(when=when, shown="" if shows(apart) else ", not shown")
    sign = "+" if apart.mean > 0 else ""
    text = f"{sign}{with_unit(apart.mean, measure)}"
    if apart.low is None or apart.high is None:
        return text
    return f"{text} ({number(apart.low)} to {number(apart.high)}){'' if shows(apart) else ', not shown'}"


def differences(result: ExperimentResult) -> TextTable | None:
    """Every measure's paired difference to the base; None if there is one arm only."""
    study, base = result.study, result.study.loaded.experiment.base_arm
    arms = [arm for arm in study.shown_arms() if arm != base]
    if not arms:
        return None
    rows = [(name, *(_interval_text(study.difference(arm, name), name) for arm in arms)) for name in _names(result)]
    return TextTable(f"Paired differences to {base}", ("measure", *arms), tuple(rows))


def search_steps(result: ExperimentResult) -> TextTable | None:
    """The values that the search tried, in order."""
    found, find = result.as_json()["find"], result.study.loaded.experiment.find
    if found is None or find is None:
        return None
    rows, study = [], result.study
    said = {True: "holds", False: "does not hold", None: ExperimentPageTexts.UNDECIDED()}
    measures = list(dict.fromkeys(one.measure for one in find.such_that))
    for place, step in enumerate(found["steps"], 1):
        arm = study.searched_arm(step["value"])
        own = [study.interval(arm, name, find.confidence) for name in measures]
        cells = ["-" if one is None else plus_minus(one, name) for one, name in zip(own, measures, strict=True)]
        rows.append((f"{place}. {step['value']}", *cells, str(len(study.runs_of(arm))), said[step["holds"]]))
    head = (find.key, *measures, "runs", "objectives")
    return TextTable("The search", head, tuple(rows))


def changes(result: ExperimentResult) -> TextTable | None:
    """What each arm changes; None where the names of a grid say it, and for one arm alone."""
    experiment = result.study.loaded.experiment
    if experiment.arms is None or len(experiment.arms) < 2:
        return None
    rows = [
        (arm, "; ".join(f"{key}: {_plainly(value)}" for key, value in keys.items()) or ExperimentPageTexts.AS_IT_IS())
        for arm, keys in experiment.arms.items()
    ]
    return TextTable("What the arms change", ("arm", "keys of the scenario"), tuple(rows))


def _plainly(value: Any) -> str:
    """A value as it is written in YAML, on one line."""
    return yaml.safe_dump([value], default_flow_style=True, width=math.inf, sort_keys=False).strip()[1:-1]


def runs(result: ExperimentResult) -> list[TextTable]:
    """The single runs of each arm: what its numbers are made of."""
    made = []
    for arm in result.study.all_arms():
        known = result.study.runs_of(arm)
        rows = [
            (str(seed), *(with_unit(run[name], name) if name in run else "-" for name in OF_A_RUN))
            for seed, run in list(known.items())[:RUNS_SHOWN]
        ]
        more = f", the first {RUNS_SHOWN} of {len(known)}" if len(known) > RUNS_SHOWN else ""
        made.append(TextTable(f"Runs of {arm}{more}", ("seed", *OF_A_RUN), tuple(rows)))
    return made


def meanings(result: ExperimentResult) -> TextTable:
    """What the measures mean, and why one has no value in any arm."""
    study = result.study
    warm_up_us, scenarios = study.loaded.experiment.warm_up_us, list(study.loaded.arms.values())
    rows = []
    for name, one in MEASURES.items():
        reasons = [why_not_measured(name, scenario, warm_up_us) for scenario in scenarios]
        missing = ExperimentPageTexts.NOT_MEASURED(why=reasons[0]) if scenarios and all(reasons) else ""
        rows.append((name, f"{one.meaning}{f' ({one.unit})' if one.unit else ''}{missing}"))
    return TextTable("What is measured", ("measure", "meaning"), tuple(rows))
