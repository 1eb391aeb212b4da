"""The transactional producers of a recording, as keys of a scenario: outcomes, local times, who sends, who is killed.

A message's key says what its local transaction came to and how long it took: `later-46-200` is unknown after 200 ms,
and a commit when it is checked; `never` is unknown to every check.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from simulator.scenario.later.transaction import producer_names
from streaming.proof.consumers.consumer_recording import ConsumerRecording
from streaming.proof.texts.proof_texts import ProofTexts

TRANSACTIONAL, GRPC_TRANSACTIONAL = "TxProd", "GTx"  # programs of the remoting client, and of the gRPC one
PROGRAMS = (TRANSACTIONAL, GRPC_TRANSACTIONAL)
OUTCOMES = {"commit": "commit", "rollback": "rollback", "later": "unknown", "never": "never"}
THREADS = 8  # that send evenly: each has an equal part of the messages, so that they are as many as recorded


class MessageKey(NamedTuple):
    """What the key of a recorded message says."""

    outcome: str  # of OUTCOMES
    number: int
    local_ms: int


def read_key(key: str) -> MessageKey:
    """The parts of a key. Raises ValueError."""
    outcome, index, local_ms = key.split("-")
    if outcome not in OUTCOMES:
        raise ValueError(ProofTexts.OUTCOME_EXPECTED(known=", ".join(OUTCOMES), outcome=outcome))
    return MessageKey(outcome, int(index), int(local_ms))


def transactional_producers(recording: ConsumerRecording, topic: str) -> list[str]:
    """The clients that send to a topic in transactions; those that only answer checks are the last."""
    clients = recording.about["clients"]
    found = [who for who, one in clients.items() if one.get("program") in PROGRAMS and one.get("topic") == topic]
    return sorted(found, key=lambda who: (clients[who]["n"] == 0, who))


def simulated_producers(recording: ConsumerRecording, topic: str, group: str) -> dict[str, str]:
    """What the scenario's group of producers calls each of them."""
    producers = transactional_producers(recording, topic)
    return dict(zip(producers, producer_names(group, len(producers)), strict=True))


def transaction_keys(recording: ConsumerRecording, topic: str) -> dict[str, Any]:
    """The keys of the group of producers; nothing where they send without transactions."""
    producers = transactional_producers(recording, topic)
    if not producers:
        return {}
    sent = [read_key(row["key"]) for row in recording.rows("tx").to_pylist() if row["who"] in producers]
    idle = sum(recording.client(who)["n"] == 0 for who in producers)
    transaction = {
        "local": _local(sorted(key.local_ms for key in sent)),
        "outcome": {OUTCOMES[name]: count for name, count in Counter(key.outcome for key in sent).items()},
        "check": "commit",
        "idle": idle,
    }
    group_keys = {"count": len(producers), "threads": THREADS, "arrivals": "steady", "transaction": transaction}
    return {f"producers.0.{key}": value for key, value in group_keys.items()}


def _local(times_ms: Sequence[int]) -> Mapping[str, Any]:
    """The distribution of the local times: the least and the greatest, each with its share."""
    least, greatest = times_ms[0], times_ms[-1]
    if least == greatest:
        return {"constant": f"{least}ms"}
    share = round(100 * sum(time == least for time in times_ms) / len(times_ms), 2)
    points = {"p0": least, f"p{share:g}": least, f"p{share + 0.01:g}": greatest, "p100": greatest}
    return {"table": {rank: f"{time}ms" for rank, time in points.items()}}
