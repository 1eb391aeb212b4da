"""The scenario of a recorded group: its set-up and what was done to it, in the scenario's keys.

The recording's header says the group's release, instances and threads, what producers of its topic sent when, the
topic's queues, and the length. Its events say how long listeners took, when instances started, and what was done to
them and to brokers. The scenario begins a second before the first instance starts: its clocks are the recorded ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from simulator.scenario import Scenario, load_scenario
from streaming.errors import InputError
from streaming.proof.consumers.consumer_recording import PROCESS_FAULTS, PRODUCER, Action, ConsumerRecording
from streaming.proof.consumers.recorded_stores import SLAVE, deletes, store_keys, with_other_senders
from streaming.proof.consumers.recorded_transactions import TRANSACTIONAL, simulated_producers, transaction_keys
from streaming.proof.texts.proof_texts import ProofTexts

# what was done to a producer or an instance: (what ended it, its fault kind)
PRODUCER_FAULTS = {"kill9": ("start", "kill"), "sigstop": ("sigcont", "hang")}
INSTANCE_FAULTS = {"kill9": ("start", "kill"), "sigterm": ("start", "stop"), "sigstop": ("sigcont", "hang")}
TIMESTAMP = "TIMESTAMP"
FROM_WHERE = {
    "FIRST_OFFSET": "CONSUME_FROM_FIRST_OFFSET", "LAST_OFFSET": "CONSUME_FROM_LAST_OFFSET",
    TIMESTAMP: "CONSUME_FROM_TIMESTAMP",
}  # fmt: skip
FIRST_RATE = "0.000001/s"  # of producers that start later
FAILS_ALWAYS = 0.05  # of the recorded messages: each of the numbers that are 7 modulo 20
BEFORE_MS = 1_000  # the first instance joins so long after the scenario's beginning


def scenario_of_group(
    recording: ConsumerRecording, group: str, path: Path, changes: Mapping[str, str]
) -> tuple[Scenario, str]:
    """The scenario of a prediction and the name of its group; `changes` (dotted key to YAML) go over everything else.

    Raises ScenarioError for a file or key that is wrong, InputError for what does not fit the recording.
    """
    plain = load_scenario(path)
    if len(plain.consumers) != 1 or len(plain.producers) != 1 or len(plain.topics) != 1:
        raise InputError(ProofTexts.ONE_OF_EACH_EXPECTED(group=group).at(path))
    _must_have_brokers(recording, plain, path)
    (name,), (topic,) = plain.consumers, plain.topics
    names = simulated_names(recording, group, name)
    client = recording.client(recording.groups[group][0])
    producers = _producers_of(recording, group, str(client["topic"]))
    begin_ms = begin_of(recording, group)
    transactions = transaction_keys(recording, str(client["topic"]))
    senders = sum(_lasts_ms(one) > 0 for one in producers) if transactions else plain.producers[0].count
    rate, later = _rates(producers, senders, begin_ms, recording.end_ms)
    settings: dict[str, Any] = {
        "duration": f"{recording.end_ms - begin_ms}ms",
        "client.release": producers[0]["release"],
        "producers.0.rate": rate,
        f"consumers.{name}.release": client["release"],
        f"consumers.{name}.count": len(names),
        f"consumers.{name}.threads": client["threads"],
        f"consumers.{name}.service": f"{recording.service_ms(group):.2f}ms",
        f"topics.{topic}": _topic(recording, str(client["topic"]), plain),
    }
    if client.get("mode"):
        settings[f"consumers.{name}.consume_mode"] = "ORDERLY"
    if recording.pops(group):
        settings |= _popping(recording, name, client)
    settings |= _failures(recording, name, client) | transactions | store_keys(recording)
    if later:
        settings["producers.0.rate_changes"] = later
    if client.get("from") == TIMESTAMP and "consume_timestamp" in recording.about:
        since_ms = recording.about["consume_timestamp"]["time_ms"] - begin_ms
        settings[f"consumers.{name}.consume_timestamp"] = f"{since_ms}ms"
    if deletes(recording):
        others = [one for one in _senders(recording) if one not in producers]
        own = plain.producers[0].model_dump(by_alias=True, mode="json", exclude_defaults=True)
        settings = with_other_senders(settings, own, topic, *_rates(others, 1, begin_ms, recording.end_ms))
    if client.get("from") in FROM_WHERE:
        settings[f"consumers.{name}.consume_from_where"] = FROM_WHERE[client["from"]]
    if not plain.faults:
        found = [*_broker_faults(recording), *_instance_faults(recording, names)]
        senders_names = simulated_producers(recording, str(client["topic"]), plain.producers[0].group)
        found += _faults(recording, PRODUCER_FAULTS, senders_names, "producer")
        settings["faults"] = [one | {"at": f"{one['at'] - begin_ms}ms"} for one in found]
    overrides = {key: json.dumps(value) for key, value in settings.items()} | dict(changes)
    return load_scenario(path, overrides), name


def _popping(recording: ConsumerRecording, name: str, client: Mapping[str, Any]) -> dict[str, Any]:
    """How a recorded group pops, and what its brokers make of it, as keys of a scenario."""
    found: dict[str, Any] = {
        f"consumers.{name}.consume_mode": "POP",
        f"consumers.{name}.pop_invisible_time": f"{client['invisible']}ms",
    }
    for broker, settings in recording.about["brokers"].items():
        found[f"brokers.{broker}.release"] = recording.about["server_release"]
        if settings.get("timerWheelEnable") in ("false", False):
            found[f"brokers.{broker}.timer_wheel_enable"] = False
    return found


def _failures(recording: ConsumerRecording, name: str, client: Mapping[str, Any]) -> dict[str, Any]:
    """What of a recorded group fails, as keys of a scenario; nothing where it handles every message."""
    if not client.get("failpct"):
        return {}
    found: dict[str, Any] = {
        f"consumers.{name}.fails": client["failpct"] / 100,
        f"consumers.{name}.max_reconsume_times": client["maxre"],
    }
    if client.get("failalways"):
        found[f"consumers.{name}.fails_always"] = FAILS_ALWAYS
    for broker, settings in recording.about["brokers"].items():
        if "messageDelayLevel" in settings:
            found[f"brokers.{broker}.message_delay_level"] = settings["messageDelayLevel"]
    return found


def simulated_names(recording: ConsumerRecording, group: str, name: str) -> dict[str, str]:
    """What the scenario's group calls each instance that started: both by the order of their names."""
    instances = sorted(who for who in recording.groups[group] if who in recording.starts_ms)
    digits = len(str(len(instances)))
    return {who: f"{name}-{number:0{digits}}" for number, who in enumerate(instances, start=1)}


def begin_of(recording: ConsumerRecording, group: str) -> int:
    """When the scenario begins, in the recording's time."""
    starts = [recording.starts_ms[who] for who in recording.groups[group] if who in recording.starts_ms]
    return min(0, min(starts, default=0) - BEFORE_MS)


def group_actions(recording: ConsumerRecording, group: str) -> list[Action]:
    """What was done to brokers and to the group's instances, and what ended it."""
    own = set(recording.groups[group])
    of_brokers = {*PROCESS_FAULTS, *(end for end, _ in PROCESS_FAULTS.values())}
    of_instances = {*INSTANCE_FAULTS, *(end for end, _ in INSTANCE_FAULTS.values())}
    return [
        one
        for one in recording.actions
        if (one.target in recording.about["brokers"] and one.kind in of_brokers)
        or (one.target in own and one.kind in of_instances)
    ]


def _must_have_brokers(recording: ConsumerRecording, plain: Scenario, path: Path) -> None:
    masters = {name for name in recording.about["brokers"] if not name.endswith(SLAVE)}
    if unknown := sorted(masters ^ set(plain.brokers)):
        raise InputError(ProofTexts.BROKERS_DIFFER(recording=recording.name, brokers=", ".join(unknown)).at(path))


def _producers_of(recording: ConsumerRecording, group: str, topic: str) -> list[Mapping[str, Any]]:
    """The settings of the clients that send to a topic. Raises InputError if there are none."""
    found = [one for one in _senders(recording) if one.get("topic") == topic]
    if not found:
        raise InputError(ProofTexts.NOBODY_SENDS(group=group, topic=topic).at(recording.name))
    return found


def _senders(recording: ConsumerRecording) -> list[Mapping[str, Any]]:
    programs = (PRODUCER, TRANSACTIONAL)
    return [one for one in recording.about["clients"].values() if one.get("program") in programs]


def _lasts_ms(producer: Mapping[str, Any]) -> int:
    """How long a recorded producer sends: until its time is over, or its number of messages is sent."""
    return int(producer["dur"] if "dur" in producer else producer["n"] * 1000 // producer["rate"])


def _rates(
    producers: Sequence[Mapping[str, Any]], count: int, begin_ms: int, end_ms: int
) -> tuple[str, dict[str, str]]:
    """What one of `count` simulated producers sends at the start, and from later moments of the scenario on."""
    spans = [(int(one.get("start", 0)), int(one.get("start", 0)) + _lasts_ms(one), one) for one in producers]
    edges = sorted({begin_ms, *(edge for begin, end, _ in spans for edge in (begin, end) if begin_ms < edge < end_ms)})
    steps = {at: sum(one["rate"] for begin, end, one in spans if begin <= at < end) / count for at in edges}
    changed = {at: rate for (_, before), (at, rate) in pairwise(steps.items()) if rate != before}
    later = {f"{at - begin_ms}ms": f"{rate:g}/s" for at, rate in changed.items()}
    if steps[begin_ms] > 0:
        return f"{steps[begin_ms]:g}/s", later
    return FIRST_RATE, later  # a scenario begins with a rate above 0


def _topic(recording: ConsumerRecording, topic: str, plain: Scenario) -> dict[str, Any]:
    """Queues of a topic, from the header's list of TOPIC/QUEUES or TOPIC/QUEUES/BROKER."""
    (own,) = plain.topics.values()
    for entry in str(recording.about.get("topics", "")).split(","):
        name, _, rest = entry.partition("/")
        queues, _, broker = rest.partition("/")
        if name == topic and queues.isdigit():
            return {"queues": int(queues)} | ({"brokers": [broker]} if broker else {})
    return {"queues": own.queues}


def _broker_faults(recording: ConsumerRecording) -> Iterator[dict[str, Any]]:
    """What was done to brokers as faults of a scenario; a master whose slave goes on keeps its place in routes."""
    brokers = set(recording.about["brokers"])
    for fault in _faults(recording, PROCESS_FAULTS, {name: name for name in brokers}, "broker"):
        has_slave = f"{fault['broker']}{SLAVE}" in brokers
        yield fault | ({"kind": "master_lost"} if has_slave and fault["kind"] == "kill" else {})


def _instance_faults(recording: ConsumerRecording, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """What was done to instances: each joins when it started; of a listener that does not return one thread is lost."""
    for who, name in names.items():
        yield {"at": recording.starts_ms[who], "consumer": name, "kind": "scale_out"}
        if recording.client(who).get("stuckkey"):
            yield _stuck(recording, recording.client(who), name)
    yield from _faults(recording, INSTANCE_FAULTS, names, "consumer")


def _stuck(recording: ConsumerRecording, client: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The message that blocks a thread: `m500` is the 500th of the topic's producer."""
    (producer, *_) = _producers_of(recording, str(client["group"]), str(client["topic"]))
    number = int("".join(filter(str.isdigit, client["stuckkey"])))
    at_ms = max(int(producer.get("start", 0)), 0) + number * 1000 // int(producer["rate"])
    return {"at": at_ms, "for": f"{client['stuckms']}ms", "consumer": name, "kind": "stuck"}


def _faults(
    recording: ConsumerRecording, kinds: Mapping[str, tuple[str, str]], names: Mapping[str, str], target: str
) -> Iterator[dict[str, Any]]:
    """What was done to whom `names` knows, each until what ended it or the recording's end."""
    for action in recording.actions:
        if action.kind in kinds and action.target in names:
            end, kind = kinds[action.kind]
            lasts_ms = recording.until_ms(action, end) - action.at_ms
            yield {"at": action.at_ms, "for": f"{lasts_ms}ms", target: names[action.target], "kind": kind}
