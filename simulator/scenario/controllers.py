"""The controllers of a scenario: how many, and where they run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from simulator.releases.controller_release import CONTROLLERS, ControllerRelease
from simulator.releases.ledger import NEWEST, first_with
from simulator.scenario.client_settings import Release
from simulator.scenario.distributions.latency_settings import PositiveUs
from simulator.scenario.faults.fault_list import Fault
from simulator.scenario.reading.fields import Flag, Model, choice, whole
from simulator.scenario.reading.scenario_error import Problem
from simulator.scenario.texts.broker_texts import BrokerTexts
from simulator.scenario.texts.fault_texts import FaultTexts

CONTROLLERS_MAX = 9
DLEDGER: Literal["dledger"] = "dledger"
JRAFT = "jraft"


class ControllerSettings(Model):
    """The controllers that elect the masters of sets with mode: controller (5.0.0 and later).

    Several are a group of DLedger or of JRaft: without a majority of them nobody is elected. Embedded ones are in the
    processes of the name servers of their numbers. `release` is None for that of the name servers.

    Source: rocketmq 5.0.0-5.5.0, ControllerConfig, NamesrvConfig.enableControllerInNamesrv, DLedgerController,
    JRaftController.
    """

    count: Annotated[int, whole(1, CONTROLLERS_MAX)] = Field(1, description="number of controllers")
    type: Annotated[Literal["dledger", "jraft"], choice(DLEDGER, JRAFT)] = Field(
        DLEDGER, description="controllerType: what the controllers agree by (jraft: 5.2.0 and later)"
    )
    release: Release | None = Field(None, description="release of the controllers; default that of the name servers")
    embedded: Flag = Field(True, description="enableControllerInNamesrv: they run in name servers, and die with them")
    scan_not_active_broker_interval_us: PositiveUs = Field(
        5_000_000, alias="scan_not_active_broker_interval", title="a duration such as 5s",
        description="scanNotActiveBrokerInterval: how often brokers without a heartbeat are looked for",
    )  # fmt: skip
    scan_inactive_master_interval_us: PositiveUs = Field(
        5_000_000, alias="scan_inactive_master_interval", title="a duration such as 5s",
        description="scanInactiveMasterInterval: how often sets without an active master are looked for",
    )  # fmt: skip

    @property
    def is_jraft(self) -> bool:
        """Whether they agree by JRaft."""
        return self.type == JRAFT

    def rules(self, release: str) -> ControllerRelease:
        """What their release decides; release: that of the name servers."""
        return CONTROLLERS[self.release or (release if CONTROLLERS[release].is_there else NEWEST)]

    def problems(self, name_servers: int, release: str, faults: Sequence[Fault]) -> Iterator[Problem]:
        """What does not fit the number of name servers or the release, and faults of controllers that are not there.

        release: that of the name servers.
        """
        own, default = self.rules(release), type(self).model_fields["scan_inactive_master_interval_us"].default
        if self.release is not None and not own.is_there:
            text = BrokerTexts.NO_CONTROLLERS(release=self.release, first=first_with(CONTROLLERS, "is_there"))
            yield Problem(("controllers", "release"), text)
        if self.scan_inactive_master_interval_us != default and not own.scans_inactive_masters:
            text = BrokerTexts.NO_SCAN(release=own.release, first=first_with(CONTROLLERS, "scans_inactive_masters"))
            yield Problem(("controllers", "scan_inactive_master_interval"), text)
        if self.is_jraft and not own.has_jraft:
            text = BrokerTexts.NO_JRAFT(release=own.release, first=first_with(CONTROLLERS, "has_jraft"))
            yield Problem(("controllers", "type"), text)
        if self.is_jraft and self.scan_inactive_master_interval_us != default:
            yield Problem(("controllers", "scan_inactive_master_interval"), BrokerTexts.SCAN_OF_DLEDGER())
        if self.embedded and self.count > name_servers:
            yield Problem(("controllers", "count"), BrokerTexts.EMBEDDED_CONTROLLERS(count=name_servers))
        for i, fault in enumerate(faults):
            if any(number > self.count for number in fault.controllers or ()):
                yield Problem(("faults", i, "controller"), FaultTexts.NO_CONTROLLER(count=self.count))
