"""A replica of a broker set: what its machines are at present, how far its commit log goes, and when roles change."""

from __future__ import annotations

from simulator.compiled.records import Record, Us

SLAVE, MASTER = range(2)

NOBODY = 0  # instead of a machine: no other one has taken over from the first
# what a machine is to clients with its address
STATE_BITS = 2
STATE_MASK = (1 << STATE_BITS) - 1
IS_SLAVE, IS_GONE, IS_MUTE, IS_FROZEN = range(4)


class Role(Record):
    """Who acts under a broker's name."""

    role: int  # SLAVE, which refuses every put, or MASTER
    machine: int  # 1 + its number in the set, NOBODY
    others: int  # what each machine of the set is, STATE_BITS each


class Replica(Role):
    """The machine that is reached under a broker's name. Bytes are counted for brokers with features only."""

    changes: int  # of its role so far
    log_end: int  # bytes appended, less what a power loss took
    copied_to: int  # of these, what its slaves had as they began to lag


class RoleChange(Role):
    """What is so from that moment on."""

    at_us: Us
