"""What those who run brokers can change about who takes over from a master, what goes wrong, and what it is judged by.

Every mode is a ground: a controller, DLedger, nobody, or a slave that acts for its master. Where a controller elects,
each setting of acknowledgements is tried alone. All sets of a cluster change at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.advice.candidates import Candidate, Change
from simulator.advice.cost_texts import CostTexts, NotCoveredTexts
from simulator.advice.situations import BEGIN, OWN, USUAL_DURATION, Situation
from simulator.plan.failover.role_stretches import is_set
from simulator.scenario import Broker, Scenario
from simulator.scenario.brokers.replica_set import CONTROLLER, DLEDGER, MASTER_SLAVE, OF_ALL_MODES, QUORUM, ReplicaSet
from simulator.units import format_duration

LAG, SECOND = "8300ms", "55s"  # 15 s after the first failure
LAGS_AT = "32s"
PAIR = 2
SOONER = "5s"
REPLICAS_UNKNOWN = (
    NotCoveredTexts.LOST_MESSAGES(),
    NotCoveredTexts.DISKS(),
    NotCoveredTexts.CONTROLLERS(),
    NotCoveredTexts.WEIGHTS(),
    NotCoveredTexts.DEPLOYMENT(),
    NotCoveredTexts.OTHER_SETTINGS(beside=""),
)


def sets_of(scenario: Scenario) -> dict[str, Broker]:
    """The brokers that are sets of several machines."""
    return {name: broker for name, broker in scenario.brokers.items() if is_set(broker)}


def replica_candidates(scenario: Scenario) -> list[Candidate]:
    """The sets as they are, every other mode, and each further setting alone where a controller elects."""
    found = [Candidate()]
    controlled = [Candidate()] if all(own.mode == CONTROLLER for own in sets_of(scenario).values()) else []
    for mode in _modes(scenario):
        found.append(Candidate((mode,)))
        controlled += [found[-1]] if mode.name == CONTROLLER else []
    return [*found, *(ground.plus(change) for ground in controlled for change in _of_controllers(scenario))]


def _of_sets(scenario: Scenario, **values: Any) -> dict[str, Any]:
    return {f"brokers.{name}.{key}": value for name in sets_of(scenario) for key, value in values.items()}


def _modes(scenario: Scenario) -> Iterator[Change]:
    """Who can take over, besides who does now."""
    sets = sets_of(scenario).values()
    machines = max(own.slaves for own in sets) + 1
    present = {_mode_of(own) for own in sets}
    acts = _of_sets(scenario, slave_acting_master=True, slave_read_enable=True)
    for name, keys, costs in (
        (CONTROLLER, _elected(scenario, CONTROLLER, machines), CostTexts.CONTROLLERS()),
        (DLEDGER, _elected(scenario, DLEDGER, max(machines, QUORUM)), CostTexts.MAJORITY()),
        ("nobody takes over", _plain(scenario, machines), CostTexts.NO_TAKEOVER()),
        ("acting master", _plain(scenario, machines) | acts | {"name_servers.support_acting_master": True},
         CostTexts.ACTING_MASTER()),
    ):  # fmt: skip
        if present != {name}:
            if machines < QUORUM and name == DLEDGER:
                costs = costs.followed_by(CostTexts.MORE_MACHINES(machines=QUORUM, before=machines))
            yield Change("mode", name, keys, costs)


def _mode_of(own: Broker) -> str:
    if own.is_elected:
        return own.mode
    return "acting master" if own.is_acted_for else "nobody takes over"


def _elected(scenario: Scenario, mode: str, machines: int) -> dict[str, Any]:
    keys = {"slaves": 0, "role": "async_master", "slave_acting_master": False, "mode": mode, "replicas": machines}
    return _reset(scenario, mode) | _of_sets(scenario, **keys)


def _plain(scenario: Scenario, machines: int) -> dict[str, Any]:
    keys = {"mode": MASTER_SLAVE, "replicas": 1, "slaves": machines - 1, "slave_acting_master": False}
    return _reset(scenario, MASTER_SLAVE) | _of_sets(scenario, **keys)


def _reset(scenario: Scenario, mode: str) -> dict[str, Any]:
    """Keys of controllers alone, where they are set, as another mode has them."""
    found = {}
    for name, own in sets_of(scenario).items() if mode != CONTROLLER else ():
        for field, about in ReplicaSet.model_fields.items():
            if field not in OF_ALL_MODES and getattr(own, field) != about.default:
                found[f"brokers.{name}.{about.alias or field}"] = _written(field, about.default)
    return found


def _written(field: str, value: Any) -> Any:
    if field.endswith("_us"):
        return format_duration(value)
    return list(value) if isinstance(value, tuple) else value


def _of_controllers(scenario: Scenario) -> Iterator[Change]:
    sets = list(sets_of(scenario).values())
    rows: tuple[tuple[str, str, dict[str, Any], str], ...] = (
        ("acknowledgements", "allAckInSyncStateSet", {"all_ack_in_sync_state_set": True},
         CostTexts.SLOWEST_REPLICA()),
        ("acknowledgements", f"inSyncReplicas {PAIR}", {"in_sync_replicas": PAIR}, CostTexts.FASTEST_SLAVE()),
        ("least", f"minInSyncReplicas {PAIR}", {"in_sync_replicas": PAIR, "min_in_sync_replicas": PAIR},
         CostTexts.LONE_MASTER()),
        ("lag", f"haMaxTimeSlaveNotCatchup {SOONER}", {"ha_max_time_slave_not_catchup": SOONER},
         CostTexts.OUT_OF_SYNC()),
        ("unclean", "enableElectUncleanMaster", {"enable_elect_unclean_master": True}, CostTexts.UNCLEAN_MASTER()),
    )  # fmt: skip
    for topic, name, keys, costs in rows:
        if not all(_has(own, keys) for own in sets):
            yield Change(topic, name, _of_sets(scenario, **keys), costs)


def _has(own: Broker, keys: dict[str, Any]) -> bool:
    of = {about.alias or field: field for field, about in Broker.model_fields.items()}
    return all(_written(of[key], getattr(own, of[key])) == value for key, value in keys.items())


def replica_situations(scenario: Scenario, which: str) -> list[Situation]:
    """What goes wrong with a set, the first one: its master dies, hangs, is stopped, loses its disk, dies twice, dies
    behind slaves that lag; and nothing, for what acknowledgements cost.
    """
    first = next(iter(sets_of(scenario)))

    def fault(kind: str, at: str = BEGIN, lasts: str = "60s") -> dict[str, Any]:
        return {"at": at, "for": lasts, "broker": first, "kind": kind}

    def of(name: str, after: str, *faults: dict[str, Any]) -> Situation:
        return Situation(name, after, {"duration": USUAL_DURATION, "faults": list(faults)})

    usual = [
        of("calm", "while all is well"),
        of("kill", "when a master is killed", fault("kill")),
        of("hang", "when a master hangs", fault("hang")),
        of("stop", "when a master is stopped gracefully", fault("restart")),
        of("disk_loss", "when a master loses its disk", fault("disk_loss")),
        of("two_kills", "when the next master is killed 15 s after the first", fault("kill"), fault("kill", SECOND)),
        of("lag", "when a master is killed behind slaves that lag", fault("slave_lag", LAGS_AT, LAG), fault("kill")),
    ]
    own = [Situation(OWN, "under the scenario's own faults")] if which != "usual" and scenario.faults else []
    return own + (usual if which != "own" else [])


def broker_conf(scenario: Scenario, base: Scenario) -> str:
    """Lines for the files of brokers, name servers and controllers, for what differs from `base`."""
    (name, own), *others = sets_of(scenario).items()
    before = base.brokers[name]
    more = f" and {len(others)} more, each with its own dLegerGroup" if others and own.mode == DLEDGER else ""
    more = more or (f" and {len(others)} more" if others else "")
    lines = [f"# broker.conf of each machine of {name}{more}"]
    if own.mode == CONTROLLER:
        lines += ["enableControllerMode=true", "controllerAddr=HOST:9878"] if before.mode != CONTROLLER else []
    elif own.mode == DLEDGER:
        peers = ";".join(f"n{number}-HOST{number}:40911" for number in range(own.replicas))
        lines += ["enableDLegerCommitLog=true", f"dLegerGroup={name}", f"dLegerPeers={peers}", "dLegerSelfId=n0"]
    elif own.is_acted_for:
        lines.append("enableSlaveActingMaster=true")
    for key, field in (
        ("slaveReadEnable", "slave_read_enable"),
        ("allAckInSyncStateSet", "all_ack_in_sync_state_set"),
        ("inSyncReplicas", "in_sync_replicas"),
        ("minInSyncReplicas", "min_in_sync_replicas"),
        ("haMaxTimeSlaveNotCatchup", "ha_max_time_slave_not_catchup_us"),
    ):
        value = getattr(own, field)
        if value != getattr(before, field):
            lines.append(f"{key}={_property(field, value)}")
    if own.enable_elect_unclean_master != before.enable_elect_unclean_master:
        value = _property("", own.enable_elect_unclean_master)
        lines += ["# of each controller", f"enableElectUncleanMaster={value}"]
    if scenario.name_servers.support_acting_master and not base.name_servers.support_acting_master:
        lines += ["# of each name server", "supportActingMaster=true"]
    return "\n".join(lines if len(lines) > 1 else [*lines, "# nothing changes"])


def _property(field: str, value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value // 1000 if field.endswith("_us") else value)
