"""A recording of gRPC clients against simulated runs of its set-up: producers and consumers, or transactions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from streaming.proof.consumers.consumer_recording import ConsumerRecording
from streaming.proof.grpc.consumer_prediction import predicted_consumers
from streaming.proof.grpc.producer_prediction import predicted_producers
from streaming.proof.grpc.producer_set_up import grpc_producers
from streaming.proof.grpc.transaction_prediction import has_transactions, predicted_transactions
from streaming.proof.predictions.predicted import Predicted


def is_grpc_recording(recording: ConsumerRecording) -> bool:
    """Whether its producers are gRPC ones."""
    return bool(grpc_producers(recording)) or has_transactions(recording)


def predicted_grpc(
    recording: ConsumerRecording, path: Path, changes: Mapping[str, str], runs: int | None
) -> dict[str, list[Predicted]]:
    """Every figure of each producer and group against that many runs. Raises ScenarioError and InputError."""
    if has_transactions(recording):
        return predicted_transactions(recording, path, changes, runs)
    producers = predicted_producers(recording, path, changes, runs)
    return producers | predicted_consumers(recording, path, changes, runs)
