"""Power of two choices by latency: of two random nodes the one with the lower peak-sensitive average.

Source: finagle 24.2.0, PeakEwma and P2CPick (decay 10 s). Reading a load decays it, and a choice reads the first node's
load once more than it compares.
"""

from __future__ import annotations

import math

from simulator.compiled.jit import rule
from simulator.compiled.records import Record

DECAY_NS = 10_000_000_000
PENALTY = float((2**63 - 1) >> 16)  # load of a node with requests under way and no latency yet
OPEN, BUSY, CLOSED = range(3)  # of a node, best first


class Node(Record):
    """One node: its average, what is under way, and since when it decays."""

    cost_ns: float
    decay_ns: int
    stamp_ns: int
    pending: int
    status: int


@rule()
def observe(node: Node, rtt_ns: float, now_ns: int) -> None:
    """Let the average decay; a longer round trip sets it at once."""
    if rtt_ns > node.cost_ns:
        node.cost_ns = rtt_ns
    else:
        weight = math.exp(-max(now_ns - node.stamp_ns, 0) / node.decay_ns)
        node.cost_ns = node.cost_ns * weight + rtt_ns * (1.0 - weight)
    node.stamp_ns = now_ns


@rule()
def load_of(node: Node, now_ns: int) -> float:
    """The load of a node as if one more request were sent to it; reading it is an observation of 0."""
    observe(node, 0.0, now_ns)
    if node.cost_ns == 0.0 and node.pending:
        return PENALTY + node.pending
    return node.cost_ns * (node.pending + 1)


@rule()
def begin(node: Node) -> None:
    """A request is sent."""
    node.pending += 1


@rule()
def end(node: Node, rtt_ns: int, now_ns: int) -> None:
    """A request has ended."""
    node.pending -= 1
    observe(node, float(max(rtt_ns, 0)), now_ns)


@rule()
def second_of(first: int, drawn: int) -> int:
    """Another node than the first, from a number below one less than their count."""
    return drawn + 1 if drawn >= first else drawn


@rule()
def is_second_better(first: Node, second: Node, now_ns: int) -> bool:
    """Whether the second is the one to take: of better status, or else of lower load; a tie is the first's."""
    if load_of(first, now_ns) == 0.0:
        load_of(second, now_ns)
    if first.status != second.status:
        return second.status < first.status
    return load_of(second, now_ns) < load_of(first, now_ns)
