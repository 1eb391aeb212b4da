"""Recorded transactions over proxies against simulated runs of their set-up; tolerances are those of remoting ones.

The longest wait for a check is no figure here: rounds of a recorded broker are 30 to 31 s apart, of a simulated one
30 s. What waits for a second round is counted instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from simulator.run.simulate import simulate
from simulator.scenario import Scenario
from streaming.proof.consumers.consumer_recording import ConsumerRecording
from streaming.proof.consumers.group_figures import GroupFigure
from streaming.proof.consumers.group_prediction import compared, missing
from streaming.proof.consumers.recorded_transactions import (
    GRPC_TRANSACTIONAL,
    simulated_producers,
    transaction_keys,
    transactional_producers,
)
from streaming.proof.consumers.transaction_figures import (
    TRANSACTION_TABLES,
    TransactionsSeen,
    transaction_figures,
    transactions_in,
    transactions_in_run,
)
from streaming.proof.grpc.consumer_set_up import CLIENT, consumer_keys, grpc_groups, members_of
from streaming.proof.grpc.producer_set_up import HOP, loaded, proxies_and_brokers
from streaming.proof.predictions.predicted import Predicted, over_runs
from streaming.proof.predictions.prediction import Compared

SENDERS = "tx"
ROUND_MS = 40_000  # by then a first check has come: rounds are 30 s apart, and leave out what is younger than 6 s
THREADS = 64  # a recorded message has a thread of its own; local transactions take up to 3 s


def has_transactions(recording: ConsumerRecording) -> bool:
    """Whether its producers are gRPC ones that send in transactions."""
    return any(client.get("program") == GRPC_TRANSACTIONAL for client in recording.about["clients"].values())


def predicted_transactions(
    recording: ConsumerRecording, path: Path, changes: Mapping[str, str], runs: int | None
) -> dict[str, list[Predicted]]:
    """Every figure of the transactions that each group reads. Raises ScenarioError and InputError."""
    return {group: _predicted(recording, group, path, changes, runs) for group in grpc_groups(recording)}


def _predicted(
    recording: ConsumerRecording, group: str, path: Path, changes: Mapping[str, str], runs: int | None
) -> list[Predicted]:
    scenario = scenario_of_transactions(recording, group, path, changes)
    recorded = list(figures_of(transactions_in(recording, group)))
    producers = transactional_producers(recording, _topic_of(recording, group))

    def compared_in(one: Scenario) -> Sequence[Compared]:
        run = simulate(one, tables=(*TRANSACTION_TABLES, "consumed"))
        found = figures_of(transactions_in_run(run, group, producers))
        by_name: dict[str, GroupFigure] = {figure.name: figure for figure in found}
        return [compared(by_name.get(figure.name, missing(figure)), figure) for figure in recorded]

    return over_runs(scenario, runs, compared_in)


def figures_of(seen: TransactionsSeen) -> Iterator[GroupFigure]:
    """Every figure of the transactions."""
    yield from (figure for figure in transaction_figures(seen) if not figure.name.endswith("longest"))
    waits = [one.read_ms - one.sent_ms for one in seen.messages if one.read_ms is not None and one.is_checked]
    yield GroupFigure("readable by a second check or later", sum(wait > ROUND_MS for wait in waits), "messages")


def scenario_of_transactions(
    recording: ConsumerRecording, group: str, path: Path, changes: Mapping[str, str]
) -> Scenario:
    """The scenario of a prediction; `changes` (dotted key to YAML) go over everything else.

    Raises ScenarioError for a file or key that is wrong, InputError for what does not fit the recording.
    """
    topic, keys = _topic_of(recording, group), {"group": SENDERS, "topics": [_topic_of(recording, group)]}
    for key, value in transaction_keys(recording, topic).items():
        keys[key.removeprefix("producers.0.")] = value
    senders = transactional_producers(recording, topic)
    first = recording.client(senders[0])
    grpc = {"release": str(first["release"]).removeprefix(CLIENT)}
    if "proxy" in first:
        grpc["proxy"] = first["proxy"]
    queues = dict(one.split("/") for one in recording.about["topics"].split(","))
    own: dict[str, Any] = {
        "topics": {topic: {"queues": int(queues[topic])}},
        "producers": keys | {"mode": "sync", "threads": THREADS, "rate": f"{first['rate']}/s", "grpc": grpc},
        "proxies.hop": HOP,
        "consumers": {group: consumer_keys(recording, group)},
        "faults": list(_producer_faults(recording, topic)),
    }
    return loaded(path, proxies_and_brokers(recording, path) | own, changes)


def _topic_of(recording: ConsumerRecording, group: str) -> str:
    return str(recording.client(members_of(recording, group)[0])["topic"])


def _producer_faults(recording: ConsumerRecording, topic: str) -> Iterator[dict[str, str]]:
    """What was done to producers: a kill lasts until the end."""
    names = simulated_producers(recording, topic, SENDERS)
    for action in recording.actions:
        if action.kind == "kill9" and action.target in names:
            length = f"{recording.end_ms - action.at_ms}ms"
            yield {"at": f"{action.at_ms}ms", "for": length, "producer": names[action.target], "kind": "kill"}
