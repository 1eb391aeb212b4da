"""Settings of brokers that change what a cluster does and are not modelled: each is named at its file and line.

Source: rocketmq 4.9.8 and 5.3.3, MessageStoreConfig and BrokerConfig.
"""

from __future__ import annotations

from collections.abc import Mapping

from simulator.scenario.reading.java_properties import JavaProperty
from streaming.init.cluster_facts import BrokerFacts, ClusterFacts
from streaming.init.saved_part import SavedPart

DLEDGER, PEERS, SELF = "enableDLegerCommitLog", "dLegerPeers", "dLegerSelfId"
CONTROLLER = "enableControllerMode"
POOL = "transientStorePoolEnable"
# Flags that are not modelled, and what they do where they are on.
FLAGS = {
    "allAckInSyncStateSet": "a put waits for every broker of the in-sync set, which is not modelled",
    "enableAutoInSyncReplicas": "the number of copies a put waits for follows the live brokers, which is not modelled",
    "rejectTransactionMessage": "the broker rejects transactional messages, which is not modelled",
    "duplicationEnable": "replication of its own, which is not modelled",
    "enableBrokerContainer": "several brokers in one process, which is not modelled",
}
TOLD = (DLEDGER, PEERS, SELF, "dLegerGroup", CONTROLLER, "controllerAddr", "brokerPermission", *FLAGS)


def is_on(said: Mapping[str, str], key: str) -> bool:
    """Whether a flag is true."""
    return said.get(key, "").lower() == "true"


def tell_unmodelled(
    part: SavedPart,
    first: int,
    said: Mapping[str, JavaProperty],
    name: str | None,
    broker: BrokerFacts,
    facts: ClusterFacts,
) -> set[str]:
    """Say what is not modelled, take the replicas that DLedger's peers are, and return the keys without effect."""
    taken = {key: own.taken for key, own in said.items() if own.taken is not None}
    own_name = name or "the broker"

    def at(key: str) -> str:
        return part.place(first + said[key].line - 1)

    dropped: set[str] = set()
    if is_on(taken, DLEDGER):
        peers = [peer for peer in taken.get(PEERS, "").split(";") if peer.strip()]
        known = f": {len(peers)} brokers of which {len(peers) // 2 + 1} must store a message" if peers else ""
        facts.note(
            f"{at(DLEDGER)}: {own_name} uses DLedger (Raft{known}). Elections and acknowledgement by a majority are not"
            f" modelled: it is simulated as a master{f' with {len(peers) - 1} slaves' if len(peers) > 1 else ''}."
        )
        for number in range(len(peers)):
            broker.members.setdefault(number, f"{part.name}: {PEERS}")
        dropped |= {"brokerRole", POOL} & set(taken)
        if is_on(taken, POOL):
            facts.note(f"{at(POOL)}: {POOL} has no effect under DLedger.")
    if is_on(taken, CONTROLLER):
        address = f"{taken.get('brokerIP1', '?')}:{taken.get('listenPort', '?')} {part.file}"
        broker.replicas.add(address)
        facts.note(
            f"{at(CONTROLLER)}: {own_name} is in controller mode: the controller chooses the master among its brokers."
            " Elections are not modelled: it is simulated as a master whose slaves the other files show."
        )
        dropped |= {"brokerRole"} & set(taken)
    facts.notes += [f"{at(key)}: {key}: {text}." for key, text in FLAGS.items() if is_on(taken, key)]
    if taken.get("brokerPermission", "6") not in ("6", "7"):
        facts.note(
            f"{at('brokerPermission')}: brokerPermission={taken['brokerPermission']}: the broker does not take every"
            " request, which a topic's route shows and this file alone does not."
        )
    return dropped
