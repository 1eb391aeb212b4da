"""How often a broker that stood still lists clients by connections which they have closed, recorded or simulated alike.

Which ones it lists is decided by a race as it goes on (hung_connections.py). What the group goes through follows
from it: who is listed twice has queues given to nobody, and a group that is listed at all may pull at once.
"""

from __future__ import annotations

from simulator.run.simulate import Result
from streaming.proof.consumers.consumer_recording import Action, ConsumerRecording
from streaming.proof.consumers.group_figures import GroupFigure

TABLE = "rebalances"
MS_US = 1000
# From the next heartbeat of every client on each dead connection is one more than there are clients, for 120 s.
LISTED_MS = 110_000


def hung_broker(recording: ConsumerRecording, group: str) -> Action | None:
    """When a broker goes on of which the recording says whom it lists then; None: there is none."""
    known = {row["queue"] for row in recording.rows("members").to_pylist() if row["key"] == group}
    return next((one for one in recording.actions if one.kind == "sigcont" and one.target in known), None)


def dead_in(recording: ConsumerRecording, group: str, back: Action) -> GroupFigure:
    """How many entries of the broker's list were too many, at most."""
    lists = [
        row["x"].split()
        for row in recording.rows("members").to_pylist()
        if (row["queue"], row["key"]) == (back.target, group) and back.at_ms < row["time_ms"] <= back.at_ms + LISTED_MS
    ]
    return _figure(back, max((len(ids) - len(set(ids)) for ids in lists), default=0))


def dead_in_run(result: Result, group: str, back: Action, begin_ms: int) -> GroupFigure:
    """The same of a run that put out TABLE, as instances were answered; `begin_ms`: what its beginning is called."""
    from_us = (back.at_ms - begin_ms) * MS_US
    rows = result.tables[TABLE].select(["at_us", "consumer_group", "instance", "broker", "members"]).to_pylist()
    own = [row for row in rows if row["consumer_group"] == group]
    counts = [
        row["members"] or 0
        for row in own
        if row["broker"] == back.target and from_us < row["at_us"] <= from_us + LISTED_MS * MS_US
    ]
    return _figure(back, max(max(counts, default=0) - len({row["instance"] for row in own}), 0))


def _figure(back: Action, count: int) -> GroupFigure:
    return GroupFigure(f"dead connections that {back.target} lists", count, "messages")
