"""The name servers of a scenario: how many, of which release."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field, model_validator

from simulator.client.releases import RELEASES
from simulator.scenario.client_settings import Release
from simulator.scenario.faults.fault_values import NAME_SERVERS_MAX
from simulator.scenario.reading.fields import Flag, Model, whole
from simulator.scenario.reading.scenario_error import Problem, raise_any


class NameServerSettings(Model):
    """`count` name servers of one release; the brokers register with all of them.

    `enable_slave_acting_master` (5.0.0 and later): brokers tell with every heartbeat of 1 s that they are to be given
    up after 10 s. Source of the defaults: NamesrvConfig, BrokerConfig, 4.2.0 to 5.3.3.
    """

    count: Annotated[int, whole(1, NAME_SERVERS_MAX)] = Field(1, description="number of name servers")
    release: Release = Field("5.3.3", description="release of the name servers")
    enable_slave_acting_master: Flag = Field(
        False, description="brokers are removed 10 s after their last heartbeat (5.0.0 and later)"
    )

    @model_validator(mode="after")
    def _check(self) -> NameServerSettings:
        raise_any(self._problems())
        return self

    def _problems(self) -> Iterator[Problem]:
        if self.enable_slave_acting_master and not self.is_5:
            text = f"release {self.release} does not have it; the first that has it is 5.0.0"
            yield Problem(("enable_slave_acting_master",), text)

    @property
    def is_5(self) -> bool:
        """Whether it is 5.0.0 or later."""
        return RELEASES.index(self.release) >= RELEASES.index("5.0.0")
