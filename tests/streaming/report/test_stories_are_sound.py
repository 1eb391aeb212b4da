"""Every story of stories/ can be text_of: its scenario is valid, its causes exist, its figures are derived.

A story is a scenario with the consequences that its findings must name, each with its causes, and those that they must
not name. Figures (`size`, `without`) are: messages of `lost`, `missed`, `skipped`, `failed`, `duplicates`, `retries`,
`dead_letters`, deliveries of `failed_deliveries`, `consumed_twice`, starts of `failed_starts`; the greatest lag of a
`backlog`. With `between` they count what overlaps that stretch. `also` lists causes that may be named besides those of
`because`.
"""

import re
from functools import cache
from pathlib import Path

import pytest
import sendlab
import yaml

STORIES = sorted((Path(__file__).parent / "stories").glob("*.yaml"))
FIGURES = {
    *("lost", "missed", "skipped", "failed", "duplicates", "retries", "dead_letters"),
    *("failed_deliveries", "consumed_twice", "backlog", "late_transactions", "failed_starts"),
}
KINDS = FIGURES | {
    *("waits", "load", "isolation", "unowned", "double_owned", "late_delays", "never_sent", "hot_queue"),
}


@cache
def text_of(path):
    return yaml.load(path.read_text(), yaml.CSafeLoader)


def producer_groups(scenario):
    groups = scenario["producers"]
    return {group.get("group", "producers"): group for group in (groups if isinstance(groups, list) else [groups])}


def seconds(duration):
    units = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}
    return sum(float(number) * units[unit] for number, unit in re.findall(r"([\d.]+)(ms|s|m|h)", str(duration)))


def causes_there(scenario):
    """The ids of every cause that a scenario has: see the module."""
    faults = [f"F{number + 1}" for number in range(len(scenario.get("faults", [])))]
    rates = [
        f"rate {name} {int(seconds(at)) // 60}:{int(seconds(at)) % 60:02d}"
        for name, group in producer_groups(scenario).items()
        for at in group.get("rate_changes", {})
    ]
    consumers = scenario.get("consumers", {})
    keyed = {"poison": "fails_always", "fails": "fails", "autoscale": "autoscale"}
    of_consumers = [f"{cause} {name}" for cause, key in keyed.items() for name, it in consumers.items() if key in it]
    return {
        *faults,
        *rates,
        *of_consumers,
        *(f"threads {name}" for name in consumers),
        *(f"send_threads {name}" for name in scenario["brokers"]),
        *(f"unknown {name}" for name, it in producer_groups(scenario).items() if "transaction" in it),
        *(f"hot_queue {name}" for name, it in scenario["topics"].items() if "keys" in it),
        "client",
    }


def causes_named(story):
    for item in [*story["expect"], *story.get("never", [])]:
        because = item.get("because", [])
        yield from [because] if isinstance(because, str) else because
        yield from item.get("also", [])
        yield from item.get("without", {})
    if "first" in story:
        yield story["first"]


def bounds(item):
    return [pair for pair in [item.get("size"), *item.get("without", {}).values()] if pair is not None]


@pytest.fixture(params=STORIES, ids=lambda path: path.stem)
def story(request):
    return text_of(request.param)


def test_there_are_stories():
    assert len(STORIES) >= 34


def test_a_story_has_its_parts_and_no_other(story):
    assert set(story) <= {"story", "scenario", "expect", "never", "first", "derivation"}
    assert len(story["story"].split()) >= 12
    assert len(story["derivation"].split()) >= 12
    assert story["expect"]


def test_its_scenario_is_valid_and_short(story):
    scenario = sendlab.load_scenario(story["scenario"])
    assert seconds(story["scenario"]["duration"]) <= 15 * 60
    assert scenario is not None


def test_causes_that_it_names_exist(story):
    assert set(causes_named(story)) <= causes_there(story["scenario"])


def test_groups_and_brokers_that_it_names_exist(story):
    scenario = story["scenario"]
    groups = {*producer_groups(scenario), *scenario.get("consumers", {})}
    named = [*story["expect"], *story.get("never", [])]
    assert {item["group"] for item in named if "group" in item} <= groups
    assert {item["broker"] for item in named if "broker" in item} <= set(scenario["brokers"])


def test_consequences_have_known_kinds_and_bounds_in_order(story):
    for item in story["expect"]:
        assert item["kind"] in KINDS
        assert isinstance(item["because"], list)
        assert not bounds(item) or item["kind"] in FIGURES
        assert all(0 <= low <= high for low, high in bounds(item))


def alike(never, item):
    return all(never.get(key, item.get(key)) == item.get(key) for key in ("kind", "group", "broker"))


def test_what_it_forbids_is_not_what_it_expects(story):
    for never in story["never"]:
        assert set(never) <= {"kind", "group", "broker", "because"}
        assert never["kind"] in KINDS
        assert isinstance(never.get("because", ""), str)
        expected = [item for item in story["expect"] if alike(never, item)]
        assert not expected or "because" in never
        assert all(never["because"] not in [*item["because"], *item.get("also", [])] for item in expected)
