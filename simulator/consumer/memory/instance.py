"""An instance of a consumer group: its timers, its threads, the queues that it holds."""

from __future__ import annotations

from simulator.compiled.records import Record, Us

NOBODY = -1  # no further record in a list


class Instance(Record):
    """A client of a group; when its timers are due is in world.timers."""

    group: int
    id_number: int  # its client id among those of the group: several have the same where ids collide
    first_subscription: int  # what it reads: the group's, or where it is broadcasting its own
    subscriptions: int
    first_worker: int
    workers: int
    is_up: int
    frozen_until_us: Us
    slowness_ppm: int
    stuck_until_us: Us  # when the listener returns from the message that a thread takes next, 0: as ever
    fails_ppm: int  # of deliveries, by a fault
    name_server: int
    rebalanced_us: Us  # last round
    suspended_us: Us  # until when it does not balance, after a reset of its offsets
    reason: int  # of the next round
    phase_us: Us  # until the second round of what runs from the start, 0: as after any round
    asked: int  # member lists asked for so far
    first_holding: int
    first_task: int  # of those that wait for a thread
    last_task: int
    tasks: int
    idle: int  # first idle worker
    first_again: int  # of those that were not taken back
    last_again: int
    lives: int  # how often it was started
    started_us: Us  # when, the last time
    first_turn: int  # queue of an orderly group that waits for a thread, linked by next_turn
    last_turn: int
