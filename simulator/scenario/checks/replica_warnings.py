"""What of sets, slaves and controllers is probably not meant: groups of an even size, keys without effect.

Source: dledger 0.3.1.2, MemberState.isQuorum (peerSize / 2 + 1); rocketmq 5.3.3, BrokerController.start (a broker with
enableControllerMode and enableSlaveActingMaster starts, and heeds both).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from simulator.scenario.brokers.broker import Broker
from simulator.scenario.brokers.replica_set import CONTROLLER, DLEDGER, HA_BYTES_PER_S
from simulator.scenario.controllers import ControllerSettings
from simulator.scenario.faults.targets import struck
from simulator.scenario.name_servers import NameServerSettings
from simulator.scenario.scenario import Scenario
from simulator.scenario.texts.replica_warning_texts import ReplicaWarningTexts
from simulator.units import format_duration

NAMES_SHOWN = 3
OF_SLAVES = ("slave_lost", "slave_lag")


def replica_warnings(scenario: Scenario) -> Iterator[str]:
    """The warnings, a sentence each."""
    yield from _even(scenario)
    yield from _acting(scenario)
    yield from _acknowledged(scenario)
    yield from _unused(scenario)
    yield from _masters_as_slaves(scenario)


def _even(scenario: Scenario) -> Iterator[str]:
    count = scenario.controllers.count
    if count % 2 == 0 and any(own.mode == CONTROLLER for own in scenario.brokers.values()):
        yield ReplicaWarningTexts.EVEN_CONTROLLERS(
            count=count, majority=count // 2 + 1, fewer=count - 1, more=count + 1
        )
    for machines in sorted({own.replicas for own in scenario.brokers.values() if own.mode == DLEDGER}):
        if machines % 2 == 0:
            sets = [name for name, own in scenario.brokers.items() if (own.mode, own.replicas) == (DLEDGER, machines)]
            yield ReplicaWarningTexts.EVEN_SET(
                brokers=_shown(sets), count=machines, majority=machines // 2 + 1, fewer=machines - 1, more=machines + 1
            )


def _acting(scenario: Scenario) -> Iterator[str]:
    if brokers := _names(scenario, lambda own: own.slave_acting_master and own.is_elected):
        yield ReplicaWarningTexts.SET_ACTS(brokers=brokers)
    if brokers := _names(scenario, lambda own: own.slave_acting_master and not own.slaves):
        yield ReplicaWarningTexts.NOBODY_TO_ACT(brokers=brokers)


def _acknowledged(scenario: Scenario) -> Iterator[str]:
    """Brokers with fewer slaves than must acknowledge."""
    for acts, answer in ((False, "FLUSH_SLAVE_TIMEOUT"), (True, "SYSTEM_ERROR (1)")):
        short = [
            name for name, own in scenario.brokers.items() if _lacks_slaves(own) and own.slave_acting_master == acts
        ]
        if short:
            yield ReplicaWarningTexts.TOO_FEW_TO_ACKNOWLEDGE(brokers=_shown(short), answer=answer)


def _lacks_slaves(own: Broker) -> bool:
    return not own.is_elected and own.rules.counts_acks and own.acks > own.slaves


def _unused(scenario: Scenario) -> Iterator[str]:
    """Keys that change nothing."""
    for key, why, is_unused in _KEYS_OF_BROKERS:
        if brokers := _names(scenario, is_unused):
            yield ReplicaWarningTexts.NO_EFFECT(key=key, brokers=brokers, why=why)
    names: NameServerSettings = scenario.name_servers
    if names.support_acting_master and not any(own.is_acted_for for own in scenario.brokers.values()):
        yield ReplicaWarningTexts.UNUSED(
            key="name_servers.support_acting_master", why=ReplicaWarningTexts.WITHOUT_ACTING()
        )
    waits_us = type(names).model_fields["wait_for_service_us"].default
    if names.wait_for_service_us != waits_us and not names.need_wait_for_service:
        yield ReplicaWarningTexts.UNUSED(key="name_servers.wait_for_service", why=ReplicaWarningTexts.WITHOUT_WAIT())
    if scenario.controllers != ControllerSettings.model_validate({}) and not _names(
        scenario, lambda own: own.mode == CONTROLLER
    ):
        yield ReplicaWarningTexts.UNUSED(key="controllers", why=ReplicaWarningTexts.WITHOUT_SETS())


def _masters_as_slaves(scenario: Scenario) -> Iterator[str]:
    """Faults of slaves that name machine 1 of a set whose first master it still is, as nothing struck it before."""
    for number, fault in enumerate(scenario.faults):
        if fault.replica != 1 or fault.kind not in OF_SLAVES:
            continue
        names = struck(fault.brokers or (), list(scenario.brokers), scenario.seed, number)
        before = {period.broker for period in scenario.fault_periods() if period.at_us < fault.at_us}
        if spared := [name for name in names if name not in before]:
            yield ReplicaWarningTexts.MASTER_AS_SLAVE(
                kind=fault.kind, at=format_duration(fault.at_us), broker=spared[0]
            )


def _names(scenario: Scenario, asked: Callable[[Broker], bool]) -> str:
    """The brokers for which it holds, by name; an empty text for none."""
    return _shown([name for name, own in scenario.brokers.items() if asked(own)])


def _shown(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMES_SHOWN} more" if len(names) > NAMES_SHOWN else ""
    return f"{', '.join(names[:NAMES_SHOWN])}{more}"


_KEYS_OF_BROKERS: Sequence[tuple[str, str, Callable[[Broker], bool]]] = (
    ("ha_flow_control_enable", ReplicaWarningTexts.WITHOUT_SLAVES(),
     lambda own: own.ha_flow_control_enable and not own.slaves),
    ("max_ha_transfer_byte_in_second", ReplicaWarningTexts.WITHOUT_FLOW_CONTROL(),
     lambda own: own.max_ha_transfer_byte_in_second != HA_BYTES_PER_S and not own.ha_flow_control_enable),
    ("in_sync_replicas", ReplicaWarningTexts.WITH_ASYNC_MASTER(),
     lambda own: own.in_sync_replicas > 1 and not own.is_elected and own.role == "async_master"),
    ("in_sync_replicas", ReplicaWarningTexts.WITH_MAJORITY(),
     lambda own: own.in_sync_replicas > 1 and own.mode == DLEDGER),
    ("in_sync_replicas", ReplicaWarningTexts.WITH_ALL_ACK(),
     lambda own: own.in_sync_replicas > 1 and own.all_ack_in_sync_state_set),
)  # fmt: skip
