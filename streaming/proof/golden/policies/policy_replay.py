"""What the replays of policies share: one case, operation by operation, and the memory of its records."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from simulator.compiled.records import Record, size_of
from streaming.proof.golden.golden_case import CaseDifference, Mismatch

R = TypeVar("R", bound=Record)


def record_of(record: type[R], cells_behind: int = 0) -> R:
    """A record of zeros in memory of its own, with as many cells behind it."""
    return record.at(np.zeros(size_of(record) + cells_behind, np.int64))


class PolicyReplay(ABC):
    """One case of one version of a library."""

    def __init__(self, case: Mapping[str, Any], version: str) -> None:
        self._case, self._version = case, version

    def operations(self) -> Sequence[Any]:
        """What the case recorded, in order."""
        operations: Sequence[Any] = self._case["ops"]
        return operations

    @abstractmethod
    def step(self, operation: Any) -> None:
        """Do one operation; raises Mismatch where the rule decides otherwise than the recording."""

    def run(self) -> Iterator[CaseDifference | None]:
        """The first difference of every operation."""
        for number, operation in enumerate(self.operations()):
            difference = None
            try:
                self.step(operation)
            except Mismatch as found:
                difference = CaseDifference(str(self._case["id"]), number, *found.args)
            yield difference
