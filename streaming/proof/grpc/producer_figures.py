"""What is measured of a gRPC producer: messages that fail, until when, and how long they take while a broker hangs.

Times of healthy phases are no figures: the recordings come from a machine whose two cores were busy with other work.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from streaming.proof.consumers.group_figures import GroupFigure
from streaming.proof.grpc.proxy_trouble import ProxyTrouble
from streaming.proof.grpc.sends_seen import SendsSeen

WARM_MS = 28_000  # the recorded JVMs and their machine are warm by then, and nothing is done before
ATTEMPTS_S = 3  # one that times out
LEAD_MS = 1_000  # a message that begins so long before the end of a fault, or its begin, may meet the other


def producer_figures(seen: SendsSeen, troubles: Sequence[ProxyTrouble]) -> list[GroupFigure]:
    """Every figure of a producer's messages, given what was done to brokers and proxies."""
    later = seen.between(WARM_MS, math.inf)
    figures = [GroupFigure("failed messages", float(later.is_failed.sum()), "messages")]
    for trouble in troubles:
        figures += _in_trouble(seen, trouble)
    return figures


def _in_trouble(seen: SendsSeen, trouble: ProxyTrouble) -> Iterator[GroupFigure]:
    own = seen.between(trouble.at_ms, trouble.until_ms)
    failed = own.begin_ms[own.is_failed]
    name = f"{trouble.target} {trouble.kind}"
    if trouble.target in seen.broker:
        yield GroupFigure(f"{name}: gets messages again after", _again_s(seen, trouble), "s")
    if trouble.kind == "hang":
        inside = seen.between(trouble.at_ms, trouble.until_ms - LEAD_MS)
        for least in range(0, 3 * ATTEMPTS_S, ATTEMPTS_S):
            part = inside.took_part(least, least + ATTEMPTS_S)
            yield GroupFigure(f"{name}: take {least} to {least + ATTEMPTS_S} s", part, "%")
        yield GroupFigure(f"{name}: fail", 100.0 * float(inside.is_failed.mean()), "%")
        yield GroupFigure(f"{name}: a failed one takes, median", _median_s(inside), "s")
        return
    if not len(failed):
        return
    yield GroupFigure(f"{name}: last failed message after", (failed[-1] - trouble.at_ms) / 1000, "s")
    until_last = own.between(trouble.at_ms, failed[-1] + 1)
    yield GroupFigure(f"{name}: fail until then", 100.0 * float(until_last.is_failed.mean()), "%")


def _again_s(seen: SendsSeen, trouble: ProxyTrouble) -> float:
    """From the end of what was done to a broker until the first message that goes there."""
    return (seen.first_at(trouble.target, trouble.until_ms) - trouble.until_ms) / 1000


def _median_s(seen: SendsSeen) -> float:
    return float(np.median(seen.took_ms[seen.is_failed])) / 1000 if seen.is_failed.any() else math.inf
