"""A binary heap of (time, record): the record's number breaks ties, so the order is total.

The first records are the sender threads' own (layout.SENDING), so theirs are called threads below.
"""

from __future__ import annotations

from typing import Any

from simulator.compiled.jit import rule
from simulator.engine.layout import HEAP_AT, HEAP_SIZE, HEAP_THREAD, NUMBERS


@rule(inlined=True)
def push(c: Any, m: Any, at_us: Any, thread: Any) -> None:
    """Add the one event a thread is waiting for."""
    ats, threads, size = c[HEAP_AT], c[HEAP_THREAD], c[NUMBERS] + HEAP_SIZE
    i = m[size]
    m[size] = i + 1
    while i > 0:
        parent = (i - 1) >> 1
        if m[ats + parent] < at_us or (m[ats + parent] == at_us and m[threads + parent] < thread):
            break
        m[ats + i] = m[ats + parent]
        m[threads + i] = m[threads + parent]
        i = parent
    m[ats + i] = at_us
    m[threads + i] = thread


@rule(inlined=True)
def pop(c: Any, m: Any) -> Any:
    """Remove the earliest event and give its thread; the heap must not be empty.

    The hole goes down to a leaf along the earlier children, then the last event goes up from there: it came from a
    leaf and seldom goes far.
    """
    ats, threads, size = c[HEAP_AT], c[HEAP_THREAD], c[NUMBERS] + HEAP_SIZE
    first = m[threads]
    n = m[size] - 1
    m[size] = n
    i = 0
    child = 2
    while child < n:
        # Arithmetic instead of a branch that would be guessed wrong every other time.
        left, right = m[ats + child - 1], m[ats + child]
        tie = (left == right) & (m[threads + child - 1] < m[threads + child])
        child -= (left < right) | tie
        m[ats + i] = m[ats + child]
        m[threads + i] = m[threads + child]
        i = child
        child = 2 * i + 2
    if child == n:
        m[ats + i] = m[ats + n - 1]
        m[threads + i] = m[threads + n - 1]
        i = n - 1
    at_us, thread = m[ats + n], m[threads + n]
    while i > 0:
        parent = (i - 1) >> 1
        if m[ats + parent] < at_us or (m[ats + parent] == at_us and m[threads + parent] < thread):
            break
        m[ats + i] = m[ats + parent]
        m[threads + i] = m[threads + parent]
        i = parent
    m[ats + i] = at_us
    m[threads + i] = thread
    return first


@rule()
def hasten(c: Any, m: Any, at_us: Any, thread: Any) -> None:
    """Bring the event of a record forward; it must be in the heap, at `at_us` or later."""
    ats, threads = c[HEAP_AT], c[HEAP_THREAD]
    i = 0
    while m[threads + i] != thread:
        i += 1
    while i > 0:
        parent = (i - 1) >> 1
        if m[ats + parent] < at_us or (m[ats + parent] == at_us and m[threads + parent] < thread):
            break
        m[ats + i] = m[ats + parent]
        m[threads + i] = m[threads + parent]
        i = parent
    m[ats + i] = at_us
    m[threads + i] = thread
