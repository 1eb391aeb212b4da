"""An experiment's objectives as a JUnit file: a case an objective and arm, with the interval in the message."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from xml.etree import ElementTree as Xml

from simulator.experiments.objective import Objective
from simulator.experiments.result import ExperimentResult
from simulator.experiments.texts.verdict_texts import VerdictTexts
from simulator.experiments.verdict import not_measured
from simulator.experiments.words import NEVER
from streaming.texts.command_result_texts import CommandResultTexts
from streaming.texts.experiment_texts import ExperimentTexts

CANNOT_TELL = "cannot tell"


def junit(result: ExperimentResult) -> str:
    """The file's text. An objective that is missed is a failure. One that the runs cannot tell is an error in an arm
    that is judged, and skipped in another.
    """
    study = result.study
    experiment = study.loaded.experiment
    suite = Xml.Element("testsuite", name=experiment.name)
    for arm in study.loaded.arms:
        for objective in experiment.objectives:
            suite.append(_case(result, arm, objective, decides=arm in experiment.judged_arms))
    suite.extend(_search(result))
    if result.interrupted:
        case = Xml.SubElement(suite, "testcase", classname="experiment", name="all runs")
        Xml.SubElement(case, "error", message=ExperimentTexts.STOPPED())
    for kind, counted in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(counted, str(len(suite.findall(f"testcase/{kind}"))))
    suite.set("tests", str(len(suite.findall("testcase"))))
    return '<?xml version="1.0" encoding="utf-8"?>\n' + Xml.tostring(suite, encoding="unicode") + "\n"


def _case(result: ExperimentResult, arm: str, objective: Objective, *, decides: bool) -> Xml.Element:
    study = result.study
    case = Xml.Element("testcase", classname=f"arm {arm}", name=str(objective))
    found, held = study.interval(arm, objective.measure), study.holds(arm, (objective,))
    if found is None:
        text = not_measured(study, arm, objective.measure)
    elif missing := study.unmeasured(arm, objective.measure):
        text = CommandResultTexts.NOT_MEASURED_IN(
            measure=objective.measure, missing=missing, runs=len(study.runs_of(arm))
        )
    elif found.low is None or found.high is None:
        text = CommandResultTexts.MEASURED_ONCE(measure=objective.measure, mean=_figure(found.mean))
    elif held is False and 0 < found.endless < found.runs:
        text = VerdictTexts.ENDLESS_IN(measure=objective.measure, endless=found.endless, runs=found.runs)
    else:
        runs, confidence = len(study.runs_of(arm)), study.loaded.experiment.confidence
        interval = f"{_figure(found.low)} to {_figure(found.high)}, {confidence} %, {runs} runs"
        text = CommandResultTexts.MEASURED(measure=objective.measure, mean=_figure(found.mean), interval=interval)
    _end(case, held, text, decides=decides)
    return case


def _figure(value: float) -> str:
    """A figure of a measure; without end it is not within the run."""
    return f"{value:.6g}" if isfinite(value) else NEVER


def _search(result: ExperimentResult) -> Iterator[Xml.Element]:
    find = result.study.loaded.experiment.find
    if find is None:
        return
    case = Xml.Element("testcase", classname="search", name=f"{find.key} such that all objectives hold")
    found = result.study.found_arm()
    _end(case, result.search_holds, f"answer: {found or 'none of the values that were tried'}", decides=True)
    yield case


def _end(case: Xml.Element, held: bool | None, text: str, *, decides: bool) -> None:
    verdict = "holds" if held else CANNOT_TELL if held is None else "missed"
    if held is not True:
        kind = "failure" if held is False else "error" if decides else "skipped"
        Xml.SubElement(case, kind, message=f"{verdict}: {text}").text = text
    Xml.SubElement(case, "system-out").text = f"{verdict}: {text}"
