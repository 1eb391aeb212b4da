"""A broker's own configuration file: `like_file: broker.conf`, Java properties as the broker reads them."""

from __future__ import annotations

from typing import Any

from simulator.scenario.reading.java_properties import properties_in
from simulator.scenario.reading.rocketmq_names import OF_BROKERS
from simulator.scenario.reading.scenario_error import Path, Problem
from simulator.scenario.texts.reading_texts import ReadingTexts
from state.texts import at

LIKE_FILE = "like_file"
NAME = "brokerName"
DLEDGER = "enableDLegerCommitLog"
WITHOUT_DLEDGER = ("brokerRole", "transientStorePoolEnable")


def properties_of(text: str) -> dict[str, str]:
    """Keys and the values that a broker has by them: what RocketMQ cannot read or DLedger leaves is not among them."""
    said = {own.key: own.taken for own in properties_in(text).values() if own.taken is not None}
    left = WITHOUT_DLEDGER if said.get(DLEDGER) == "true" else ()
    return {key: value for key, value in said.items() if key not in left}


def ignored(text: str) -> list[tuple[int, str]]:
    """The line and a sentence for each value that RocketMQ does not take as it is written."""
    said = properties_in(text)
    found = [(own.line, at(own.key, own.ignored)) for own in said.values() if own.ignored]
    if DLEDGER in said and said[DLEDGER].taken == "true":
        why = ReadingTexts.NO_EFFECT_UNDER_DLEDGER()
        found += [(said[key].line, at(key, why)) for key in WITHOUT_DLEDGER if key in said]
    return found


def named_files(brokers: Any) -> list[tuple[Path, str]]:
    """Where files are named, and which: of a broker, or of `brokers` for brokers named in the files."""
    if not isinstance(brokers, dict):
        return []
    listed = brokers.get(LIKE_FILE)
    if isinstance(listed, str | list):
        several = [listed] if isinstance(listed, str) else listed
        paths: list[Path] = [("brokers", LIKE_FILE) if isinstance(listed, str) else ("brokers", LIKE_FILE, i)
                             for i in range(len(several))]  # fmt: skip
        of_all = [(path, str(file)) for path, file in zip(paths, several, strict=True)]
    else:
        of_all = []
    own = [
        (("brokers", name, LIKE_FILE), str(broker[LIKE_FILE]))
        for name, broker in brokers.items()
        if isinstance(broker, dict) and LIKE_FILE in broker
    ]
    return [*of_all, *own]


def put(brokers: dict[str, Any], path: Path, file: str, text: str) -> Problem | None:
    """Put what a file says under the keys that are written, in place."""
    said = properties_of(text)
    keys = {OF_BROKERS[key][0]: OF_BROKERS[key][1](value) for key, value in said.items() if key in OF_BROKERS}
    name = path[1] if path[1] != LIKE_FILE else said.get(NAME)
    if name is None:
        return Problem(path, ReadingTexts.NO_BROKER_IN_CONF(file=file, name=NAME, like_file=LIKE_FILE))
    if not keys:
        return Problem(path, ReadingTexts.NO_KNOWN_KEY_IN_CONF(file=file, known=", ".join(list(OF_BROKERS)[:3])))
    broker = brokers.setdefault(str(name), {})
    if isinstance(broker, dict):
        broker.pop(LIKE_FILE, None)
        for key, value in keys.items():
            broker.setdefault(key, value)
    return None


def unused(text: str) -> list[str]:
    """Keys of a file that no rule here depends on."""
    return [key for key in properties_in(text) if key not in OF_BROKERS and key != NAME]
