"""What is known of a broker as keys of a scenario: its settings, its slaves, or who elects its master."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from streaming.init.cluster_facts import BrokerFacts, Sourced
from streaming.texts.init_texts import InitTexts


def alone_in_their_set(brokers: Mapping[str, BrokerFacts]) -> Iterator[str]:
    """A remark on each broker whose set elects its master, and of which no other machine is known."""
    for name, broker in brokers.items():
        if broker.mode is not None and not broker.slaves:
            yield InitTexts.ALONE_IN_ITS_SET(broker=name, mode=broker.mode.value).at(broker.mode.source)


def settings_of(broker: BrokerFacts, of_all: BrokerFacts) -> dict[str, Sourced[Any]]:
    """The keys of a broker, but for release and latency."""
    found = {**of_all.settings, **broker.settings}
    of_slaves = [source for broker_id, source in broker.members.items() if broker_id]
    where = of_slaves[0] if of_slaves else InitTexts.OF_THE_CONTROLLER()
    if broker.mode is not None and broker.slaves:
        found.pop("role", None)
        replicas = Sourced(broker.slaves + 1, InitTexts.OF_THAT_NAME().at(where))
        return found | {"replicas": replicas, "mode": broker.mode} | broker.set_settings
    if broker.slaves and "slaves" not in broker.settings:
        found["slaves"] = Sourced(broker.slaves, InitTexts.BESIDE_THE_MASTER().at(where))
    return found
