"""A hunt as a JUnit file: a case an objective, and one for each schedule of the corpus."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from streaming.hunt.run_hunt import HuntResult
from streaming.texts.hunt_run_texts import HuntRunTexts

COUNTED = {"failure": "failures", "error": "errors", "skipped": "skipped"}


def hunt_junit(result: HuntResult) -> str:
    """The file's text: an objective that some schedule misses is a failure with the sentences of its cases.

    One that no schedule could measure is an error, as one that an experiment cannot tell is.
    """
    suite = Xml.Element("testsuite", name=f"hunt: {result.loaded.name}")
    for goal in result.goals:
        found = [case.sentence for case in result.cases if str(goal) in case.all_goals]
        case = Xml.SubElement(suite, "testcase", classname="hunt", name=str(goal))
        verdict = HuntRunTexts.MISSED if found else HuntRunTexts.HOLDS
        if found:
            failure = Xml.SubElement(case, "failure", message=found[0])
            failure.text = "\n".join(found)
        elif not result.ran:
            Xml.SubElement(case, "skipped", message=HuntRunTexts.NONE_TRIED(objectives=goal))
            continue
        elif goal in result.unknown:
            Xml.SubElement(case, "error", message=HuntRunTexts.NEVER_MEASURED(measure=goal.measure, objective=goal))
            continue
        Xml.SubElement(case, "system-out").text = verdict(tried=result.ran - result.hunt.unmeasured[str(goal)])
    for name, became in result.corpus.items():
        case = Xml.SubElement(suite, "testcase", classname="corpus", name=name)
        if became == "missed":
            Xml.SubElement(case, "failure", message=HuntRunTexts.CORPUS_MISSES_AGAIN()).text = became
        elif became != "held":
            Xml.SubElement(case, "skipped", message=became)
    for kind, counted in COUNTED.items():
        suite.set(counted, str(len(suite.findall(f"testcase/{kind}"))))
    suite.set("tests", str(len(suite.findall("testcase"))))
    return '<?xml version="1.0" encoding="utf-8"?>\n' + Xml.tostring(suite, encoding="unicode") + "\n"
