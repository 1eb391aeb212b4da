"""The name servers of a scenario: how many, of which release."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field, model_validator

from simulator.releases.ledger import NEWEST
from simulator.releases.name_server_release import NAME_SERVERS, NameServerRelease
from simulator.scenario.client_settings import Release
from simulator.scenario.faults.fault_values import NAME_SERVERS_MAX
from simulator.scenario.reading.fields import Flag, Model, TimeUs, whole
from simulator.scenario.reading.scenario_error import Problem, raise_any
from simulator.scenario.texts.broker_texts import BrokerTexts


class NameServerSettings(Model):
    """`count` name servers of one release; the brokers register with all of them.

    `enable_slave_acting_master` (5.0.0 and later): brokers tell with every heartbeat of 1 s that they are to be given
    up after 10 s, as those with slave_acting_master do. `support_acting_master`: of a broker without a master, whose
    slave acts for it, the slave is named as master, to read from. `need_wait_for_service`: a name server answers
    requests for routes with SYSTEM_ERROR ("name server not ready") for `wait_for_service` after its start. From 5.1.0
    to 5.3.1 it answers so always after the first route that it has answered with (apache/rocketmq#9182).

    Source: rocketmq 4.2.0-5.5.0, NamesrvConfig, BrokerConfig; 5.1.0-5.5.0, ClientRequestProcessor.getRouteInfoByTopic.
    """

    count: Annotated[int, whole(1, NAME_SERVERS_MAX)] = Field(1, description="number of name servers")
    release: Release = Field(NEWEST, description="release of the name servers")
    enable_slave_acting_master: Flag = Field(
        False, description="brokers are removed 10 s after their last heartbeat (5.0.0 and later)"
    )
    support_acting_master: Flag = Field(
        False, description="supportActingMaster: a slave that acts for its master is named as master, to read from"
    )
    need_wait_for_service: Flag = Field(
        False, description="a name server that starts answers no request for a route at first (5.3.2 and later)"
    )
    wait_for_service_us: TimeUs = Field(
        45_000_000, alias="wait_for_service", description="for how long it does not (waitSecondsForService)"
    )

    @model_validator(mode="after")
    def _check(self) -> NameServerSettings:
        raise_any(self._problems())
        return self

    def _problems(self) -> Iterator[Problem]:
        for key in ("enable_slave_acting_master", "support_acting_master"):
            if getattr(self, key) and not self.rules.has_acting_master:
                text = BrokerTexts.NAME_SERVER_NOT_BEFORE_5(release=self.release)
                yield Problem((key,), text)
        if self.need_wait_for_service and not self.rules.has_wait_for_service:
            text = BrokerTexts.DOES_NOT_WORK_BEFORE(release=self.release)
            yield Problem(("need_wait_for_service",), text)
        elif self.need_wait_for_service and not self.rules.wait_ends:
            text = BrokerTexts.ANSWERS_ONE_REQUEST(release=self.release)
            yield Problem(("need_wait_for_service",), text)

    @property
    def rules(self) -> NameServerRelease:
        """What the release decides."""
        return NAME_SERVERS[self.release]

    @property
    def waits_us(self) -> int:
        """How long a name server that starts answers no request for a route."""
        return self.wait_for_service_us if self.need_wait_for_service else 0
