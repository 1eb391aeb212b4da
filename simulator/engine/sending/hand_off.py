"""The bounded hand-off queue before each sender thread: messages that wait while the thread is blocked."""

from __future__ import annotations

from typing import Any

from simulator.compiled.jit import rule
from simulator.engine.layout import (
    BACKLOG,
    BACKLOG_SIZE,
    FREE_PLACE,
    HEAD,
    LENGTH,
    NEXT_PLACE,
    NUMBERS,
    SENDING,
    SENDING_SIZE,
    TAIL,
    WAITING_DRAW,
    WAITING_SINCE_US,
    WAITING_TOPIC,
)


@rule()
def wait_in_line(c: Any, m: Any, thread: Any, at_us: Any, topic: Any, draw: Any) -> None:
    """Put a message at the end of the thread's queue; the caller has checked its limit."""
    place = m[c[NUMBERS] + FREE_PLACE]
    row = c[BACKLOG] + place * BACKLOG_SIZE
    m[c[NUMBERS] + FREE_PLACE] = m[row + NEXT_PLACE]
    m[row + NEXT_PLACE] = -1
    m[row + WAITING_SINCE_US] = at_us
    m[row + WAITING_TOPIC] = topic
    m[row + WAITING_DRAW] = draw
    queue = c[SENDING] + thread * SENDING_SIZE
    if m[queue + LENGTH] == 0:
        m[queue + HEAD] = place
    else:
        m[c[BACKLOG] + m[queue + TAIL] * BACKLOG_SIZE + NEXT_PLACE] = place
    m[queue + TAIL] = place
    m[queue + LENGTH] += 1


@rule()
def next_in_line(c: Any, m: Any, thread: Any) -> Any:
    """Take the first waiting message: offset of its place, which stays readable until the next call."""
    queue = c[SENDING] + thread * SENDING_SIZE
    place = m[queue + HEAD]
    row = c[BACKLOG] + place * BACKLOG_SIZE
    m[queue + HEAD] = m[row + NEXT_PLACE]
    m[queue + LENGTH] -= 1
    m[row + NEXT_PLACE] = m[c[NUMBERS] + FREE_PLACE]
    m[c[NUMBERS] + FREE_PLACE] = place
    return row
