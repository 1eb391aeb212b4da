"""The faults of a run as a reader counts them: one that strikes many brokers, or comes back, is one fault."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from simulator.causes.fault_numbers import numbered_faults, stretches_of
from simulator.codes import RESPONSE_CODES, SEND_STATUS_CODES
from simulator.scenario import Scenario, ScenarioError, parse_scenario
from simulator.scenario.faults.fault_kinds import KINDS, server_in_words
from simulator.scenario.faults.targets import group_of
from simulator.scenario.faults.what_happens import happens_to
from simulator.units import some
from state.texts import listed
from streaming.clock import clock, length
from streaming.outputs.dataset import RunOutput

Row = dict[str, Any]
MOST_NAMED = 3
INSTANCES = ("consumer", "producer")  # what names an instance in `more`


@dataclass(frozen=True)
class ReportFault:
    """One fault: its number on the page, what happens to whom, and its stretches [from_us, until_us), in order.

    name: short enough to stand in a picture.  brokers: those that it strikes, none for a name server.  groups: the
    producer groups that it is limited to, none for all.  place: all that it strikes, as text.
    """

    number: str
    name: str
    text: str
    stretches: tuple[tuple[int, int], ...]
    kind: str = ""
    value: int = 0
    brokers: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    place: str = ""

    @property
    def when(self) -> str:
        """Its times as text."""
        first, last = self.stretches[0][0], self.stretches[-1][1]
        lengths = {until - begin for begin, until in self.stretches}
        if len(self.stretches) > 1:
            each = f", {length(*lengths)} each" if len(lengths) == 1 else ""
            return f"{len(self.stretches)} times from {clock(first)} to {clock(last)}{each}"
        if last - first < 1_000_000:
            return f"at {clock(first)} for {length(last - first)}"
        return f"{clock(first)} to {clock(last)}"


def joined(stretches: Sequence[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    """At most `most` stretches that cover those in order: the nearest neighbours are drawn as one."""
    gaps = [(later[0] - earlier[1], place) for place, (earlier, later) in enumerate(pairwise(stretches))]
    closed = {place for _, place in sorted(gaps)[: max(len(stretches) - most, 0)]}
    found: list[tuple[int, int]] = []
    for place, (begin, until) in enumerate(stretches):
        if place - 1 in closed:
            found[-1] = (found[-1][0], max(found[-1][1], until))
        else:
            found.append((begin, until))
    return found


def never_of(output: RunOutput) -> list[str]:
    """The faults that lie after the end of the whole run, as text; they never happen."""
    return [f"{fault['label']} at {clock(fault['at_us'])}" for fault in output.about.get("faults_after_end", ())]


def coming_of(output: RunOutput) -> list[str]:
    """The faults that begin later than what is simulated so far, as text, each once, at its next time."""
    if output.about.get("finished"):
        return []
    never = {(fault["at_us"], fault["label"]) for fault in output.about.get("faults_after_end", ())}
    following: dict[str, int] = {}
    for fault in sorted(output.about["faults"], key=lambda fault: int(fault["at_us"])):
        at_us, label = int(fault["at_us"]), str(fault["label"])
        if at_us >= output.end_us and (at_us, label) not in never:
            following.setdefault(label, at_us)
    return [f"{label} at {clock(at_us)}" for label, at_us in following.items()]


def faults_of(output: RunOutput) -> list[ReportFault]:
    """The faults that begin in the time that was simulated, in the order of the scenario, numbered F1, F2, ...

    Where the scenario cannot be read, faults of one kind at the same places are one, by their first begin.
    """
    scenario = scenario_of(output)
    found = None if scenario is None else _as_in(scenario, output)
    return _by_begin(output) if found is None else found


def scenario_of(output: RunOutput) -> Scenario | None:
    """The scenario of a run, None where this version cannot read it."""
    text = output.about.get("scenario_yaml")
    return None if text is None else _read(str(text))


@lru_cache(maxsize=4)
def _read(text: str) -> Scenario | None:
    """Each part of a report asks for it; reading it takes longer than most of them."""
    try:
        return parse_scenario(text)
    except ScenarioError:
        return None


def _as_in(scenario: Scenario, output: RunOutput) -> list[ReportFault] | None:
    """The faults as the scenario lists them; None if run.json has others."""
    end_us, brokers = output.end_us, len(output.brokers)
    every = {number: periods for number, (_, periods) in numbered_faults(scenario).items()}
    listed = {_key(period._asdict()) for periods in every.values() for period in periods}
    if any(_key(row) not in listed for row in output.about["faults"]):
        return None
    found = []
    for number, (place, periods) in numbered_faults(scenario).items():
        rows = [{**period._asdict(), "label": period.title} for period in periods if period.at_us < end_us]
        if rows:
            within = [period._replace(until_us=min(period.until_us, end_us)) for period in periods]
            times = list(stretches_of([period for period in within if period.at_us < end_us]))
            fault, targets = scenario.faults[place], scenario.faults[place].consumers
            groups = (
                targets is not None and fault.kind != "partition" and all(one in scenario.consumers for one in targets)
            )
            if groups and targets is not None:
                rows[0]["label"] = str(fault.label or "")
                rows = [{**rows[0], "more": json.dumps({"consumer": name})} for name in targets]
            found.append(replace(_fault(rows, brokers, times), number=number))
    return found


def _key(row: Row) -> tuple[Any, ...]:
    return row["at_us"], row["broker"], row["kind"], row.get("value") or 0, row.get("more") or ""


def _by_begin(output: RunOutput) -> list[ReportFault]:
    end_us = output.end_us
    struck: dict[tuple[str, int, int], list[Row]] = defaultdict(list)
    for row in output.about["faults"]:
        if row["at_us"] < end_us:
            until = end_us if row.get("until_us") is None else min(row["until_us"], end_us)
            struck[_what(row), row["at_us"], until].append(row)
    stretches: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    those: dict[tuple[str, ...], list[Row]] = {}
    for (what, begin, until), rows in sorted(struck.items(), key=lambda item: item[0][1:]):
        places = tuple(sorted(f"{_place(row)} {row['broker']}" for row in rows))
        if rows[0]["kind"] == "rolling_restart" and consumer_of(rows[0]):
            places = ()  # the instances of a group, one after the other
            those.setdefault((what,), []).extend(rows)
        stretches[what, *places].append((begin, until))
        those.setdefault((what, *places), rows)
    brokers = len(output.brokers)
    made = [_fault(those[key], brokers, times) for key, times in stretches.items()]
    made.sort(key=lambda fault: (fault.stretches[0], fault.text))
    return [replace(fault, number=f"F{index}") for index, fault in enumerate(made, start=1)]


def _fault(rows: list[Row], brokers: int, times: list[tuple[int, int]]) -> ReportFault:
    text = _text(rows, brokers)
    struck = tuple(dict.fromkeys(row["broker"] for row in rows if row["broker"] and not consumer_of(row)))
    groups = tuple(dict.fromkeys(row["producers"] for row in rows if row.get("producers")))
    own = {"kind": rows[0]["kind"], "value": rows[0].get("value") or 0, "brokers": struck, "groups": groups}
    own["place"] = ", ".join(sorted({_place(row) for row in rows}))
    return ReportFault("", _label(rows[0]) or text, text, tuple(sorted(times)), **own)


def _title(row: Row) -> str:
    return KINDS[row["kind"]].title if row["kind"] in KINDS else str(row["kind"])


def _place(row: Row) -> str:
    return (
        consumer_of(row)
        or row["broker"]
        or str(_more(row).get("proxy") or server_in_words(row["kind"], row.get("value") or 0))
    )


def _label(row: Row) -> str:
    """The label that the scenario gives, '' for none: run.json has the place and the title then."""
    label = str(row.get("label") or "")
    of = f" for {row['producers']}" if row.get("producers") else ""
    to = f" from {row['broker']}" if _cuts_off(row) else ""
    return "" if label == f"{_place(row)}{of} {_title(row)}{to}" else label


def _cuts_off(row: Row) -> bool:
    """Whether it strikes the network between an instance and a broker."""
    return bool(row["broker"] and consumer_of(row))


def _what(row: Row) -> str:
    """What two rows share that are the same fault at other places or times."""
    value = row.get("value") if row["broker"] else None
    more = {key: said for key, said in _more(row).items() if key not in INSTANCES}
    return repr((row["kind"], _label(row), value, sorted(more.items()), row.get("producers"), _cuts_off(row)))


def _text(rows: list[Row], brokers: int) -> str:
    row, places = rows[0], sorted({_place(row) for row in rows})
    label, title = _label(row), _details(row)
    if label and any(place in label for place in places):
        return label
    where = _named(places, brokers if row["broker"] and not consumer_of(row) else 0)
    where += f" for {row['producers']}" if row.get("producers") else ""
    text = happens_to(where, title, len(places))
    if _cuts_off(row):
        text += f" from {_named(sorted({row['broker'] for row in rows}), brokers)}"
    times = max(Counter((_place(row), row["broker"]) for row in rows).values())
    if times > 1 and row["kind"] != "rolling_restart":
        text += ", twice" if times == 2 else f", {times} times"
    return f"{label} ({text})" if label else text


def _named(places: list[str], brokers: int) -> str:
    """Some places as text; `brokers`: how many there are, 0 where these are instances."""
    if len(places) == 1:
        return places[0]
    if len(places) == brokers:
        return "all brokers"
    if len(places) <= MOST_NAMED:
        return listed(places)
    groups = {group_of(place) for place in places}
    of_group = f" of {groups.pop()}" if not brokers and len(groups) == 1 else ""
    return some(len(places), "broker" if brokers else "instance") + of_group


def _details(row: Row) -> str:
    """What happens, with the value that the kind has."""
    kind, title, value = row["kind"], _title(row), row.get("value")
    if kind in ("code", "status"):
        return f"answers {_name(RESPONSE_CODES if kind == 'code' else SEND_STATUS_CODES, value)}"
    if kind == "slow" and value:
        return f"{title} \u00d7 {value / 1e6:g}"
    if kind == "packet_loss" and value:
        return f"{title}: {value / 1e4:g} %"
    if kind == "slow_link" and value:
        return f"{title}: {value / 1e3:g} ms"
    if kind in ("queues", "read_only"):
        topic = _more(row).get("topic", "")
        return f"{title}: {topic} {value}" if kind == "queues" else f"{title}: {topic}"
    return title


def _name(codes: dict[str, int], value: int | None) -> str:
    return next((name for name, code in codes.items() if code == value), str(value))


def consumer_of(row: dict[str, Any]) -> str:
    """The instance of a consumer group that a fault strikes, "" if it strikes something else."""
    details = _more(row)
    return str(next((details[key] for key in INSTANCES if key in details), ""))


def _more(row: Row) -> Row:
    return dict(json.loads(row.get("more") or "{}"))
