"""The scenario of a recorded failover: its sets and settings, what was done to whom, when clients started.

The scenario begins a second before the first consumer starts: its clocks are the recorded ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from simulator.scenario import Scenario, load_scenario
from simulator.scenario.brokers.replica_set import MASTER_SLAVE
from streaming.errors import InputError
from streaming.proof.consumers.consumer_recording import PROCESS_FAULTS, ConsumerRecording
from streaming.proof.failovers.failover_seen import most_at_once
from streaming.proof.texts.proof_texts import ProofTexts

MODES = {"ctl": "controller", "jr": "controller", "dl": "dledger", "act": "master_slave"}
NAME_SERVER = "nskill"  # how a recording was made whose name server was killed
BEFORE_MS = 1_000
SETTINGS = {
    "inSyncReplicas": "in_sync_replicas", "minInSyncReplicas": "min_in_sync_replicas",
    "allAckInSyncStateSet": "all_ack_in_sync_state_set", "enableSlaveActingMaster": "slave_acting_master",
    "slaveReadEnable": "slave_read_enable",
}  # fmt: skip


def begin_of(recording: ConsumerRecording) -> int:
    """When the scenario begins, ms of the recording."""
    return min(0, *recording.starts_ms.values()) - BEFORE_MS


def scenario_of_failover(recording: ConsumerRecording, path: Path, changes: Mapping[str, str]) -> Scenario:
    """The scenario of a recording. Raises ScenarioError and InputError."""
    plain, begin_ms = load_scenario(path), begin_of(recording)
    processes = [str(name) for name in recording.about["brokers"]]
    sets = {name: [one for one in processes if one.partition(".")[0] == name] for name in plain.brokers}
    if unknown := sorted({one.partition(".")[0] for one in processes} ^ set(plain.brokers)):
        raise InputError(ProofTexts.BROKERS_DIFFER(recording=recording.name, brokers=", ".join(unknown)).at(path))
    settings: dict[str, Any] = {"duration": f"{recording.end_ms - begin_ms}ms"}
    if controllers := recording.about.get("controllers"):
        settings["controllers"] = {"count": len(controllers), "embedded": False, "type": _type_of(controllers)}
    if "supportActingMaster=true" in recording.about["name_server"]:
        settings["name_servers.support_acting_master"] = True
    for name, own in sets.items():
        settings |= _set_keys(recording, name, own)
    for number, group in enumerate(plain.producers):
        settings |= _sending(recording, number, group.group, begin_ms)
    if not plain.faults:
        gone = [*_name_server_faults(recording), *_controller_faults(recording)]
        faults = [*_broker_faults(recording, sets), *gone, *_starts(recording)]
        settings["faults"] = [one | {"at": f"{one['at'] - begin_ms}ms"} for one in faults]
    return load_scenario(path, {key: json.dumps(value) for key, value in settings.items()} | dict(changes))


def _set_keys(recording: ConsumerRecording, name: str, processes: Sequence[str]) -> dict[str, Any]:
    own, machines = recording.about["brokers"][processes[0]], len(processes)
    mode = MODES.get(recording.about["scenario"].get("mode"), MASTER_SLAVE)
    found: dict[str, Any] = {}
    if mode == MASTER_SLAVE:
        found[f"brokers.{name}.slaves"] = machines - 1
    elif machines > 1:
        found |= {f"brokers.{name}.replicas": machines, f"brokers.{name}.mode": mode}
    for theirs, key in SETTINGS.items():
        if theirs in own:
            found[f"brokers.{name}.{key}"] = json.loads(str(own[theirs]).lower())
    return found


def _sending(recording: ConsumerRecording, number: int, who: str, begin_ms: int) -> dict[str, Any]:
    client = recording.client(who)
    begin, end = int(client.get("start", 0)), int(client.get("start", 0)) + int(client["dur"])
    changes = {f"{begin - begin_ms}ms": f"{client['rate']}/s"}
    if end < recording.end_ms:
        changes[f"{end - begin_ms}ms"] = "0/s"
    return {
        f"producers.{number}.rate": "0.000001/s",
        f"producers.{number}.rate_changes": changes,
        f"producers.{number}.threads": most_at_once(recording, who),
    }


def _broker_faults(recording: ConsumerRecording, sets: Mapping[str, Sequence[str]]) -> Iterator[dict[str, Any]]:
    """Faults of masters; slaves that stood still together lag."""
    masters, lagging = set[str](), set[str]()
    target = str(recording.about["scenario"].get("target"))
    seconds = {target, str(recording.about["scenario"].get("second", target))}
    for action in recording.actions:
        name = action.target.partition(".")[0]
        if action.kind not in PROCESS_FAULTS or name not in sets:
            continue
        end, kind = PROCESS_FAULTS[action.kind]
        lasts = {"for": f"{recording.until_ms(action, end) - action.at_ms}ms"}
        if action.target in seconds and action.target not in masters:
            masters.add(action.target)
            yield {"at": action.at_ms, "broker": name, "kind": kind} | lasts
        elif kind == "hang" and name not in lagging:
            lagging.add(name)
            yield {"at": action.at_ms, "broker": name, "kind": "slave_lag"} | lasts


def server_gone(recording: ConsumerRecording, killed: str) -> tuple[int, int]:
    """From when to when a name server or controller that was killed did not answer, ms of the recording."""
    actions = [(one["action"], one["time_ms"]) for one in recording.about["actions"] if one["who"] == killed]
    at_ms = next(at_ms for action, at_ms in actions if action == "kill9")
    return at_ms, next((at for action, at in actions if action == "port_open" and at > at_ms), recording.end_ms)


def _name_server_faults(recording: ConsumerRecording) -> Iterator[dict[str, Any]]:
    killed = recording.about["scenario"].get("killed")
    if killed is not None:
        at_ms, back_ms = server_gone(recording, killed)
        yield {"at": at_ms, "for": f"{back_ms - at_ms}ms", "name_server": 1, "kind": "name_server_down"}


def _type_of(controllers: Mapping[str, Sequence[str]]) -> str:
    types = {line.removeprefix("controllerType=").lower() for own in controllers.values() for line in own[:1]}
    return types.pop()


def _controller_faults(recording: ConsumerRecording) -> Iterator[dict[str, Any]]:
    """The one that led is killed: which one that is in a run the model draws."""
    killed = recording.about["scenario"].get("controller")
    if killed is not None:
        at_ms, back_ms = server_gone(recording, killed)
        yield {"at": at_ms, "for": f"{back_ms - at_ms}ms", "controller": "leader", "kind": "controller_down"}


def _starts(recording: ConsumerRecording) -> Iterator[dict[str, Any]]:
    """When each consumer started, or would have: whether that fails is for the model to say."""
    begun = {row["who"]: int(row["time_ms"]) for row in recording.rows("start_begin").to_pylist()}
    for group, instances in recording.groups.items():
        for number, who in enumerate(sorted(instances), start=1):
            at_ms = recording.starts_ms.get(who, begun.get(who))
            if at_ms is not None:
                yield {"at": at_ms, "consumer": f"{group}-{number}", "kind": "scale_out"}
