"""The rows of a run that a figure is about."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from simulator.outcomes import WELL
from simulator.run.simulate import Result

Column = npt.NDArray[Any]
WANTED_TABLES = ("attempts", "sends")


class Measured:
    """The attempts and sends of a run that an asked figure is about, as numpy columns."""

    def __init__(
        self, result: Result, *, broker: str | None, topic: str | None, from_us: int, until_us: int | None
    ) -> None:
        self.result, self.broker, self.topic = result, broker, topic
        self.from_us, self.until_us = from_us, until_us

    def _mask(self, table: str) -> Column:
        begin: Column = self.result.column(table, "begin_us")
        mask: Column = begin >= self.from_us
        if self.until_us is not None:
            mask &= begin < self.until_us
        if self.topic is not None:
            mask &= self.result.column(table, "topic") == self.topic
        return mask

    @cached_property
    def _masks(self) -> dict[str, Column]:
        return {table: self._mask(table) for table in WANTED_TABLES}

    def attempts(self, name: str) -> Column:
        """A column of the attempts."""
        return self.result.column("attempts", name)[self._masks["attempts"]]

    def sends(self, name: str) -> Column:
        """A column of the sends."""
        return self.result.column("sends", name)[self._masks["sends"]]

    @property
    def failed(self) -> Column:
        """For each send, whether the caller got no SEND_OK."""
        return ~np.isin(self.sends("result"), WELL)

    @cached_property
    def messages(self) -> Column:
        """For each attempt, a number of its message: the same for all attempts of one."""
        names = ("producer", "thread", "send_seq")
        keys = np.stack([self.attempts(name).astype(np.int64) for name in names])
        topics = np.unique(self.attempts("topic"), return_inverse=True)[1].reshape(1, -1)
        if not keys.shape[1]:
            return np.empty(0, np.int64)
        return np.unique(np.concatenate([keys, topics]), axis=1, return_inverse=True)[1].reshape(-1)
