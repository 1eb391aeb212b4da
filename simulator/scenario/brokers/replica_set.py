"""The replicas of a broker set, and who decides which of them is the master."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from simulator.releases.broker_release import BROKERS
from simulator.releases.ledger import first_with
from simulator.scenario.brokers.storage import SLAVES_MAX, Replicas
from simulator.scenario.client_settings import SizeBytes
from simulator.scenario.distributions.latency_settings import PositiveUs
from simulator.scenario.reading.fields import Flag, Model, Reads, choice, whole, within
from simulator.scenario.reading.scenario_error import Problem
from simulator.scenario.texts.broker_texts import BrokerTexts
from simulator.scenario.texts.field_texts import FieldTexts
from simulator.units import format_duration, shown

MASTER_SLAVE: Literal["master_slave"] = "master_slave"
CONTROLLER, DLEDGER = "controller", "dledger"
MODES = (MASTER_SLAVE, CONTROLLER, DLEDGER)
HAS_MODE = {CONTROLLER: "counts_acks", DLEDGER: "has_dledger"}  # field of BrokerRelease
FLOW_CONTROL = ("ha_flow_control_enable", "max_ha_transfer_byte_in_second")
OF_ALL_MODES = ("replicas", "mode", *FLOW_CONTROL)
PRIORITY_MAX = 2**31 - 1
QUORUM = 3  # replicas of DLedger that outlive one
NUMBER_EXPECTED = FieldTexts.A_WHOLE_NUMBER(low=1, high=SLAVES_MAX + 1)
HA_BYTES_PER_S = 100 * 1024 * 1024


def replica_number(value: Any) -> int:
    """The number of a machine of a set, also as JSON has it in a key; raises ValueError."""
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value
    if isinstance(number, bool) or not isinstance(number, int):
        raise ValueError(FieldTexts.EXPECTED(expected=NUMBER_EXPECTED, got=shown(value)))
    return within(number, 1, SLAVES_MAX + 1, NUMBER_EXPECTED, value)


REPLICA_NUMBER = Reads(replica_number, expects=NUMBER_EXPECTED, schema={"type": "string", "pattern": "^[1-9]$"})


class ReplicaSet(Model):
    """Keys of a broker whose master can change while it runs.

    Defaults: MessageStoreConfig and ControllerConfig 5.0.0 to 5.5.0, read by reflection.
    """

    replicas: Replicas = Field(1, description="machines of a set whose master is elected, itself among them; see mode")
    mode: Annotated[Literal["master_slave", "controller", "dledger"], choice(*MODES)] = Field(
        MASTER_SLAVE, description="who takes over from a master: nobody, whom a controller elects, or DLedger's leader"
    )  # fmt: skip
    ha_flow_control_enable: Flag = Field(
        False, description="haFlowControlEnable: a master sends no more to each slave than the next key says (5.0.0)"
    )
    max_ha_transfer_byte_in_second: SizeBytes = Field(
        HA_BYTES_PER_S, title="a size such as 100MiB",
        description="maxHaTransferByteInSecond: bytes a second, with ha_flow_control_enable",
    )  # fmt: skip
    min_in_sync_replicas: Replicas = Field(
        1, description="minInSyncReplicas: with fewer in the sync set the master refuses every send (mode: controller)"
    )
    all_ack_in_sync_state_set: Flag = Field(
        False, description="allAckInSyncStateSet: every replica of the sync set must have a message (mode: controller)"
    )
    ha_max_time_slave_not_catchup_us: PositiveUs = Field(
        15_000_000, alias="ha_max_time_slave_not_catchup", title="a duration such as 15s",
        description="haMaxTimeSlaveNotCatchup: a replica that lags for longer leaves the sync set (mode: controller)",
    )  # fmt: skip
    broker_heartbeat_interval_us: PositiveUs = Field(
        1_000_000, alias="broker_heartbeat_interval", title="a duration such as 1s",
        description="brokerHeartbeatInterval: a machine's heartbeats to the controllers (mode: controller)",
    )  # fmt: skip
    controller_heart_beat_timeout_us: PositiveUs = Field(
        10_000_000, alias="controller_heart_beat_timeout", title="a duration such as 10s",
        description="controllerHeartBeatTimeoutMills: a machine without one for so long is away (mode: controller)",
    )  # fmt: skip
    check_sync_state_set_period_us: PositiveUs = Field(
        5_000_000, alias="check_sync_state_set_period", title="a duration such as 5s",
        description="checkSyncStateSetPeriod: how often a master looks who lags (mode: controller)",
    )  # fmt: skip
    broker_election_priority: tuple[Annotated[int, whole(0, PRIORITY_MAX)], ...] = Field(
        (), title="a list such as [1, 2, 3]",
        description="brokerElectionPriority of each machine: of equal ones the least is elected (mode: controller)",
    )  # fmt: skip
    enable_elect_unclean_master: Flag = Field(
        False, description="enableElectUncleanMaster: without a replica of the sync set any other is elected"
    )

    @property
    def confirms(self) -> bool:
        """Whether nobody reads a message before those replicas have it that must acknowledge it."""
        return self.all_ack_in_sync_state_set or self.mode == DLEDGER

    @property
    def is_elected(self) -> bool:
        """Whether another machine can take over from the master."""
        return self.mode != MASTER_SLAVE


def set_problems(own: ReplicaSet, release: str, slaves: int, in_sync: int) -> Iterator[Problem]:
    """What does not fit together; `release`: of the broker, `in_sync`: in_sync_replicas."""
    yield from _flow_problems(own, release)
    if own.is_elected and not getattr(BROKERS[release], HAS_MODE[own.mode]):
        first = first_with(BROKERS, HAS_MODE[own.mode])
        yield Problem(("mode",), BrokerTexts.NO_SUCH_MODE(release=release, mode=own.mode, first=first))
    least = {CONTROLLER: 2, DLEDGER: QUORUM}.get(own.mode, 1)
    if own.replicas < least:
        yield Problem(("replicas",), BrokerTexts.TOO_FEW_REPLICAS(mode=own.mode, least=least, got=own.replicas))
    if own.mode == MASTER_SLAVE and own.replicas > 1:
        text = BrokerTexts.NOBODY_ELECTED()
        yield Problem(("replicas",), text)
    if own.is_elected and slaves:
        yield Problem(("slaves",), BrokerTexts.SLAVES_IN_A_SET(mode=own.mode))
    if own.mode != CONTROLLER:
        yield from (
            Problem((field.alias or name,), BrokerTexts.CONTROLLER_ONLY(mode=own.mode))
            for name, field in ReplicaSet.model_fields.items()
            if name not in OF_ALL_MODES and getattr(own, name) != field.default
        )
    if own.mode == CONTROLLER and own.broker_heartbeat_interval_us >= own.controller_heart_beat_timeout_us:
        timeout = format_duration(own.controller_heart_beat_timeout_us)
        yield Problem(("broker_heartbeat_interval",), BrokerTexts.HEARTBEATS_TOO_RARE(timeout=timeout))
    if own.broker_election_priority and len(own.broker_election_priority) != own.replicas:
        text = BrokerTexts.PRIORITY_EACH(replicas=own.replicas, got=len(own.broker_election_priority))
        yield Problem(("broker_election_priority",), text)
    if own.is_elected and in_sync > own.replicas:
        yield Problem(("in_sync_replicas",), BrokerTexts.MORE_THAN_REPLICAS(replicas=own.replicas))
    if own.mode == CONTROLLER and own.min_in_sync_replicas > own.replicas:
        yield Problem(("min_in_sync_replicas",), BrokerTexts.MORE_THAN_REPLICAS(replicas=own.replicas))


def _flow_problems(own: ReplicaSet, release: str) -> Iterator[Problem]:
    if own.ha_flow_control_enable and own.mode == DLEDGER:
        yield Problem(FLOW_CONTROL[:1], BrokerTexts.FLOW_OF_DLEDGER())
    if own.ha_flow_control_enable and not BROKERS[release].counts_acks:
        yield Problem(FLOW_CONTROL[:1], BrokerTexts.NOT_BEFORE_5(release=release))
