"""Stories with overlapping causes, written down before the code: each consequence names exactly its own causes.

`stories/*.yaml` says of each scenario what must be found and what must not, with figures that follow by hand.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from simulator.causes.by_cause import grouped
from simulator.causes.proof import prove
from simulator.scenario import parse_scenario

STORIES = sorted((Path(__file__).parents[1] / "stories").glob("*.yaml"))


def _us(moment):
    minutes, seconds = moment.split(":")
    return int(60e6 * int(minutes) + 1e6 * float(seconds))


def _is_at(found, place):
    return place is None or place in (found.place, *found.place.split(", "))


def _fits(found, wanted):
    """Whether a consequence is the wanted one; else what of it is not."""
    from_us, until_us = map(_us, wanted["between"]) if "between" in wanted else (0, 1 << 62)
    low, high = wanted.get("size", (0, float("inf")))
    optional = set(wanted.get("also", ()))
    return (
        found.kind == wanted["kind"] and _is_at(found, wanted.get("group", wanted.get("broker", wanted.get("topic"))))
        and found.from_us < until_us and found.until_us > from_us
        and set(found.because) - optional == set(wanted["because"]) - optional and found.proven
        and low <= found.size <= high
        and all(least <= found.without[name] <= most for name, (least, most) in wanted.get("without", {}).items())
    )  # fmt: skip


def _is_said(found, never):
    place = never.get("group", never.get("broker", never.get("topic")))
    return found.kind == never["kind"] and _is_at(found, place) and ("because" not in never or
                                                                    never["because"] in found.because)  # fmt: skip


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.stem)
def test_a_story_names_its_causes(story):
    text = yaml.safe_load(story.read_text("utf-8"))
    scenario = parse_scenario(yaml.safe_dump(text["scenario"], sort_keys=False))
    answer = prove(scenario).answer()
    missing = [wanted for wanted in text.get("expect", ()) if not any(_fits(one, wanted) for one in answer)]
    said = [(never, one) for never in text.get("never", ()) for one in answer if _is_said(one, never)]
    shown = "\n".join(map(str, answer))
    assert not missing, f"{missing}\nfound:\n{shown}"
    assert not said, f"{said}\nfound:\n{shown}"
    if "first" in text:
        assert text["first"] in grouped(answer)[0].because, shown
