"""Keys and values of brokers: broker.conf, getBrokerConfig and brokerStatus, as facts.

Source: rocketmq 4.9.8 and 5.3.3, tools.command.broker.BrokerStatusSubCommand and GetBrokerConfigCommand;
store.StoreStatsService: the classes of put times hold the last minute at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from simulator.scenario.reading.broker_conf import properties_of
from simulator.scenario.reading.rocketmq_names import OF_BROKERS
from streaming.errors import InputError
from streaming.init.cluster_facts import BrokerFacts, ClusterFacts, Sourced
from streaming.init.mqadmin_tables import release_in
from streaming.init.saved_part import SavedPart

SECTION = re.compile(r"^=+(?P<role>Master|Slave): *(?P<address>\S+?)=*$")
STATUS = re.compile(r"^(?:(?P<address>\S+:\d+)\s+)?(?P<key>[A-Za-z_]\w*)\s*: ?(?P<value>.*)$")
SURE_STATUS = ("putMessageDistributeTime", "brokerVersionDesc", "putTps")
SURE_CONF = ("brokerName", "brokerClusterName", "brokerId", "brokerRole", "listenPort", "flushDiskType")
CLASS = re.compile(r"\[(?P<label>[^\]]+)\]:(?P<count>\d+)")
LONGEST_MS = 60_000.0
# What a scenario's broker has without the key, too.
DEFAULTS = {
    "brokerRole": "ASYNC_MASTER", "flushDiskType": "ASYNC_FLUSH", "brokerFastFailureEnable": "true",
    "inSyncReplicas": "1", "osPageCacheBusyTimeOutMills": "1000", "sendThreadPoolQueueCapacity": "10000",
    "enableSlaveActingMaster": "false", "slaveTimeout": "3000", "syncFlushTimeout": "5000",
    "transientStorePoolEnable": "false", "waitTimeMillsInSendQueue": "200",
    "messageDelayLevel": "1s 5s 10s 30s 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 20m 30m 1h 2h",
}  # fmt: skip


def is_settings(part: SavedPart) -> bool:
    """getBrokerConfig or a broker.conf."""
    keys = properties_of(part.text)
    return any(key in keys and keys[key] for key in (*SURE_CONF, *OF_BROKERS))


def read_settings(part: SavedPart, facts: ClusterFacts) -> None:
    """The keys that a scenario knows, of each broker that the part is about."""
    for address, text in _sections(part):
        said = properties_of(text)
        name = said.get("brokerName")
        if said.get("brokerRole") == "SLAVE" or said.get("brokerId", "0") not in ("0", "-1"):
            if name:
                facts.broker(name).slaves += 1
            continue
        own = address or _address(said)
        broker = facts.named_broker(name, own) if name else facts.broker_at(own)
        if "brokerClusterName" in said and facts.name is None:
            facts.name = Sourced(said["brokerClusterName"], part.name)
        _take_settings(broker, said, part.name)


def _sections(part: SavedPart) -> Iterator[tuple[str | None, str]]:
    """Masters of getBrokerConfig -c one by one, or everything at once."""
    address: str | None = part.option("-b")
    is_master = True
    lines: list[str] = []
    for line in part.lines:
        if found := SECTION.match(line):
            if lines and is_master:
                yield address, "\n".join(lines)
            address, is_master, lines = found["address"], found["role"] == "Master", []
        elif line.strip():
            lines.append(line)
    if lines and is_master:
        yield address, "\n".join(lines)


def _address(said: Mapping[str, str]) -> str | None:
    return f"{said['brokerIP1']}:{said['listenPort']}" if {"brokerIP1", "listenPort"} <= set(said) else None


def _take_settings(broker: BrokerFacts, said: Mapping[str, str], source: str) -> None:
    for key, (own, read) in OF_BROKERS.items():
        if key in said and said[key] != DEFAULTS.get(key):
            broker.settings[own] = Sourced(read(said[key]), f"{source}: {key}")
    if said.get("defaultTopicQueueNums", "").isdigit():
        broker.default_queues = int(said["defaultTopicQueueNums"])


def is_status(part: SavedPart) -> bool:
    """brokerStatus."""
    return any(found["key"] in SURE_STATUS for line in part.lines if (found := STATUS.match(line)))


def read_status(part: SavedPart, facts: ClusterFacts) -> None:
    """Release, load, put times and sizes of each broker."""
    by_broker: dict[str | None, dict[str, str]] = {}
    for line in part.lines:
        if found := STATUS.match(line):
            by_broker.setdefault(found["address"] or part.option("-b"), {})[found["key"]] = found["value"].strip()
    for address, said in by_broker.items():
        if not set(SURE_STATUS) <= set(said):
            missing = next(key for key in SURE_STATUS if key not in said)
            raise InputError(
                f"{part.place(0)}: brokerStatus of {address or 'a broker'} has no {missing}: it is cut off;"
                " save the whole output"
            )
        try:
            _take_status(facts.broker_at(address), said, part.name)
        except ValueError as error:
            raise InputError(f"{part.place(0)}: brokerStatus of {address or 'a broker'}: {error}") from None
    loads = [facts.broker_at(address).put_per_s for address in by_broker]
    if None not in by_broker:
        total = sum(load.value for load in loads if load)
        facts.per_s.append(Sourced(total, f"{part.name}: putTps of {len(loads)} brokers, the highest of its stretches"))


def _take_status(broker: BrokerFacts, said: Mapping[str, str], source: str) -> None:
    if release := release_in(said["brokerVersionDesc"]):
        broker.release = Sourced(release, source)
    broker.put_per_s = Sourced(max(map(float, said["putTps"].split())), f"{source}: putTps")
    classes = {_longest_ms(found["label"]): int(found["count"]) for found in CLASS.finditer(said[SURE_STATUS[0]])}
    if not classes:
        raise ValueError("putMessageDistributeTime has no class such as [<=0ms]:12")
    if sum(classes.values()):
        broker.put_ms = Sourced(classes, f"{source}: putMessageDistributeTime")
    if float(said.get("putLatency99", 0)) > 0:
        broker.put_99_ms = Sourced(float(said["putLatency99"]), f"{source}: putLatency99")
    if float(said.get("putMessageAverageSize", 0)) > 0:
        broker.stored_bytes = Sourced(float(said["putMessageAverageSize"]), f"{source}: putMessageAverageSize")


def _longest_ms(label: str) -> float:
    """10.0 of `0~10ms`, 1000.0 of `500ms~1s`, 0.0 of `<=0ms`; the last class has no end."""
    end = label.rpartition("~")[2] or ""
    found = re.fullmatch(r"(?:<=)?(\d+)(ms|s)", end)
    if found is None:
        return LONGEST_MS
    return float(found[1]) * (1 if found[2] == "ms" else 1_000)
