"""What mqadmin getSyncStateSet and getBrokerEpoch print of the brokers of a name, one of which a controller elects.

Source: rocketmq 5.0.0 and 5.3.3, tools.command.ha.GetSyncStateSetSubCommand and
tools.command.broker.GetBrokerEpochSubCommand; controllers alone know a sync set, and only their brokers an epoch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from simulator.scenario.brokers.replica_set import CONTROLLER
from streaming.errors import InputError
from streaming.init.cluster_facts import ClusterFacts, Sourced
from streaming.init.saved_part import SavedPart
from streaming.init.texts.init_note_texts import InitNoteTexts
from streaming.texts.init_texts import InitTexts

NAME = re.compile(r"^#brokerName\t\s*(?P<name>\S+)\s*$")
SYNC_SET, EPOCH = re.compile(r"^#SyncStateSetEpoch\s+\d+"), re.compile(r"^#Epoch: ")
REPLICA = re.compile(r"^\s*(?P<out>Not)?InSyncReplica:\s+.*address='(?P<address>[^']+)'.*?(?P<off>\boffline)?\s*$")
ADDRESS = re.compile(r"^#brokerAddr\t\s*(?P<address>\S+)\s*$")


def is_sync_state_set(part: SavedPart) -> bool:
    """The output of getSyncStateSet."""
    return any(SYNC_SET.match(line) for line in part.lines)


def is_broker_epoch(part: SavedPart) -> bool:
    """The output of getBrokerEpoch."""
    return any(EPOCH.match(line) for line in part.lines)


def _by_name(part: SavedPart) -> Iterator[tuple[int, str, str]]:
    """(place, broker name, line) of each line below the name of a broker."""
    name = ""
    for place, line in enumerate(part.lines):
        found = NAME.match(line)
        name = found["name"] if found else name
        if name:
            yield place, name, line


def read_sync_state_set(part: SavedPart, facts: ClusterFacts) -> None:
    """How many replicas a broker has, and a note of those that are not in its sync set."""
    behind: dict[str, list[str]] = {}
    for place, name, line in _by_name(part):
        if found := REPLICA.match(line):
            _take(part, facts, place, name, found["address"])
            if found["out"] or found["off"]:
                behind.setdefault(name, []).append(found["address"])
    _check(part, facts)
    for name, addresses in behind.items():
        facts.note(InitNoteTexts.NOT_ALL_IN_SYNC(file=part.name, broker=name, addresses=", ".join(addresses)))


def read_broker_epoch(part: SavedPart, facts: ClusterFacts) -> None:
    """How many replicas a broker has; a run begins with epoch 1."""
    for place, name, line in _by_name(part):
        if found := ADDRESS.match(line):
            _take(part, facts, place, name, found["address"])
    _check(part, facts)


def _take(part: SavedPart, facts: ClusterFacts, place: int, name: str, address: str) -> None:
    broker = facts.broker(name)
    broker.addresses.add(address)
    broker.mode = broker.mode or Sourced(CONTROLLER, part.place(place))


def _check(part: SavedPart, facts: ClusterFacts) -> None:
    for place, name, _ in _by_name(part):
        if not facts.broker(name).addresses:
            raise InputError(InitTexts.SET_CUT(name=name).at(part.place(place)))
