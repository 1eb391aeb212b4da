"""What mqadmin brokerStatus prints of brokers, masters and slaves alike, as facts.

Source: rocketmq 4.2.0, 4.9.8, 5.0.0 and 5.3.3, tools.command.broker.BrokerStatusSubCommand, whose -c asks every address
of the cluster (CommandUtil.fetchMasterAndSlaveAddrByClusterName); store.StoreStatsService: the classes of put times
hold the last minute at most.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from state.texts import at, sentence_of
from streaming.errors import InputError
from streaming.init.cluster_facts import BrokerFacts, ClusterFacts, Sourced
from streaming.init.mqadmin.mqadmin_tables import release_in
from streaming.init.saved_part import SavedPart
from streaming.init.texts.init_note_texts import InitNoteTexts
from streaming.init.texts.init_source_texts import InitSourceTexts
from streaming.texts.init_texts import InitTexts

STATUS = re.compile(r"^\s*(?:(?P<address>\S+:\d+)\s+)?(?P<key>[A-Za-z_]\w*)\s*: ?(?P<value>.*)$")
SURE_STATUS = ("putMessageDistributeTime", "brokerVersionDesc", "putTps")
CLASS = re.compile(r"\[(?P<label>[^\]]+)\]:(?P<count>\d+)")
LONGEST_MS = 60_000.0
END = "commitLogMaxOffset"
ALIKE = 0.001  # a slave's log ends where its master's does, but for what is on the way


def is_status(part: SavedPart) -> bool:
    """brokerStatus."""
    return any(found["key"] in SURE_STATUS for line in part.lines if (found := STATUS.match(line)))


def read_status(part: SavedPart, facts: ClusterFacts) -> None:
    """Release, load, put times and sizes of each master."""
    by_broker: dict[str | None, dict[str, str]] = {}
    for line in part.lines:
        if found := STATUS.match(line):
            by_broker.setdefault(found["address"] or part.option("-b"), {})[found["key"]] = found["value"].strip()
    for address, said in by_broker.items():
        if missing := next((key for key in SURE_STATUS if not said.get(key)), None):
            raise InputError(
                InitTexts.STATUS_CUT_OFF(broker=address or "a broker", missing=missing).at(f"{part.place(0)}")
            )
    masters = {address: said for address, said in by_broker.items() if not _is_slave(address, by_broker, facts, part)}
    for address, said in masters.items():
        try:
            _take_status(facts.broker_at(address), said, part.name)
        except ValueError as error:
            raise InputError(
                at(f"{part.place(0)}: brokerStatus of {address or 'a broker'}", sentence_of(error))
            ) from None
    loads = [facts.broker_at(address).put_per_s for address in masters]
    if None not in masters and masters:
        total = sum(load.value for load in loads if load)
        several = len(loads) > 1
        source = InitSourceTexts.PUT_TPS(count=len(loads)) if several else InitSourceTexts.PUT_TPS_OF_ONE()
        facts.per_s.append(Sourced(total, source.at(part.name)))


def _is_slave(
    address: str | None, by_broker: Mapping[str | None, Mapping[str, str]], facts: ClusterFacts, part: SavedPart
) -> bool:
    """Whether another file calls an address a slave's, or it never put what its log has and another broker's has."""
    if address is None or address in facts.owners:
        return facts.is_slave(address)
    said = by_broker[address]
    end = int(said.get(END, "0")) if said.get(END, "0").isdigit() else 0
    if not end or _has_put(said):
        return False
    for other, own in by_broker.items():
        is_near = abs(int(own.get(END, "0") or 0) - end) <= ALIKE * end
        if other not in (address, None) and _has_put(own) and is_near:
            broker = facts.broker_at(other)
            broker.members.setdefault(0, part.name)
            broker.members[len(broker.members)] = part.name
            facts.owners[address] = (next(name for name, one in facts.brokers.items() if one is broker), 1)
            facts.note(InitNoteTexts.TAKEN_FOR_A_SLAVE(file=part.name, address=address, other=other))
            return True
    return False


def _has_put(said: Mapping[str, str]) -> bool:
    """Whether a broker stored what a producer sent; a slave copies, and counts 1 where it divides by its puts."""
    size = float(said.get("putMessageAverageSize", "0").replace(",", ".") or 0)
    return bool(_load(said)) or size > 0 or int(said.get("putMessageTimesTotal", "0") or 0) > 1


def tell_slaves(facts: ClusterFacts) -> None:
    """Say of brokers that are known by an address alone, beside named ones, that they may be slaves or the same."""
    named = [name for name in facts.brokers if ":" not in name]
    by_address = [name for name in facts.brokers if ":" in name]
    if len(named) == 1 and len(by_address) == 1 and facts.brokers[named[0]].address is None:
        one, other = facts.brokers[named[0]], facts.brokers.pop(by_address[0])
        one.take_over(other)
    elif named and by_address:
        _merge_unknown(facts, named, by_address)


def _merge_unknown(facts: ClusterFacts, named: list[str], by_address: list[str]) -> None:
    """Drop brokers of unknown names where others have names: what all of them have is every broker's."""
    unknown = [facts.brokers.pop(name) for name in by_address]
    brokers, addresses = ", ".join(sorted(named)), ", ".join(sorted(by_address))
    facts.note(InitNoteTexts.UNKNOWN_ADDRESSES(brokers=brokers, addresses=addresses))
    releases = {own.release.value for own in unknown if own.release}
    if len(releases) == 1:
        for name in named:
            facts.brokers[name].release = facts.brokers[name].release or next(o.release for o in unknown if o.release)
    slowest = [own.put_99_ms for own in unknown if own.put_99_ms]
    sizes = [own.stored_bytes for own in unknown if own.stored_bytes]
    facts.all_brokers.put_99_ms = max(slowest, key=lambda known: known.value) if slowest else None
    facts.all_brokers.stored_bytes = max(sizes, key=lambda known: known.value) if sizes else None


def _load(said: Mapping[str, str]) -> float:
    return max((float(word.replace(",", ".")) for word in said["putTps"].split()), default=0.0)


def _take_status(broker: BrokerFacts, said: Mapping[str, str], source: str) -> None:
    if release := release_in(said["brokerVersionDesc"]):
        broker.release = Sourced(release, source)
    broker.put_per_s = Sourced(_load(said), f"{source}: putTps")
    classes = {_longest_ms(found["label"]): int(found["count"]) for found in CLASS.finditer(said[SURE_STATUS[0]])}
    if not classes:
        raise ValueError(InitTexts.NO_CLASS())
    if sum(classes.values()):
        broker.put_ms = Sourced(classes, f"{source}: putMessageDistributeTime")
    slowest = float(said.get("putLatency99", "0").replace(",", "."))
    if slowest > 0:
        broker.put_99_ms = Sourced(slowest, f"{source}: putLatency99")
    size = float(said.get("putMessageAverageSize", "0"))
    if size > 0:
        broker.stored_bytes = Sourced(size, f"{source}: putMessageAverageSize")


def _longest_ms(label: str) -> float:
    """10.0 of `0~10ms`, 1000.0 of `500ms~1s`, 0.0 of `<=0ms`; the last class has no end."""
    end = label.rpartition("~")[2] or ""
    found = re.fullmatch(r"(?:<=)?(\d+)(ms|s)", end)
    if found is None:
        return LONGEST_MS
    return float(found[1]) * (1 if found[2] == "ms" else 1_000)
