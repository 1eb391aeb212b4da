"""What the replays of both ways to send share: the choice of a queue, the update of an item, a decision begun.

What the recording says of a decision is used for one thing only: where a clock reading is known to lie between two
values and they lead to different decisions, the one that fits what was recorded is taken for the reading, and the
decision is marked as open where it is a choice of queue or a matter of the budget.
"""

from __future__ import annotations

from typing import Any

from simulator.client import memory as at
from simulator.client.java_int import INT_MAX, wrap_int
from simulator.client.message_queue import NO_QUEUE, broker_of, queue_id_of
from simulator.compiled.jit import rule
from simulator.replay import replay_layout as lay


@rule()
def put(out: Any, count: Any, kind: Any, row: Any, m: Any, s: Any) -> Any:
    """Begin a decision of the sender at `s`; gives its offset."""
    o = count * lay.OUT_SIZE
    for cell in range(o, o + lay.OUT_SIZE):
        out[cell] = lay.NONE
    out[o + lay.OUT_KIND] = kind
    out[o + lay.OUT_ROW] = row
    out[o + lay.OUT_VIEW] = m[s + lay.VIEW]
    out[o + lay.OUT_SEND_SEQ] = m[s + lay.SEND_SEQ]
    out[o + lay.OUT_ATTEMPT] = m[s + lay.ATTEMPT]
    out[o + lay.OUT_IS_OPEN] = 0
    return o


@rule()
def _keep(m: Any, kept: Any, first: Any, size: Any, place: Any) -> Any:
    for i in range(size):
        kept[place + i] = m[first + i]
    return place + size


@rule()
def _put_back(m: Any, kept: Any, first: Any, size: Any, place: Any) -> Any:
    for i in range(size):
        m[first + i] = kept[place + i]
    return place + size


@rule()
def _keep_view(m: Any, kept: Any, view: Any) -> None:
    faults, queues = m[view + at.FAULTS], m[view + at.QUEUES]
    place = _keep(m, kept, view, at.VIEW_SIZE, 0)
    place = _keep(m, kept, faults, at.ITEM_LIST + m[faults + at.BROKER_COUNT] * (at.ITEM_SIZE + 2), place)
    _keep(m, kept, queues, at.QUEUE_LIST + m[queues + at.QUEUE_COUNT] * at.QUEUE_SIZE, place)


@rule()
def _put_back_view(m: Any, kept: Any, view: Any) -> None:
    faults, queues = m[view + at.FAULTS], m[view + at.QUEUES]
    place = _put_back(m, kept, view, at.VIEW_SIZE, 0)
    place = _put_back(m, kept, faults, at.ITEM_LIST + m[faults + at.BROKER_COUNT] * (at.ITEM_SIZE + 2), place)
    _put_back(m, kept, queues, at.QUEUE_LIST + m[queues + at.QUEUE_COUNT] * at.QUEUE_SIZE, place)


@rule()
def _select_at(c: Any, m: Any, view: Any, now_ms: Any, last: Any, reset: Any, reset_to: Any, select: Any) -> Any:
    """One selection; gives the queue, the counter's steps, whether it was reset."""
    before = m[view + at.SEND_WHICH_QUEUE]
    # What a reset would draw: the recorded value, or one that no counter is likely to hold.
    draw = reset_to if reset_to != lay.NONE else 0x5EED5EED
    m[view + at.RANDOM] = draw
    queue = select(m, view, c[lay.EPOCH_MS] + now_ms, last, reset)
    resets = 1 if m[view + at.RANDOM] != draw else 0
    start = draw & INT_MAX if resets == 1 else before
    return queue, wrap_int(m[view + at.SEND_WHICH_QUEUE] - start), resets


@rule()
def _fits(rows: Any, r: Any, queue: Any, steps: Any) -> Any:
    if steps != rows[r + lay.IN_FITS_STEPS] or queue == NO_QUEUE:
        return False
    return broker_of(queue) == rows[r + lay.IN_FITS_BROKER] and queue_id_of(queue) == rows[r + lay.IN_FITS_QUEUE_ID]


@rule()
def choose(c: Any, m: Any, kept: Any, rows: Any, r: Any, view: Any, last: Any, reset: Any, select: Any) -> Any:
    """The selection, at the reading of the clock that fits: queue, steps, whether reset, reading, whether open."""
    first, until = rows[r + lay.IN_CLOCK_LEAST], rows[r + lay.IN_CLOCK_MOST]
    reset_to = rows[r + lay.IN_RESET_TO]
    if first == until:
        queue, steps, resets = _select_at(c, m, view, first, last, reset, reset_to, select)
        return queue, steps, resets, first, 0
    _keep_view(m, kept, view)
    first_queue, first_steps, resets = _select_at(c, m, view, first, last, reset, reset_to, select)
    reading, is_open = first, 0
    is_fit = _fits(rows, r, first_queue, first_steps)
    for now_ms in range(first + 1, until + 1):
        _put_back_view(m, kept, view)
        queue, steps, resets = _select_at(c, m, view, now_ms, last, reset, reset_to, select)
        if queue != first_queue or steps != first_steps:
            is_open = 1
            if not is_fit and _fits(rows, r, queue, steps):
                is_fit, reading = True, now_ms
    _put_back_view(m, kept, view)
    queue, steps, resets = _select_at(c, m, view, reading, last, reset, reset_to, select)
    return queue, steps, resets, reading, is_open


@rule()
def take_route(c: Any, m: Any, rows: Any, r: Any, view: Any) -> Any:
    """Look the topic's route up for a new message; another object than before has a counter of its own."""
    held = c[lay.HELD_ROUTES] + rows[r + lay.IN_VIEW]
    route = rows[r + lay.IN_ROUTE]
    if route < 0:
        return lay.UNKNOWN_ROUTE
    fixed = c[lay.ROUTES] + route * lay.ROUTE_SIZE
    if m[fixed + lay.INSTALLED] == 0:
        return lay.UNKNOWN_ROUTE
    if m[held] != route:
        m[held] = route
        m[view + at.QUEUES] = m[fixed + lay.ROUTE_QUEUES]
        m[view + at.WRITES] = m[fixed + lay.ROUTE_WRITES]
        m[view + at.SEEDED] = 0
    if m[view + at.SEEDED] == 0:
        if rows[r + lay.IN_SEED] == lay.NONE:
            return lay.NO_SEED
        m[view + at.SEND_WHICH_QUEUE] = rows[r + lay.IN_SEED]
        m[view + at.SEEDED] = 1
    return lay.OK


@rule()
def charge(
    c: Any, m: Any, kept: Any, rows: Any, r: Any, s: Any, out: Any, count: Any, broker: Any, isolation: Any,
    reachable: Any, update: Any,
) -> Any:  # fmt: skip
    """A fault_update row: the broker's item by those flags and the recorded latency; gives the number of decisions."""
    o = put(out, count, lay.KIND_FAULT_UPDATE, rows[r + lay.IN_ROW], m, s)
    out[o + lay.OUT_BROKER] = broker
    out[o + lay.OUT_ISOLATION] = isolation
    out[o + lay.OUT_REACHABLE] = reachable
    out[o + lay.OUT_TOUCHED] = c[lay.UPDATES_TABLE]
    out[o + lay.OUT_CLOCK_MS] = rows[r + lay.IN_CLOCK_LEAST]
    if c[lay.UPDATES_TABLE] == 0 or broker < 0:
        return count + 1
    view = c[lay.VIEWS] + m[s + lay.VIEW] * at.VIEW_SIZE
    faults = m[view + at.FAULTS]
    start = faults + at.ITEM_LIST + broker * at.ITEM_SIZE + at.START_TIMESTAMP
    before = m[start]
    first, until = rows[r + lay.IN_CLOCK_LEAST], rows[r + lay.IN_CLOCK_MOST]
    epoch_ms, latency_ms = c[lay.EPOCH_MS], rows[r + lay.IN_LATENCY_MS]
    reading = first
    if first < until:
        _keep_view(m, kept, view)
        for now_ms in range(until, first - 1, -1):
            update(m, faults, epoch_ms + now_ms, broker, latency_ms, isolation, reachable)
            if m[start] - epoch_ms == rows[r + lay.IN_FITS_START_MS]:
                reading = now_ms
            _put_back_view(m, kept, view)
    update(m, faults, epoch_ms + reading, broker, latency_ms, isolation, reachable)
    out[o + lay.OUT_CLOCK_MS] = reading
    out[o + lay.OUT_MOVED] = 1 if m[start] != before else 0
    if m[start] != 0:
        out[o + lay.OUT_START_MS] = m[start] - epoch_ms
    return count + 1


@rule()
def timeouts(c: Any, m: Any, rows: Any, r: Any, s: Any, is_last: Any, attempt_timeout: Any) -> None:
    """The least and most that the transport may be given, by the readings of a select row with a transport call."""
    budget_ms, limit_ms = c[lay.SEND_MSG_TIMEOUT_MS], c[lay.MAX_TIMEOUT_PER_REQUEST_MS]
    # The client takes what it spends itself off: most where the loop looked at the clock earliest.
    earliest_ms = rows[r + lay.IN_ATTEMPT_LEAST]
    least_ms = max(earliest_ms - m[s + lay.BEGIN_MOST_MS], 0)
    from_ms = max(earliest_ms - m[s + lay.BEGIN_LEAST_MS], 0)
    spent_ms = max(rows[r + lay.IN_TRANSPORT_MOST] - earliest_ms, 0)
    m[s + lay.TIMEOUT_LEAST_MS] = attempt_timeout(budget_ms, from_ms, limit_ms, is_last) - spent_ms
    m[s + lay.TIMEOUT_MOST_MS] = attempt_timeout(budget_ms, least_ms, limit_ms, is_last)
