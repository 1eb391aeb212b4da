"""What producers ask name servers, and what a route says."""

from __future__ import annotations

from simulator.compiled.records import Record, Us

NOT_NAMED = 0
NAMED_SLAVES = 1
NAMED_MASTER = 2  # and above: + the machine of a replica set that is named
NOT_EXISTING = -1  # the name server has no such topic
NO_ANSWER = -2  # the name server is down, or all that are asked
NO_REPLY = -3  # the name server is there and does not answer in time
# What a producer knows of a topic, if it knows no route
NOT_ASKED = -1  # it never sent to it, so its polls leave it out
NOTHING_KNOWN = -2


class Poller(Record):
    """Who polls at that place of each round."""

    producer: int
    phase_us: Us


class RouteTimes(Record):
    """Where the deliveries of one (name server, topic) are in world.deliveries."""

    first: int
    count: int


class Delivery(Record):
    """What a name server delivers from then on."""

    at_us: Us
    version: int  # or NOT_EXISTING, NO_ANSWER or NO_REPLY


class AutoTopic(Record):
    """How a topic comes into being."""

    is_created: int  # 1: sends create it
    owns_queues: int  # 1: each producer has a queue list of its own: it rewrites it or sends create the topic
