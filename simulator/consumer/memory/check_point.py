"""What a broker remembers of pops: requests that wait for a message, messages that are popped and not acknowledged."""

from __future__ import annotations

from simulator.compiled.records import Record, Us
from simulator.kernel.pools import Taken


class PopWaits(Record):
    """The waiting pops of a subscription at a broker, and its check points."""

    first_wait: int  # holding, the one that waits for longest
    last_wait: int
    requests: int  # pops that were served so far
    first_point: int  # check point, the one that is revived first
    last_point: int


class CheckPoint(Taken):
    """A message that was popped: revived unless it is acknowledged in time.

    It is the broker's until then (is_listed), and the client's while that has the message (is_held).
    """

    place: int  # in world.pop_waits
    subscription: int  # the group's retry topic or the topic itself
    log: int
    offset: int
    page: int
    stored_us: Us
    arrival_us: Us
    draw: int
    sender: int
    body_bytes: int
    origin: int  # subscription that it came through first
    reconsume_times: int
    popped_us: Us
    revive_us: Us
    before: int  # in the list of its place
    behind: int
    next_found: int  # of the same answer
    is_listed: int
    is_held: int
