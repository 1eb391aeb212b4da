"""Pulls that a broker holds until there is something to read (long polling).

Source: rocketmq 4.2.0-5.3.3, PullRequestHoldService.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.serving_pulls import serve
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.held_queue import FAILED, HELD
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.queue_log.filtering import finds_one
from simulator.consumer.shared.holdings import group_of, pull_at, release_held
from simulator.engine.memory.settings import FAR


@rule()
def hold(world: ConsumerWorld, number: int, now_us: Us) -> None:
    """The broker holds the pull until there is something to read."""
    holding = world.holdings[number]
    log = world.logs[holding.log]
    holding.state = HELD
    holding.due_us = FAR
    holding.until_us = now_us + group_of(world, holding).hold_us
    holding.looked = holding.offset
    holding.next_held = log.held
    log.held = number


@rule()
def wake_held(world: ConsumerWorld, log_number: int, now_us: Us) -> None:
    """A message was appended: the pulls that the broker holds for its queue are answered."""
    number = world.logs[log_number].held
    while number != NOBODY:
        behind = world.holdings[number].next_held
        if finds_one(world, number):
            release_held(world, number)
            serve(world, number, now_us + world.settings.reput_us, 0)
        number = behind


@rule()
def look_at_held(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """The broker's look at the pulls that it holds: it ends those that were held for long enough.

    Here it does not compare tags: a pull that found only messages of other tags returns the offset behind them.
    """
    for log_number in range(world.settings.logs):
        log = world.logs[log_number]
        if log.broker != broker:
            continue
        number = log.held
        while number != NOBODY:
            behind = world.holdings[number].next_held
            if world.holdings[number].until_us <= now_us or world.holdings[number].offset < log.max_offset:
                release_held(world, number)
                serve(world, number, now_us, 0)
            number = behind


@rule()
def fail_held(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """The broker's process is gone, and with it what it held: the clients notice, at once or when it times out."""
    for log_number in range(world.settings.logs):
        log = world.logs[log_number]
        if log.broker != broker:
            continue
        number = log.held
        log.held = NOBODY
        while number != NOBODY:
            holding = world.holdings[number]
            behind = holding.next_held
            holding.next_held = NOBODY
            group = group_of(world, holding)
            timed_out_us = holding.until_us - group.hold_us + group.pull_timeout_us
            noticed_us = now_us if group.fails_held == 1 else timed_out_us
            pull_at(world, number, FAILED, noticed_us + world.settings.link_us)
            number = behind
