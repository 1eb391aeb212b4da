"""What the messages of a topic are like, and what a window counts of a (topic, broker)."""

from __future__ import annotations

from simulator.compiled.records import Record, Us


class Topic(Record):
    """The messages of a topic."""

    constant_bytes: int  # of every message, if size_table is negative
    size_table: int  # number of its table in world.sizes
    compress_ppm: int  # size of a compressed body, in parts per million
    first_key: int  # of the upper thresholds of its keys over 2**32 in world.keys, negative: all are as likely
    key_count: int  # 0: its messages have no key
    first_order: int  # of its places in world.key_orders, negative: the order is not checked


class WindowPair(Record):
    """What the open window counts of a (topic, broker)."""

    ended: int
    succeeded: int
    retried: int
    max_us: Us
    out_of_order: int  # copies appended after a later message of their thread and key
    in_route: int  # 1: the topic has a queue on the broker: the window has a row for it even if nothing ended
