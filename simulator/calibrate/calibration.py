"""What a trace says of the set-up that it was recorded on: `calibrate(attempts, ...)`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from simulator.calibrate.attempts import TraceAttempts
from simulator.calibrate.broker_metrics import LoadSeen, Scrapes, load_seen, with_metrics
from simulator.calibrate.calibrate_texts import CalibrateTexts
from simulator.calibrate.found_fault import FoundFault
from simulator.calibrate.producers.rates import periods
from simulator.calibrate.producers.senders import Group, groups_of, rates_per_s
from simulator.calibrate.service_times import ANSWERS_LEAST, drain_us, ordinary_latency_us, percentiles_us
from simulator.calibrate.troubles import find_troubles
from simulator.releases.ledger import NEWEST
from simulator.scenario.client_settings import ClientSettings
from simulator.scenario.topics import QUEUES_DEFAULT


@dataclass(frozen=True)
class BrokerFit:
    """`latency_us`: percentile to microseconds. answers: ordinary ones that it was made of. own: or those of all.

    drain_us: from one late answer to the next after a hang, None if no hang shows it.
    """

    latency_us: dict[str, int]
    answers: int
    own: bool
    drain_us: int | None


@dataclass(frozen=True)
class TopicFit:
    """`queues`: by broker name. body_bytes: the median. known: whether the trace says them at all."""

    queues: dict[str, int]
    queues_known: bool
    body_bytes: int | None


@dataclass(frozen=True)
class Calibration:
    """Everything that a scenario is written of; `client`: keys of its client, plain values, as the trace has them.

    client_known: whether the trace says the release. mode: sync or async.
    rates: by group, (from second, to second, sends a second of the group) of each period of its load.
    """

    attempts: TraceAttempts
    client: dict[str, object]
    client_known: bool
    mode: str
    groups: tuple[Group, ...]
    rates: dict[str, tuple[tuple[int, int, float], ...]]
    topics: dict[str, TopicFit]
    brokers: dict[str, BrokerFit]
    findings: tuple[FoundFault, ...]
    scrapes: Scrapes = field(default_factory=dict)

    @cached_property
    def load(self) -> dict[str, LoadSeen]:
        """What brokers say of their load beside what the trace shows, by broker."""
        return load_seen(self.attempts, self.scrapes)


def calibrate(
    attempts: TraceAttempts, client: Mapping[str, object], mode: str = "sync", scrapes: Scrapes | None = None
) -> Calibration:
    """Fit a set-up to attempts; `client`: keys of a scenario's client that are known, such as {"release": "4.9.8"}.

    `scrapes`: what its brokers said of themselves.

    Raises ValueError if there is nothing to fit: no attempt that a broker answered well.
    """
    if not len(attempts) or not attempts.brokers:
        raise ValueError(CalibrateTexts.NO_ATTEMPTS())
    known = "release" in client
    settings = {"release": NEWEST, **client}
    found = find_troubles(attempts, ClientSettings.model_validate(settings) if known else None)
    findings = tuple(with_metrics(found, scrapes or {}))
    groups = tuple(groups_of(attempts, mode))
    return Calibration(
        attempts=attempts,
        client=dict(settings),
        client_known=known,
        mode=mode,
        groups=groups,
        rates={group.name: tuple(periods(rates_per_s(attempts, group))) for group in groups},
        topics={name: _topic(attempts, place) for place, name in enumerate(attempts.topics)},
        brokers=_brokers(attempts, findings),
        findings=findings,
        scrapes=scrapes or {},
    )


def _brokers(attempts: TraceAttempts, findings: tuple[FoundFault, ...]) -> dict[str, BrokerFit]:
    latency_us = {name: ordinary_latency_us(attempts, place, findings) for place, name in enumerate(attempts.brokers)}
    together = np.sort(np.concatenate(list(latency_us.values())))
    if not len(together):
        raise ValueError(CalibrateTexts.NO_ANSWERS())
    fits = {}
    for place, (name, own) in enumerate(latency_us.items()):
        enough = len(own) >= ANSWERS_LEAST
        drain = drain_us(attempts, place, findings)
        fits[name] = BrokerFit(percentiles_us(own if enough else together), len(own), enough, drain)
    return fits


def _topic(attempts: TraceAttempts, topic: int) -> TopicFit:
    rows = np.flatnonzero((attempts.topic == topic) & (attempts.broker >= 0))
    queues: dict[str, int] = {}
    known = bool((attempts.queue[rows] >= 0).any())
    for broker in np.unique(attempts.broker[rows]).tolist():
        highest = int(attempts.queue[rows[attempts.broker[rows] == broker]].max())
        queues[attempts.brokers[broker]] = highest + 1 if highest >= 0 else QUEUES_DEFAULT
    bodies = attempts.body_bytes[rows]
    bodies = bodies[bodies >= 0]
    return TopicFit(queues, known, int(np.median(bodies)) if len(bodies) else None)
