"""A query while it runs: what is looked at meanwhile, and how it is stopped in good order."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery


class QueryOwner(ABC):
    """Who has a query run: a job, an experiment. `poll_s`: real seconds between two looks."""

    poll_s: float = 0.1

    @abstractmethod
    def look(self, query: StreamingQuery) -> None:
        """See how far it is, between micro-batches and during them."""

    @abstractmethod
    def end_asked(self) -> str | None:
        """What is printed, once, when the query was asked to end; None as long as it was not."""

    @abstractmethod
    def is_over(self) -> bool:
        """Whether the query is to be stopped where no micro-batch is under way: it does not end by itself."""

    def is_overdue(self, asked_for_s: float) -> bool:
        """Whether one that `is_over` is stopped in the middle of a micro-batch, so long after it was asked to end."""
        return False

    def cut_short(self) -> None:  # noqa: B027 (an experiment never is)
        """It was overdue, and has been stopped in the middle of a micro-batch."""


def watch_query(query: StreamingQuery, owner: QueryOwner, console: Console) -> None:
    """Watch a query until it has ended. Raises what it failed with; one that nobody watches any more is stopped."""
    try:
        _watch_until_end(query, owner, console)
    except BaseException:
        with suppress(Exception):  # of a JVM that has ended
            query.stop()
        raise
    failure = query.exception()
    if failure is not None:
        raise failure


def _watch_until_end(query: StreamingQuery, owner: QueryOwner, console: Console) -> None:
    asked_s: float | None = None
    while query.isActive:
        time.sleep(owner.poll_s)
        owner.look(query)
        text = owner.end_asked() if asked_s is None else None
        if text is not None:
            asked_s = time.monotonic()
            console.print(text, style="dim")
        if owner.is_over():
            if _is_idle(query):
                query.stop()
            elif asked_s is not None and owner.is_overdue(time.monotonic() - asked_s):
                query.stop()
                owner.cut_short()


def _is_idle(query: StreamingQuery) -> bool:
    """Stopped in the middle of a micro-batch, Spark prints pages of stack traces, and it is run again another time."""
    status = query.status
    return not (status["isTriggerActive"] or status["isDataAvailable"])
