"""A replica of a broker set: what the machine is in it at present, and how far its commit log goes."""

from __future__ import annotations

from simulator.compiled.records import Record

SLAVE, MASTER = range(2)


class Replica(Record):
    """The machine that is reached under a broker's name. Bytes are counted for brokers with features only."""

    role: int  # SLAVE, which refuses every put, or MASTER
    log_end: int  # bytes appended, less what a power loss took
    copied_to: int  # of these, what its slaves had as they began to lag
