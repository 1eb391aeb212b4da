"""Tables of periods: in which a broker is slow, stands still or answers otherwise, a link is cut or loses packets."""

from __future__ import annotations

from simulator.compiled.records import Record, Us

# Tables of each broker
SPEED = 0  # value: service time in parts per million, 0 = stands still
ANSWER = 1  # value: ANSWER_* + response code
STALL = 2  # value 1: a put that holds the commit log's lock keeps it
DOWN = 3  # value DOWN_*: the broker's process is away
SLAVE = 4  # value SLAVE_*: what the slave does not do, or how slowly
ADDED = 5  # value: number of a distribution * ADDED_SCALE + parts per million of it that are added to a service
PERIOD_TABLES = 6
# Tables of each (group of producers, broker): in world.links, see Links
LINK = 6  # value: added latency of answers in microseconds, or LINK_CUT
LOSS = 7  # value: LOSS_RTO * retransmission time-out in microseconds + probability in parts per million
LATE = 8  # value: added latency of requests in microseconds
# Tables of each proxy: in world.proxies
PROXY_DOWN = 9  # value DOWN_*
PROXY_STILL = 10  # value 1: its process stands still
ALL_TABLES = 11

DOWN_GRACEFUL = 1  # the listening port closes first
DOWN_KILL = 2  # connections are closed at once
DOWN_TAKEN = 3  # the same, and another machine takes over: what it has not copied is gone
LAST_CLOSING = DOWN_TAKEN  # all up to here close connections
DOWN_POWER = 4  # connections do not close: nobody answers any more
DOWN_DISK = 5  # the same, and the disk does not come back
DOWN_MUTE = 6  # nobody answers any more, and another machine takes over
DOWN_FROZEN = 7  # the process stands still, connects and answers nothing, and another machine takes over
SLAVE_AWAY = 1
SLAVE_LAG = 2
SLAVE_APART = 3  # they are sent what they lack, and nobody waits for them
SLAVE_RATE = 4  # times the bytes a second that slaves which lag still copy
LINK_CUT = -1
ADDED_SCALE = 1 << 20
LOSS_RTO = 1 << 20

ANSWER_REFUSE = 1 << 20
ANSWER_CODE = 2 << 20
ANSWER_STATUS = 3 << 20
ANSWER_VALUE = (1 << 20) - 1

NO_PERIOD = -1  # instead of a place in the timetable


class Period(Record):
    """One period; those of one broker and table do not overlap. The last one of the timetable is empty."""

    at_us: Us
    until_us: Us
    value: int


class PeriodTable(Record):
    """Where the periods of one table are in the timetable."""

    first: int
    count: int
    cursor: int  # of these, those before it are over
