"""A job and an experiment watch their queries in one way: looks, one line, a stop where nothing is under way."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from streaming.runner import watched_query
from streaming.runner.watched_query import QueryOwner, watch_query
from tests.streaming.recorded_console import recorded

BUSY = {"isTriggerActive": True, "isDataAvailable": False}
WAITING = {"isTriggerActive": False, "isDataAvailable": True}
IDLE = {"isTriggerActive": False, "isDataAvailable": False}


@dataclass
class ScriptedQuery:
    """Gives a status each time it is asked, the last for good; ends when it is stopped."""

    statuses: list[dict[str, bool]]
    failure: Exception | None = None
    isActive: bool = True

    @property
    def status(self):
        return self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]

    def stop(self):
        self.isActive = False

    def exception(self):
        return self.failure


@dataclass
class ScriptedOwner(QueryOwner):
    """Asked to end at look `asked_at`; it is overdue after a second of virtual sleep."""

    asked_at: int = 2
    is_polled: bool = True
    looks: list[bool] = field(default_factory=list)
    broken_at: int | None = None

    def look(self, query):
        self.looks.append(query.isActive)
        if len(self.looks) == self.broken_at:
            raise KeyboardInterrupt
        query.isActive = query.isActive and len(self.looks) < 50

    def end_asked(self):
        return "stopping" if len(self.looks) >= self.asked_at else None

    def is_over(self):
        return self.is_polled and self.end_asked() is not None

    def is_overdue(self, asked_for_s):
        return asked_for_s > 1


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch):
    now_s = [0.0]
    monkeypatch.setattr(watched_query.time, "monotonic", lambda: now_s[0])
    monkeypatch.setattr(watched_query.time, "sleep", lambda seconds: now_s.append(now_s.pop() + seconds))


def watched(query, owner):
    return recorded(lambda console: watch_query(query, owner, console))


def test_it_is_stopped_once_no_micro_batch_is_under_way_or_waiting():
    owner = ScriptedOwner()
    said = watched(ScriptedQuery([BUSY, WAITING, IDLE]), owner)
    assert len(owner.looks) == 4
    assert said.split() == ["stopping"]


def test_one_that_is_never_idle_is_stopped_when_it_is_overdue():
    owner = ScriptedOwner()
    watched(ScriptedQuery([BUSY]), owner)
    assert 12 <= len(owner.looks) <= 14


def test_one_that_ends_by_itself_is_not_stopped():
    owner = ScriptedOwner(is_polled=False)
    watched(ScriptedQuery([IDLE]), owner)
    assert len(owner.looks) == 50


def test_what_it_failed_with_is_raised():
    with pytest.raises(ValueError, match="no room"):
        watched(ScriptedQuery([IDLE], ValueError("no room")), ScriptedOwner())


def test_a_query_that_nobody_watches_any_more_is_stopped():
    query = ScriptedQuery([BUSY])
    with pytest.raises(KeyboardInterrupt):
        watched(query, ScriptedOwner(broken_at=1))
    assert not query.isActive


@pytest.mark.parametrize(("statuses", "is_cut_short"), [([BUSY], True), ([BUSY, IDLE], False)])
def test_its_owner_knows_whether_it_was_stopped_in_the_middle_of_a_micro_batch(statuses, is_cut_short):
    owner, cut = ScriptedOwner(), []
    owner.cut_short = lambda: cut.append(True)
    watched(ScriptedQuery(statuses), owner)
    assert bool(cut) == is_cut_short
