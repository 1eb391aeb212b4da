"""What is measured of gRPC consumers: what comes again and when, and for how long nothing new comes of a broker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from streaming.proof.consumers.consumer_recording import Action
from streaming.proof.consumers.group_figures import NEVER, SECOND_MS, GroupFigure
from streaming.proof.grpc.deliveries_seen import Column, DeliveriesSeen
from streaming.proof.grpc.proxy_trouble import ProxyTrouble

SOON_MS = 30_000  # what failed comes again before that, at its first retry; what was not acknowledged after it
STRUCK_MS = 30_000  # silences are looked for so long after a fault
BEFORE_MS = 2_000
LEAST = 5  # of which there is a median


@dataclass(frozen=True)
class GroupSetUp:
    """How long a message is invisible that a group has received, and whether some listeners are slower than that."""

    invisible_ms: int
    is_slow: bool


def delivery_figures(
    seen: DeliveriesSeen, troubles: Sequence[ProxyTrouble], actions: Sequence[Action], brokers: set[str],
    own: GroupSetUp,
) -> list[GroupFigure]:  # fmt: skip
    """Every figure of a group; `actions`: what was done to its clients."""
    is_struck = bool(actions) or own.is_slow
    again = _again(seen, own, is_struck) if is_struck or not troubles else ()
    return [*again, *_silences(seen, troubles, actions, brokers)]


def _again(seen: DeliveriesSeen, own: GroupSetUp, is_struck: bool) -> Iterator[GroupFigure]:
    """What comes again. What a fault of a broker or a proxy does to acknowledgements is that of a busy machine."""
    again = seen.again_ms
    late, soon = again[again >= own.invisible_ms], again[again < min(SOON_MS, own.invisible_ms)]
    if len(soon) >= LEAST:
        yield GroupFigure("failed: come again after, median", float(np.median(soon)) / SECOND_MS, "s")
    if len(late) >= LEAST and (is_struck or own.invisible_ms < SOON_MS):
        yield GroupFigure("not acknowledged: come again after, median", float(np.median(late)) / SECOND_MS, "s")
    if is_struck:
        yield GroupFigure("not acknowledged: come again", len(late), "messages")


def _silences(
    seen: DeliveriesSeen, troubles: Sequence[ProxyTrouble], actions: Sequence[Action], brokers: set[str]
) -> Iterator[GroupFigure]:
    for trouble in troubles:
        others = brokers - {trouble.target}
        name = f"{trouble.target} {trouble.kind}"
        if trouble.is_proxy:
            yield GroupFigure(f"{name}: longest silence", _longest_s(seen.of(brokers), trouble.at_ms), "s")
            continue
        yield GroupFigure(f"{name}: longest silence of the other", _longest_s(seen.of(others), trouble.at_ms), "s")
        if trouble.kind == "hang":
            yield GroupFigure(f"{name}: its silence", _silence_s(seen.of({trouble.target}), trouble), "s")
    for action in actions:
        if action.kind == "kill9":
            name = f"{action.target} killed: longest silence of a broker"
            yield GroupFigure(name, max(_longest_s(seen.of({one}), action.at_ms) for one in sorted(brokers)), "s")


def _silence_s(begins: Column, trouble: ProxyTrouble) -> float:
    """From the last message before a fault until the first after it."""
    before, after = begins[begins < trouble.at_ms], begins[begins >= trouble.until_ms]
    return float(after[0] - before[-1]) / SECOND_MS if len(before) and len(after) else NEVER


def _longest_s(begins: Column, at_ms: float) -> float:
    """The longest time without a delivery, from a little before a moment on."""
    inside = begins[(begins >= at_ms - BEFORE_MS) & (begins < at_ms + STRUCK_MS)]
    edges = np.concatenate([[at_ms - BEFORE_MS], inside, [at_ms + STRUCK_MS]])
    return float(np.diff(edges).max()) / SECOND_MS
