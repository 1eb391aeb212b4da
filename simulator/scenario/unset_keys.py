"""Keys that say what holds without them: a scenario that leaves them alone has the digest that it has without them."""

from __future__ import annotations

from typing import Any

from simulator.scenario.consuming.autoscale import Autoscale
from simulator.scenario.later.transaction import Transaction
from simulator.scenario.name_servers import NameServerSettings
from simulator.scenario.reading.fields import Model

OF_TRANSACTIONS = ("check_while_running",)
OF_SCALING = ("allow_idle_consumers", "limit_to_partitions_with_lag")
OF_NAME_SERVERS = ("support_acting_master", "need_wait_for_service", "wait_for_service_us")


def _drop(content: dict[str, Any], own: Model, names: tuple[str, ...]) -> None:
    for name in names:
        field = type(own).model_fields[name]
        if getattr(own, name) == field.get_default(call_default_factory=True):
            content.pop(field.alias or name, None)


def drop_unset_keys(
    content: dict[str, Any],
    name_servers: NameServerSettings,
    transactions: list[Transaction | None],
    scaled: dict[str, Autoscale | None],
) -> None:
    """Take such keys out of the content of a scenario: of its brokers, name servers and groups."""
    _drop(content["name_servers"], name_servers, OF_NAME_SERVERS)
    for broker in content["brokers"].values():
        if not broker["enable_remote_escape"]:
            del broker["enable_remote_escape"]
    for group, transaction in zip(content["producers"], transactions, strict=True):
        if not group["trace"]:
            del group["trace"]
        if transaction is not None:
            _drop(group["transaction"], transaction, OF_TRANSACTIONS)
    for name, autoscale in scaled.items():
        if autoscale is not None:
            _drop(content["consumers"][name]["autoscale"], autoscale, OF_SCALING)
