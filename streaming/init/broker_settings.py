"""Keys and values of brokers, broker.conf and getBrokerConfig, as facts.

Source: rocketmq 4.2.0, 4.9.8 and 5.3.3, tools.command.broker.GetBrokerConfigCommand; BrokerStartup, which gives a
broker whose role is a master's the id 0 whatever the file says, and -1 under DLedger.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from simulator.scenario.reading.java_properties import JavaProperty, properties_in
from simulator.scenario.reading.rocketmq_names import OF_BROKERS
from streaming.errors import InputError
from streaming.init.cluster_facts import BrokerFacts, ClusterFacts, Sourced
from streaming.init.replica_set_settings import DLEDGER, REPORTED, is_on, take_set_settings
from streaming.init.saved_part import SavedPart
from streaming.init.texts.init_note_texts import InitNoteTexts
from streaming.texts.init_texts import InitTexts

SECTION = re.compile(
    r"^=+(?:My Master: *(?P<master>[^=\s]+)=+Slave: *(?P<slave>[^=\s]+)"
    r"|(?:Master: *)?(?P<own>[^=\s]+:\d+)|Master: .*?)=+$"
)
SURE_CONF = ("brokerName", "brokerClusterName", "brokerId", "brokerRole", "flushDiskType")
# Files of other programs, by a key that no broker has.
OTHERS = {
    "kvConfigPath": "a name server", "orderMessageEnable": "a name server", "clusterTest": "a name server",
    "controllerDLegerPeers": "a controller", "controllerDLegerGroup": "a controller",
    "enableElectUncleanMaster": "a controller", "controllerStorePath": "a controller",
    "consumeEnable": "a consumer group", "whichBrokerWhenConsumeSlowly": "a consumer group",
    "readQueueNums": "a topic", "writeQueueNums": "a topic",
}  # fmt: skip
KEY = re.compile(r"^\s*(?P<key>[A-Za-z]\w*)\s*[=:]", re.MULTILINE)
# What a scenario's broker has without the key, too.
DEFAULTS = {
    "brokerRole": "ASYNC_MASTER", "flushDiskType": "ASYNC_FLUSH", "brokerFastFailureEnable": "true",
    "inSyncReplicas": "1", "osPageCacheBusyTimeOutMills": "1000", "sendThreadPoolQueueCapacity": "10000",
    "enableSlaveActingMaster": "false", "slaveTimeout": "3000", "syncFlushTimeout": "5000",
    "transientStorePoolEnable": "false", "waitTimeMillsInSendQueue": "200",
    "messageDelayLevel": "1s 5s 10s 30s 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 20m 30m 1h 2h",
}  # fmt: skip


@dataclass(frozen=True)
class SettingsSection:
    """The lines about one broker, the first one's number in the part, and what its head says."""

    first: int
    lines: tuple[str, ...]
    address: str | None
    master: str | None = None

    def properties(self) -> dict[str, JavaProperty]:
        """Its properties, lines counted in the section."""
        return properties_in("\n".join(self.lines))


def is_settings(part: SavedPart) -> bool:
    """getBrokerConfig or a broker.conf; a name server's and a controller's, too, which are refused."""
    keys = {found["key"] for found in KEY.finditer(part.text)}
    return any(key in keys for key in (*SURE_CONF, *OF_BROKERS, *OTHERS))


def read_settings(part: SavedPart, facts: ClusterFacts) -> None:
    """The keys that a scenario knows, of each broker that the part is about."""
    _check_whole(part)
    for section in _sections(part):
        said = section.properties()
        other = next((key for key in OTHERS if key in said and not set(SURE_CONF[:2]) & set(said)), None)
        if other is not None:
            place = part.place(section.first + said[other].line - 1)
            raise InputError(InitTexts.SETTING_OF_OTHERS(other=other, others=OTHERS[other]).at(place))
        _read_broker(part, section, said, facts)


def _check_whole(part: SavedPart) -> None:
    """Raises InputError where getBrokerConfig ends within a line: it prints a key, = and a value in each."""
    said = [number for number, line in enumerate(part.lines) if line.strip()]
    last = part.lines[said[-1]].strip()
    is_printed = any(SECTION.match(line.strip()) for line in part.lines)
    if is_printed and re.fullmatch(r"[A-Za-z]\w*", last):
        raise InputError(InitTexts.CONFIG_CUT_OFF(got=last).at(part.place(said[-1])))


def _read_broker(
    part: SavedPart, section: SettingsSection, said: Mapping[str, JavaProperty], facts: ClusterFacts
) -> None:
    taken = {key: own.taken for key, own in said.items() if own.taken is not None}
    name, address = taken.get("brokerName"), section.address or _address(taken)
    for own in said.values():
        if own.ignored:
            facts.note(f"{part.place(section.first + own.line - 1)}: {own.key}: {own.ignored}.")
    if "brokerClusterName" in taken and facts.name is None:
        facts.name = Sourced(taken["brokerClusterName"], part.name)
    is_elected = is_on(taken, DLEDGER) or is_on(taken, "enableControllerMode")
    if section.master is not None or (taken.get("brokerRole") == "SLAVE" and not is_elected):
        broker_id = taken.get("brokerId", "1")
        owner = name or facts.owners.get(section.master or "", ("", 0))[0]
        if owner:
            facts.member(owner, max(int(broker_id), 1), address, part.name)
        return
    if taken.get("brokerId", "0") not in ("0", "-1") and not is_elected:
        line = part.place(section.first + said["brokerId"].line - 1)
        facts.note(InitNoteTexts.NOT_A_SLAVE(place=line, number=taken["brokerId"]))
    broker = facts.named_broker(name, address) if name else facts.broker_at(address)
    if name and not is_elected:
        facts.member(name, 0, address, part.name)
    dropped = take_set_settings(part, section.first, said, name, broker, facts)
    kept = {key: value for key, value in taken.items() if key not in dropped}
    sources = {key: f"{part.name}: {key}" for key in kept}
    if not part.command:
        sources = {key: f"{part.file.name}:{part.line + section.first + said[key].line - 1}: {key}" for key in kept}
    _take_settings(broker, kept, sources)
    _tell_unused(part, section, said, facts)


def _sections(part: SavedPart) -> Iterator[SettingsSection]:
    """Brokers of getBrokerConfig one by one, or everything at once."""
    address, master, first = part.option("-b"), None, 0
    lines: list[str] = []
    is_printed = bool(part.command) or any(SECTION.match(line.strip()) for line in part.lines)
    for number, whole in enumerate(part.lines):
        line = whole.rstrip() if is_printed else whole
        found = SECTION.match(line.strip())
        if found is None:
            lines.append(line)
            continue
        if any(own.strip() for own in lines):
            yield SettingsSection(first, tuple(lines), address, master)
        address, master = found["slave"] or found["own"], found["master"]
        first, lines = number + 1, []
    if any(own.strip() for own in lines):
        yield SettingsSection(first, tuple(lines), address, master)


def _address(said: Mapping[str, str]) -> str | None:
    return f"{said['brokerIP1']}:{said['listenPort']}" if {"brokerIP1", "listenPort"} <= set(said) else None


def _take_settings(broker: BrokerFacts, said: Mapping[str, str], sources: Mapping[str, str]) -> None:
    for key, (own, read) in OF_BROKERS.items():
        if key in said and said[key] != DEFAULTS.get(key):
            broker.settings[own] = Sourced(read(said[key]), sources[key])
    if said.get("defaultTopicQueueNums", "").isdigit():
        broker.default_queues = int(said["defaultTopicQueueNums"])


def _tell_unused(
    part: SavedPart, section: SettingsSection, said: Mapping[str, JavaProperty], facts: ClusterFacts
) -> None:
    """Name the keys of a file that change nothing here; getBrokerConfig prints every key that there is."""
    used = {*OF_BROKERS, "brokerName", "brokerClusterName", "brokerId", "brokerIP1", "listenPort", "namesrvAddr",
            "defaultTopicQueueNums"}  # fmt: skip
    left = [key for key in said if key not in used and key not in REPORTED]
    if left and section.address is None and not part.command:
        facts.note(InitNoteTexts.NO_EFFECT(file=part.file.name, keys=", ".join(left)))
