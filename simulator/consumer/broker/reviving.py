"""The revive service: what was popped and not acknowledged in time comes again, through the group's retry topic.

Check points and acknowledgements come out of the timer wheel at whole seconds, a check point a second before its time.
One is revived when something that was due more than 2 s after it has come out: at the next whole second where
messages are acknowledged all the time, up to a second sooner where nothing else is. Up to 5.2.0 a message that was
stored after the begin of its pop is taken for one of another epoch, and is not stored again: it is lost to the group.
Source: rocketmq 5.0.0-5.5.0, PopReviveService.consumeReviveMessage, .mergeAndRevive,
.reviveMsgFromCk and .reviveRetry.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Us
from simulator.consumer.broker.appending import store_message
from simulator.consumer.broker.check_points import note_revived, note_slow, take_out
from simulator.consumer.broker.held_pops import wake_one
from simulator.consumer.broker.ordered_pops import note_expired
from simulator.consumer.memory.consumer_side import FAILED_TO_HANDLE, SLOW, UNHEARD, CheckPoint
from simulator.consumer.memory.consumer_world import ConsumerWorld
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.queue_log import NO_LOG, NewMessage
from simulator.consumer.queue_log.consumptions import retry_counts
from simulator.consumer.queue_log.filtering import pass_over_at
from simulator.consumer.queue_log.log_pages import has_page, is_known, message_in
from simulator.consumer.shared.pop_places import place_of_pop

MS_US, SECOND_US = 1_000, 1_000_000
WAITS_US = 2_000_000  # ackTimeInterval and a second: what was due so long after a check point has come out
AT_ONCE = 2_048  # at one look


@rule()
def revive(world: ConsumerWorld, broker: int, now_us: Us) -> None:
    """The broker's look at its check points."""
    due_us = now_us // SECOND_US * SECOND_US - WAITS_US
    left = AT_ONCE
    for subscription in range(world.settings.subscriptions):
        place = place_of_pop(world, subscription, broker)
        if world.pop_places[place].revives == 0 or world.pop_places[place].first_log < 0:
            continue
        waits = world.pop_waits[place]
        while waits.first_point != NOBODY and left > 0:
            point = world.check_points[waits.first_point]
            if point.revive_us >= (now_us if point.in_order == 1 else due_us):
                break
            if point.in_order == 1:
                note_expired(world, point)
                wake_one(world, place, NO_LOG, now_us + 1)
            else:
                _revive(world, point, world.pop_places[place].retry_log, now_us)
            left -= 1


@rule()
def _revive(world: ConsumerWorld, point: CheckPoint, retry_log: int, now_us: Us) -> None:
    """Store the message in the retry topic: the group has it to consume there, and not where it was popped."""
    own, log = world.subscriptions[point.subscription], world.logs[point.log]
    if is_known(world, log, point.offset) and has_page(world, log, point.offset, point.page):
        message = message_in(world.pages[point.page], point.offset)
        if message.sender == point.sender:
            pass_over_at(world, point.subscription, point.log, message)
    if world.pop_places[point.place].loses_younger == 1 and point.popped_us // MS_US < point.stored_us // MS_US:
        world.pop_waits[point.place].lost += 1
        take_out(world, point)
        return
    origin = point.origin - world.groups[own.group].first_subscription
    counts = retry_counts(point.reconsume_times + 1, origin)
    new = NewMessage(point.arrival_us, point.draw, point.sender, counts, point.body_bytes)
    waits = world.pop_waits[point.place]
    note_slow(world, point)
    waits.revived += 1
    waits.revived_failed += point.why == FAILED_TO_HANDLE
    waits.revived_unheard += point.why == UNHEARD
    waits.revived_slow += point.why == SLOW
    if world.store_rules[log.broker].elects == 1:
        note_revived(world, point)
    take_out(world, point)
    store_message(world, retry_log, new, now_us)
