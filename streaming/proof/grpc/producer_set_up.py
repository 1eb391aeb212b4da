"""The scenario of the recorded gRPC producers: their groups, topics, proxies, and what was done, in scenario keys.

The header says the producers' rates and topics, the proxy that each hung on, the proxies' ports and the length; the
events say when brokers and proxies went and came back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from simulator.scenario import Scenario, load_scenario
from streaming.errors import InputError
from streaming.proof.consumers.consumer_recording import ConsumerRecording
from streaming.proof.grpc.consumer_set_up import CLIENT, consumer_faults, consumer_keys, grpc_groups, slow_listeners
from streaming.proof.grpc.producer_figures import LEAD_MS
from streaming.proof.grpc.proxy_trouble import ProxyTrouble, is_local, proxy_troubles
from streaming.proof.grpc.sends_seen import sends_recorded
from streaming.proof.texts.proof_texts import ProofTexts

GRPC_PRODUCER = "GProd"
HOP = "2ms"
CALM_MS = 15_000  # before the first fault
MOST_MS = 1_000
PERCENTILES = (0, 10, 25, 50, 75, 90, 95, 99, 100)


def grpc_producers(recording: ConsumerRecording) -> list[str]:
    """The producers of rocketmq-client-java, in the header's order."""
    return [who for who, client in recording.about["clients"].items() if client.get("program") == GRPC_PRODUCER]


def scenario_of_producers(recording: ConsumerRecording, path: Path, changes: Mapping[str, str]) -> Scenario:
    """The scenario of a prediction; `changes` (dotted key to YAML) go over everything else.

    Raises ScenarioError for a file or key that is wrong, InputError for what does not fit the recording.
    """
    return loaded(path, _settings(recording, path), changes)


def scenario_of_clients(recording: ConsumerRecording, path: Path, changes: Mapping[str, str]) -> Scenario:
    """The same with the recorded groups of consumers, and what was done to them."""
    settings = _settings(recording, path) | proxies_and_brokers(recording, path)
    settings["proxies.hop"] = HOP  # that of the sends is what the busy machine took
    settings["consumers"] = {group: consumer_keys(recording, group) for group in grpc_groups(recording)}
    settings["faults"] += [*consumer_faults(recording), *slow_listeners(recording)]
    return loaded(path, settings, changes)


def loaded(path: Path, settings: Mapping[str, Any], changes: Mapping[str, str]) -> Scenario:
    """The scenario of a file with other keys, by dotted key. Raises ScenarioError."""
    return load_scenario(path, {key: json.dumps(value) for key, value in settings.items()} | dict(changes))


def _settings(recording: ConsumerRecording, path: Path) -> dict[str, Any]:
    """What the recording says of the producers and their proxies, by dotted key."""
    _check_brokers(recording, path)
    queues = dict(topic.split("/") for topic in recording.about["topics"].split(","))
    own = {who: recording.client(who) for who in grpc_producers(recording)}
    return _proxies(recording) | {
        "topics": {str(client["topic"]): _topic(client, int(queues[client["topic"]])) for client in own.values()},
        "producers": [_group(who, client) for who, client in own.items()],
        "proxies.hop": {"table": _hop_table(recording)},
        "faults": [_fault(trouble) for trouble in proxy_troubles(recording)],
    }


def proxies_and_brokers(recording: ConsumerRecording, path: Path) -> dict[str, Any]:
    """The length of a recording, its proxies, and the release of its brokers. Raises InputError for other brokers."""
    _check_brokers(recording, path)
    release = str(recording.about["server_release"])
    return _proxies(recording) | {f"brokers.{name}.release": release for name in recording.about["brokers"]}


def _check_brokers(recording: ConsumerRecording, path: Path) -> None:
    if unknown := sorted(set(recording.about["brokers"]) ^ set(load_scenario(path).brokers)):
        raise InputError(ProofTexts.BROKERS_DIFFER(recording=recording.name, brokers=", ".join(unknown)).at(path))


def _proxies(recording: ConsumerRecording) -> dict[str, Any]:
    """The length, and where the proxies are: in the brokers' processes, or how many before them."""
    length = {"duration": f"{recording.end_ms}ms"}
    if is_local(recording):
        return length | {"proxies.mode": "local"}
    proxies = recording.about["proxies"].values()
    return length | {
        "proxies.count": len(proxies),
        "proxies.one_host": len(_hosts(recording)) == 1,
        "proxies.use_endpoint_port_from_request": any(one.get("useEndpointPortFromRequest") for one in proxies),
    }


def _group(who: str, client: Mapping[str, Any]) -> dict[str, Any]:
    """A producer that sends each message when it is due, on a thread of its own."""
    grpc = {"release": str(client["release"]).removeprefix(CLIENT)}
    return {
        "group": who, "count": 1, "mode": "async", "rate": f"{client['rate']}/s", "arrivals": "steady",
        "rate_changes": {f"{client['dur']}ms": "0/s"}, "topics": [client["topic"]],
        "grpc": grpc | ({"proxy": client["proxy"]} if "proxy" in client else {}),
    } | ({"selector": "hash"} if "groups" in client else {})  # fmt: skip


def _topic(client: Mapping[str, Any], queues: int) -> dict[str, Any]:
    """The queues of a topic at each broker, and its message groups: the recorder took them in turn."""
    return {"queues": queues} | ({"keys": {"count": client["groups"]}} if "groups" in client else {})


def _hop_table(recording: ConsumerRecording) -> dict[str, str]:
    """How long messages took before anything was done, as percentiles: nearly all of it is the busy machine.

    Values above a second are those of JVMs that stood still: they end before the first fault.
    """
    sent = [sends_recorded(recording, who) for who in grpc_producers(recording)]
    last_ms = max(int(one.begin_ms.max()) for one in sent)
    ends_ms = min([last_ms, *(trouble.at_ms for trouble in proxy_troubles(recording))]) - LEAD_MS
    seen = [one.between(ends_ms - CALM_MS, ends_ms) for one in sent]
    took_ms = np.concatenate([one.took_ms[~one.is_failed] for one in seen])
    return {f"p{part}": f"{np.clip(np.percentile(took_ms, part), 1, MOST_MS):.1f}ms" for part in PERCENTILES}


def _hosts(recording: ConsumerRecording) -> set[Any]:
    return {proxy.get("localServeAddr") for proxy in recording.about["proxies"].values()}


def _fault(trouble: ProxyTrouble) -> dict[str, str]:
    target = "proxy" if trouble.is_proxy else "broker"
    length = f"{trouble.until_ms - trouble.at_ms}ms"
    return {"at": f"{trouble.at_ms}ms", "for": length, target: trouble.target, "kind": trouble.kind}
