"""What an instance holds of a queue: the messages it fetched and has not finished, in the order of their offsets.

Entries of a queue lie sorted by offset between `first` and `end`. One that is finished stays as a gap until the
entries are moved to the front, so that a put, a removal and the smallest offset cost O(log n) at most.
Source: rocketmq 4.2.0-5.3.3, client.impl.consumer.ProcessQueue.
"""

from __future__ import annotations

from typing import Annotated

from simulator.compiled.jit import entry, rule
from simulator.compiled.records import Cells, Ms, Record, Region, tail

GAP, CACHED, TAKEN = 0, 1, 2  # of an entry: may be cached and taken at once, where it was fetched again meanwhile

NOTHING_CACHED = -1  # removal from an empty queue: nothing is committed
NO_SUCH_ELEMENT = -2  # a commit of nothing that was taken throws NoSuchElementException
NO_MAX_OFFSET = -1

PULL_MAX_IDLE_MS = 120_000  # a queue that was not pulled for longer is dropped
LOCK_MAX_LIVE_MS = 30_000  # client side
SWEPT_AT_MOST = 16  # messages of a queue that a sweep for consumeTimeout looks at


class CachedMessage(Record):
    """One message of a process queue."""

    offset: int
    state: int
    body_bytes: int  # of the cached one
    taken_bytes: int  # of the taken one
    consume_start_ms: Ms  # 0: its consumption has not begun
    message: int  # a number of the caller's own


class ProcessQueue(Record):
    """ProcessQueue; its entries lie behind it."""

    room: int  # entries there is room for
    first: int
    end: int
    cached: int  # entries of msgTreeMap
    taken: int  # of consumingMsgOrderlyTreeMap
    msg_count: int
    msg_size: int  # bytes of bodies
    queue_offset_max: int
    msg_acc_cnt: int
    consuming: int
    dropped: int
    locked: int
    last_pull_ms: Ms
    last_lock_ms: Ms
    entries: Annotated[Region[CachedMessage], tail("room")]


@entry
def put_messages(queue: ProcessQueue, messages: Cells, count: int, max_offset: int) -> int:
    """Cache what a pull found; 1 if nothing was being consumed, so that an orderly consumption has to be started.

    `messages`: offset, bytes of the body and the caller's number of each. `max_offset`: the queue's, as the last
    message says it, or NO_MAX_OFFSET. The room must suffice for them.
    """
    for i in range(count):
        offset = messages[3 * i]
        if put_message(queue, offset, messages[3 * i + 1], messages[3 * i + 2]):
            queue.msg_count += 1
            queue.msg_size += messages[3 * i + 1]
            queue.queue_offset_max = offset
    is_first = 1 if queue.cached > 0 and queue.consuming == 0 else 0
    if is_first:
        queue.consuming = 1
    if count > 0 and max_offset != NO_MAX_OFFSET and max_offset > messages[3 * count - 3]:
        queue.msg_acc_cnt = max_offset - messages[3 * count - 3]
    return is_first


@rule()
def _drop(queue: ProcessQueue, messages: Cells, count: int) -> None:
    """Take these messages out of the cache."""
    for i in range(count):
        if drop_cached(queue, messages[2 * i]):
            queue.msg_count -= 1
            queue.msg_size -= messages[2 * i + 1]


@entry
def remove_messages_4_2_0(queue: ProcessQueue, messages: Cells, count: int) -> int:
    """The offset to commit, or NOTHING_CACHED; `messages`: offset and bytes of each.

    4.2.0-4.9.7 and 5.0.0-5.1.4: bytes stay counted where a message was fetched again with another size.
    """
    if queue.cached == 0:
        return NOTHING_CACHED
    _drop(queue, messages, count)
    return first_offset(queue) if queue.cached > 0 else queue.queue_offset_max + 1


@entry
def remove_messages_4_9_8(queue: ProcessQueue, messages: Cells, count: int) -> int:
    """The same; a queue that has got empty counts no bytes."""
    if queue.cached == 0:
        return NOTHING_CACHED
    _drop(queue, messages, count)
    if queue.msg_count == 0:
        queue.msg_size = 0
    return first_offset(queue) if queue.cached > 0 else queue.queue_offset_max + 1


@entry
def commit_taken_4_2_0(queue: ProcessQueue) -> int:
    """The offset behind the last taken message, which are all finished, or NO_SUCH_ELEMENT."""
    if queue.taken == 0:
        return NO_SUCH_ELEMENT
    queue.msg_count -= queue.taken
    offset = 0
    place = queue.first
    while queue.taken > 0:
        one = queue.entries[place]
        if one.state & TAKEN:
            queue.msg_size -= one.taken_bytes
            offset = one.offset
            _clear(queue, place, TAKEN)
        place += 1
    _trim(queue)
    return offset + 1


@entry
def commit_taken_4_9_8(queue: ProcessQueue) -> int:
    """The same; a queue that has got empty counts no bytes."""
    found = commit_taken_4_2_0(queue)
    if found != NO_SUCH_ELEMENT and queue.msg_count == 0:
        queue.msg_size = 0
    return found


@rule()
def take_messages(queue: ProcessQueue, most: int, offsets: Cells) -> int:
    """Take the first messages for an orderly consumption; how many, their offsets are written to `offsets`."""
    count = 0
    place = queue.first
    while count < most and queue.cached > 0:
        one = queue.entries[place]
        if one.state & CACHED:
            offsets[count] = one.offset
            one.taken_bytes = one.body_bytes
            if one.state & TAKEN == 0:
                queue.taken += 1
            one.state = TAKEN
            queue.cached -= 1
            count += 1
        place += 1
    if count == 0:
        queue.consuming = 0
    return count


@rule()
def taken_message(queue: ProcessQueue, offset: int) -> int:
    """The caller's number of a taken message."""
    return queue.entries[_place_of(queue, offset)].message


@rule()
def take_again(queue: ProcessQueue, messages: Cells, count: int) -> None:
    """makeMessageToConsumeAgain: taken messages are cached as before; `messages`: offset, bytes, number of each."""
    for i in range(count):
        offset = messages[3 * i]
        place = _place_of(queue, offset)
        if place < queue.end and queue.entries[place].offset == offset and queue.entries[place].state & TAKEN:
            _clear(queue, place, TAKEN)
        put_message(queue, offset, messages[3 * i + 1], messages[3 * i + 2])


@rule()
def clear(queue: ProcessQueue) -> None:
    """Forget every message."""
    queue.first = 0
    queue.end = 0
    queue.cached = 0
    queue.taken = 0
    queue.msg_count = 0
    queue.msg_size = 0
    queue.queue_offset_max = 0


@rule()
def max_span(queue: ProcessQueue) -> int:
    """Last cached offset less the first."""
    return last_offset(queue) - first_offset(queue) if queue.cached > 0 else 0


@rule()
def first_offset(queue: ProcessQueue) -> int:
    """The smallest cached offset; there must be one."""
    return queue.entries[first_cached(queue)].offset


@rule()
def first_cached(queue: ProcessQueue) -> int:
    """Place of the cached message with the smallest offset; there must be one."""
    place = queue.first
    while queue.entries[place].state & CACHED == 0:
        place += 1
    return place


@rule()
def last_offset(queue: ProcessQueue) -> int:
    """The largest cached offset; there must be one."""
    place = queue.end - 1
    while queue.entries[place].state & CACHED == 0:
        place -= 1
    return queue.entries[place].offset


@rule()
def cached_place(queue: ProcessQueue, offset: int) -> int:
    """Place of the cached message with that offset, or -1."""
    place = _place_of(queue, offset)
    if place == queue.end or queue.entries[place].offset != offset or queue.entries[place].state & CACHED == 0:
        return -1
    return place


@rule()
def put_message(queue: ProcessQueue, offset: int, body_bytes: int, message: int) -> int:
    """msgTreeMap.put; 1 if there was none with that offset. Counts neither messages nor bytes."""
    place = queue.end
    if place > queue.first and queue.entries[place - 1].offset >= offset:
        place = _place_of(queue, offset)
    if place == queue.end or queue.entries[place].offset != offset:
        place = _make_room(queue, place)
        queue.entries[place].offset = offset
        queue.entries[place].state = GAP
    one = queue.entries[place]
    is_new = 1 if one.state & CACHED == 0 else 0
    one.state |= CACHED
    one.body_bytes = body_bytes
    one.message = message
    one.consume_start_ms = 0
    queue.cached += is_new
    return is_new


@rule()
def drop_cached(queue: ProcessQueue, offset: int) -> int:
    """msgTreeMap.remove; 1 if it was there. Counts neither messages nor bytes."""
    place = cached_place(queue, offset)
    if place < 0:
        return 0
    _clear(queue, place, CACHED)
    _trim(queue)
    return 1


@rule()
def expired_place(queue: ProcessQueue, now_ms: Ms, consume_timeout_ms: Ms) -> int:
    """Place of the first cached message if its consumption has lasted too long, else -1."""
    if queue.cached == 0:
        return -1
    place = first_cached(queue)
    began_ms = queue.entries[place].consume_start_ms
    return place if began_ms > 0 and now_ms - began_ms > consume_timeout_ms else -1


@rule()
def is_lock_expired(queue: ProcessQueue, now_ms: Ms) -> int:
    """1 if the lock at the broker was not renewed for too long."""
    return 1 if now_ms - queue.last_lock_ms > LOCK_MAX_LIVE_MS else 0


@rule()
def _place_of(queue: ProcessQueue, offset: int) -> int:
    """Place of the first entry with that offset or a larger one."""
    low, high = queue.first, queue.end
    while low < high:
        middle = (low + high) // 2
        if queue.entries[middle].offset < offset:
            low = middle + 1
        else:
            high = middle
    return low


@rule()
def _clear(queue: ProcessQueue, place: int, flag: int) -> None:
    queue.entries[place].state &= ~flag
    if flag == CACHED:
        queue.cached -= 1
    else:
        queue.taken -= 1


@rule()
def _trim(queue: ProcessQueue) -> None:
    """Gaps at either end are no entries."""
    while queue.first < queue.end and queue.entries[queue.first].state == GAP:
        queue.first += 1
    while queue.first < queue.end and queue.entries[queue.end - 1].state == GAP:
        queue.end -= 1
    if queue.first == queue.end:
        queue.first = 0
        queue.end = 0


@rule()
def _make_room(queue: ProcessQueue, place: int) -> int:
    """Place of a free entry between those before `place` and the rest."""
    if queue.end == queue.room:
        place = _close_gaps(queue, place)
    end = queue.end
    while end > place:
        _move(queue.entries[end - 1], queue.entries[end])
        end -= 1
    queue.end += 1
    return place


@rule()
def _close_gaps(queue: ProcessQueue, place: int) -> int:
    """Move the entries to the front; the new number of `place`."""
    count = 0
    moved = 0
    for old in range(queue.first, queue.end):
        if old == place:
            moved = count
        if queue.entries[old].state != GAP:
            if old != count:
                _move(queue.entries[old], queue.entries[count])
            count += 1
    if place == queue.end:
        moved = count
    queue.first = 0
    queue.end = count
    return moved


@rule()
def _move(old: CachedMessage, new: CachedMessage) -> None:
    new.offset = old.offset
    new.state = old.state
    new.body_bytes = old.body_bytes
    new.taken_bytes = old.taken_bytes
    new.consume_start_ms = old.consume_start_ms
    new.message = old.message
