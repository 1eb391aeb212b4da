"""What each broker of a cluster stores, by what files say of each."""

from __future__ import annotations

from collections.abc import Mapping

from streaming.init.cluster_facts import BrokerFacts


def load_of(broker: BrokerFacts, brokers: Mapping[str, BrokerFacts], total: float) -> float:
    """Messages a second of a broker: its part of the total by what each one stored, all alike where one is unknown."""
    known = [own.put_per_s.value for own in brokers.values() if own.put_per_s]
    if broker.put_per_s is None or len(known) < len(brokers) or not sum(known):
        return total / len(brokers)
    return total * broker.put_per_s.value / sum(known)


def idle_brokers(brokers: Mapping[str, BrokerFacts]) -> list[str]:
    """Brokers that stored nothing while others did."""
    idle = [name for name, own in brokers.items() if own.put_per_s and not own.put_per_s.value]
    return idle if any(own.put_per_s and own.put_per_s.value for own in brokers.values()) else []
