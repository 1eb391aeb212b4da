"""What the replays of the consumer's side share: one case of one release, question by question."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from simulator.releases.broker_release import BROKERS, BrokerRelease
from simulator.releases.consumer_release import ConsumerClient, consumer_of
from streaming.proof.golden.golden_case import CaseDifference

Answers = Iterator[tuple[str, Any, Any]]  # what, as recorded, of the rules


class ConsumerReplay(ABC):
    """One case; `release` is that of the recorded class, client or broker."""

    def __init__(self, case: Mapping[str, Any], release: str) -> None:
        self.case = case
        self.release = release

    @property
    def client(self) -> ConsumerClient:
        """The consumer of that release. Raises ValueError for an unknown one."""
        return consumer_of(self.release)

    @property
    def broker(self) -> BrokerRelease:
        """What consumers meet at a broker of that release. Raises ValueError for an unknown one."""
        return BROKERS[self.release]

    @abstractmethod
    def answers(self) -> Answers:
        """Every recorded answer beside that of the rules."""

    def run(self) -> Iterator[CaseDifference | None]:
        """The difference of every answer, None where the rules answer as recorded."""
        case = str(self.case.get("id", self.case.get("k", "")))
        for number, (what, expected, got) in enumerate(self.answers()):
            yield None if expected == got else CaseDifference(case, number, what, expected, got)
