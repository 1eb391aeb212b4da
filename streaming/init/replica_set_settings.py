"""Settings of brokers that say who elects their master, and reports of those that are not modelled, each at its line.

Source: rocketmq 4.9.8 and 5.3.3, MessageStoreConfig and BrokerConfig.
"""

from __future__ import annotations

from collections.abc import Mapping

from simulator.scenario.brokers.replica_set import CONTROLLER as CONTROLLER_MODE
from simulator.scenario.brokers.replica_set import DLEDGER as DLEDGER_MODE
from simulator.scenario.brokers.replica_set import QUORUM
from simulator.scenario.reading.java_properties import JavaProperty
from streaming.init.cluster_facts import BrokerFacts, ClusterFacts, Sourced
from streaming.init.saved_part import SavedPart
from streaming.init.texts.init_note_texts import InitNoteTexts

DLEDGER, PEERS, SELF = "enableDLegerCommitLog", "dLegerPeers", "dLegerSelfId"
CONTROLLER = "enableControllerMode"
POOL = "transientStorePoolEnable"
# Flags that are not modelled, and what they do where they are on.
FLAGS = {
    "enableAutoInSyncReplicas": InitNoteTexts.AUTO_IN_SYNC,
    "rejectTransactionMessage": InitNoteTexts.REJECTS_TRANSACTIONS,
    "duplicationEnable": InitNoteTexts.DUPLICATION,
    "enableBrokerContainer": InitNoteTexts.CONTAINER,
}
# of a set whose master a controller elects
ALL_ACK, LEAST, LAGS = "allAckInSyncStateSet", "minInSyncReplicas", "haMaxTimeSlaveNotCatchup"
OF_SETS = (DLEDGER, PEERS, SELF, "dLegerGroup", CONTROLLER, "controllerAddr", ALL_ACK, LEAST, LAGS)
REPORTED = (*OF_SETS, "brokerPermission", *FLAGS)


def is_on(said: Mapping[str, str], key: str) -> bool:
    """Whether a flag is true."""
    return said.get(key, "").lower() == "true"


def take_set_settings(
    part: SavedPart,
    first: int,
    said: Mapping[str, JavaProperty],
    name: str | None,
    broker: BrokerFacts,
    facts: ClusterFacts,
) -> set[str]:
    """Take who elects the master and of how many, report what is not modelled, and return the keys without effect."""
    taken = {key: own.taken for key, own in said.items() if own.taken is not None}
    own_name = name or "the broker"

    def at(key: str) -> str:
        return part.place(first + said[key].line - 1)

    dropped: set[str] = set()
    if is_on(taken, DLEDGER):
        peers = [peer for peer in taken.get(PEERS, "").split(";") if peer.strip()]
        if len(peers) >= QUORUM:
            broker.mode = Sourced(DLEDGER_MODE, at(DLEDGER))
        else:
            facts.note(InitNoteTexts.NO_PEERS(place=at(DLEDGER), broker=own_name, peers=PEERS))
        for number in range(len(peers)):
            broker.members.setdefault(number, f"{part.name}: {PEERS}")
        dropped |= {"brokerRole", POOL} & set(taken)
        if is_on(taken, POOL):
            facts.note(InitNoteTexts.POOL_WITHOUT_EFFECT(place=at(POOL), key=POOL))
    if is_on(taken, CONTROLLER):
        address = f"{taken.get('brokerIP1', '?')}:{taken.get('listenPort', '?')} {part.file}"
        broker.replicas.add(address)
        broker.mode = Sourced(CONTROLLER_MODE, at(CONTROLLER))
        if is_on(taken, ALL_ACK):
            broker.set_settings["all_ack_in_sync_state_set"] = Sourced(True, f"{part.name}: {ALL_ACK}")
        if taken.get(LAGS, "").isdigit() and int(taken[LAGS]) > 0:
            broker.set_settings["ha_max_time_slave_not_catchup"] = Sourced(f"{taken[LAGS]}ms", f"{part.name}: {LAGS}")
        if taken.get(LEAST, "1").isdigit() and int(taken.get(LEAST, "1")) > 1:
            broker.set_settings["min_in_sync_replicas"] = Sourced(int(taken[LEAST]), f"{part.name}: {LEAST}")
        dropped |= {"brokerRole"} & set(taken)
    facts.notes += [text().at(key).at(at(key)) for key, text in FLAGS.items() if is_on(taken, key)]
    if taken.get("brokerPermission", "6") not in ("6", "7"):
        place, value = at("brokerPermission"), taken["brokerPermission"]
        facts.note(InitNoteTexts.BROKER_PERMISSION(place=place, value=value))
    return dropped
