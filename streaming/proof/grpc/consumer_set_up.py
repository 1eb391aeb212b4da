"""The recorded groups of gRPC consumers in scenario keys: their clients, listeners, and what was done to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from streaming.proof.consumers.consumer_recording import ConsumerRecording

PUSH, SIMPLE = "GPush", "GSimple"
PUSH_THREADS, SIMPLE_THREADS = 20, 2
CLIENT = "rocketmq-client-java "  # before its release


def grpc_groups(recording: ConsumerRecording) -> list[str]:
    """The groups of gRPC consumers, in the header's order."""
    clients = recording.about["clients"].values()
    return list(dict.fromkeys(str(one["group"]) for one in clients if one.get("program") in (PUSH, SIMPLE)))


def members_of(recording: ConsumerRecording, group: str) -> Sequence[str]:
    """The clients of a group."""
    return [who for who, client in recording.about["clients"].items() if client.get("group") == group]


def is_in_order(recording: ConsumerRecording, group: str) -> bool:
    """Whether a group consumes in order (consumeMessageOrderly)."""
    return group in recording.about.get("fifo", ())


def consumer_keys(recording: ConsumerRecording, group: str) -> dict[str, Any]:
    """The group of a scenario."""
    members = [who for who in members_of(recording, group) if not _joins_later(recording, who)]
    client = recording.client(members[0])
    is_push = client["program"] == PUSH
    own: dict[str, Any] = {
        "topic": client["topic"], "count": len(members), "threads": PUSH_THREADS if is_push else SIMPLE_THREADS,
        "service": f"{client.get('service', 1)}ms", "client_ids": members,
    }  # fmt: skip
    grpc: dict[str, Any] = {"release": str(client["release"]).removeprefix(CLIENT)}
    proxies = {recording.client(who).get("proxy") for who in members}
    if len(proxies) == 1 and None not in proxies:
        grpc["proxy"] = proxies.pop()
    if not is_push:
        grpc |= {"kind": "simple", "invisible_duration": f"{client['invisible']}ms", "await_duration": "10s"}
        own["fails"] = 0.5  # keys with even numbers are not acknowledged at their first delivery
    if is_in_order(recording, group):
        own["consume_mode"] = "ORDERLY"
    if "failevery" in client:
        own["fails"] = 1 / int(client["failevery"])
    return own | {"grpc": grpc}


def _joins_later(recording: ConsumerRecording, who: str) -> bool:
    return int(recording.client(who).get("start", 0)) > 0


def slow_listeners(recording: ConsumerRecording) -> Iterator[dict[str, str]]:
    """The deliveries that take long: the first one of each slowevery-th message of the topic."""
    producers = [one for one in recording.about["clients"].values() if "rate" in one]
    for group in grpc_groups(recording):
        client = recording.client(members_of(recording, group)[0])
        if "slowevery" not in client:
            continue
        every, length = int(client["slowevery"]), f"{client['slowms']}ms"
        own = next(one for one in producers if one["topic"] == client["topic"])
        step_ms = 1000 // int(own["rate"])
        for at_ms in range(step_ms * (every // 2), min(int(own["dur"]), recording.end_ms), step_ms * every):
            yield {"at": f"{at_ms - 1}ms", "for": length, "consumer": f"{group}-1", "kind": "stuck"}


def consumer_faults(recording: ConsumerRecording) -> Iterator[dict[str, str]]:
    """What was done to clients: a kill lasts until the end, or another of the group joins."""
    for place, action in enumerate(recording.actions):
        client = recording.about["clients"].get(action.target, {})
        if client.get("program") not in (PUSH, SIMPLE) or action.kind not in ("kill9", "sigstop"):
            continue
        group = str(client["group"])
        members = [who for who in members_of(recording, group) if not _joins_later(recording, who)]
        later = recording.actions[place:]
        ends = [one.at_ms for one in later if one.kind == "sigcont" and one.target == action.target]
        until_ms = ends[0] if action.kind == "sigstop" and ends else recording.end_ms
        name = f"{group}-{members.index(action.target) + 1}"
        kind = "kill" if action.kind == "kill9" else "hang"
        yield {"at": f"{action.at_ms}ms", "for": f"{until_ms - action.at_ms}ms", "consumer": name, "kind": kind}
