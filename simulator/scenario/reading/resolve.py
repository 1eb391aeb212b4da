"""What the YAML leaves out or says by reference, filled in before the models see it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from simulator.scenario.reading.fields import Model, named_as, whole
from simulator.scenario.reading.scenario_error import Path, Problem, not_known
from simulator.scenario.texts.reading_texts import ReadingTexts
from simulator.units import shown

COUNT_MAX = 10_000


class Likeness(Model):
    """A broker that is like another, with that one's keys where it has none of its own, or stands for several."""

    like: Annotated[str, named_as("broker")] = Field(description="a broker whose keys this one has, but for its own")
    like_file: Annotated[str, named_as("file")] = Field(
        title="a file such as broker.conf", description="a broker's own configuration file, whose keys this one has"
    )
    count: Annotated[int, whole(1, COUNT_MAX)] = Field(
        description="makes that many such brokers: NAME-1, NAME-2, ..., padded"
    )


def fill_producers(data: dict[str, Any]) -> None:
    """Make a list of one group, name the groups and give those without topics all topics, in place."""
    producers = data.get("producers")
    if isinstance(producers, dict):
        producers = data["producers"] = [producers]
    topics = data.get("topics")
    if isinstance(topics, dict):
        data["topics"] = {name: {} if topic is None else topic for name, topic in topics.items()}
    for i, group in enumerate(producers if isinstance(producers, list) else []):
        if isinstance(group, dict):
            group.setdefault("group", "producers" if i == 0 else f"producers-{i + 1}")
            if group.get("topics") is None:
                group["topics"] = dict.fromkeys(topics, 1) if isinstance(topics, dict) and topics else {"": 1}


def expand_counts(data: dict[str, Any]) -> tuple[dict[str, str], list[Problem]]:
    """Make brokers NAME-1, NAME-2, ... (padded) of a broker with a `count`, in place.

    Returns which name each made one comes from, and what is wrong.

    Who is like NAME is like its first.
    """
    brokers = data.get("brokers")
    if not isinstance(brokers, dict):
        return {}, []
    made: dict[str, str] = {}
    problems, expanded, first = [], {}, {}
    for name, broker in brokers.items():
        if not isinstance(broker, dict) or "count" not in broker:
            expanded[name] = broker
            continue
        count, keys = broker["count"], {key: value for key, value in broker.items() if key != "count"}
        if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= COUNT_MAX:
            text = ReadingTexts.COUNT_OUT_OF_RANGE(most=COUNT_MAX, count=shown(count))
            problems.append(Problem(("brokers", name, "count"), text))
            count = 1
        elif len(expanded) + count > COUNT_MAX:
            problems.append(Problem(("brokers", name, "count"), ReadingTexts.TOO_MANY_COUNTED(most=COUNT_MAX)))
            count = 1
        names = [f"{name}-{number:0{len(str(count))}}" for number in range(1, count + 1)]
        first[name] = names[0]
        for one in names:
            if one in brokers:
                problems.append(Problem(("brokers", name, "count"), ReadingTexts.COUNTED_TWICE(broker=one)))
            expanded[one] = dict(keys)
            made[one] = name
    for broker in expanded.values():
        if isinstance(broker, dict) and isinstance(broker.get("like"), str) and broker["like"] in first:
            broker["like"] = first[broker["like"]]
    data["brokers"] = expanded
    return made, problems


def merge_likes(data: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """`data` with each broker's `like` replaced by the keys of the broker it names; and what is wrong."""
    brokers = data.get("brokers")
    if not isinstance(brokers, dict):
        return data, []
    problems: list[Problem] = []
    merged = {name: _merged(name, brokers, problems) for name in brokers}
    return {**data, "brokers": merged}, problems


def _merged(name: str, brokers: dict[str, Any], problems: list[Problem]) -> Any:
    chain = [name]
    keys: dict[str, Any] = {}
    while True:
        broker = brokers[chain[-1]]
        if not isinstance(broker, dict):
            return broker if len(chain) == 1 else keys
        keys = {**{key: value for key, value in broker.items() if key != "like"}, **keys}
        if "like" not in broker:
            return keys
        like = broker["like"]
        path = ("brokers", chain[-1], "like")
        if not isinstance(like, str | int) or isinstance(like, bool):
            problem = Problem(path, ReadingTexts.NAME_OF_A_BROKER_EXPECTED(got=shown(like)))
        elif str(like) not in brokers:
            problem = Problem(path, not_known("broker", str(like), [n for n in brokers if n != chain[-1]]))
        elif str(like) in chain:
            problem = _circle(chain[chain.index(str(like)) :])
        else:
            chain.append(str(like))
            continue
        if len(chain) == 1 or "circle" in problem.text:
            problems.append(problem)
        return keys


def _circle(names: list[str]) -> Problem:
    """The same problem whichever of the circle's brokers it was met from."""
    first = names.index(min(names))
    names = names[first:] + names[:first]
    text = ReadingTexts.LIKE_IN_A_CIRCLE(circle=" is like ".join([*names, names[0]]))
    return Problem(("brokers", names[0], "like"), text)


def inherited(data: dict[str, Any], path: Path) -> bool:
    """Whether a path lies in what a broker has from another, which then has the same problem itself."""
    if len(path) < 3 or path[0] != "brokers":
        return False
    brokers = data.get("brokers")
    broker = brokers.get(path[1]) if isinstance(brokers, dict) else None
    return isinstance(broker, dict) and "like" in broker and path[2] not in broker
