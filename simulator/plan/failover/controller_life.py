"""When no controller leads: while less than a majority of them is there, and until the others have elected one.

A controller that goes takes the messages of brokers with it: what these tell the next one it knows from their
heartbeats, which go to every controller. What nobody was there to hear, such as a connection that closed, the next
leader finds by its scans. With JRaft the others elect a leader within 1 to 3 s. Each looks once in a while of 1 to 2 s,
drawn again each time, whether it has heard of its leader for 1 s (jRaftElectionTimeoutMs), and a vote takes no time.
Source: rocketmq 5.0.0-5.5.0, DLedgerController, JRaftController, BrokerOuterAPI.sendHeartbeatToController;
dledger 0.3.1, DLedgerLeaderElector; jraft-core 1.3.14, NodeImpl (handleElectionTimeout, randomTimeout).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simulator.plan.failover.dledger import BEAT_US, LEAK, VOTE_US
from simulator.plan.failover.set_history import Draw
from simulator.scenario import FaultPeriod, Scenario
from simulator.scenario.faults.fault_kinds import LEADER
from simulator.units import US_PER_S

Span = tuple[int, int]
JRAFT_TIMEOUT_US = US_PER_S  # jRaftElectionTimeoutMs; a node looks after that and up to as much again
JRAFT_VOTE_US = (10_000, 100_000)
WITH_NAME_SERVERS = ("name_server_down", "name_server_hang")


def leaderless(scenario: Scenario, draw: Draw) -> list[Span]:
    """Stretches of time in which nobody can be elected, in order; `draw` gives the chances of the controllers.

    A fault of the one that leads strikes who does so as it begins, or did last.
    """
    down = [(period.at_us, period.until_us, number) for period, number in _absences(scenario)]
    if not down:
        return []
    count = scenario.controllers.count
    leader, found, since_us = 1 + draw(0, count), list[Span](), -1
    edges = sorted({us for at_us, until_us, _ in down for us in (at_us, until_us)})
    for at_us, next_us in zip(edges, [*edges[1:], scenario.duration_us], strict=True):
        down = [(a, b, leader if own == LEADER and a == at_us else own) for a, b, own in down]
        there = [n for n in range(1, count + 1) if not any(a <= at_us < b and n == own for a, b, own in down)]
        can_lead, had_majority = 2 * len(there) > count, since_us < 0
        if (leader not in there or not can_lead) and since_us < 0:
            since_us = at_us
        if not can_lead or since_us < 0:
            continue
        elects_us = _jraft_elects_us if scenario.controllers.is_jraft else _dledger_elects_us
        elected_us = at_us + elects_us(draw, len(there), had_majority and count > 1)
        if elected_us < next_us or next_us >= scenario.duration_us:
            found.append((since_us, elected_us))
            leader, since_us = there[draw(0, len(there))], -1
    return [*found, (since_us, scenario.duration_us)] if since_us >= 0 else found


def _dledger_elects_us(draw: Draw, there: int, lost_leader: bool) -> int:
    """How long a group of DLedger needs for a leader; in the first vote of several each votes for itself."""
    notices_us = BEAT_US * LEAK - draw(0, BEAT_US) if lost_leader else 0
    return notices_us + sum(draw(*VOTE_US) for _ in range(1 if there == 1 else 2))


def _jraft_elects_us(draw: Draw, there: int, lost_leader: bool) -> int:
    """How long a group of JRaft needs: until the first of those that are there looks, and votes."""
    looks_us = min(draw(0, draw(JRAFT_TIMEOUT_US, 2 * JRAFT_TIMEOUT_US)) for _ in range(there)) if there > 1 else 0
    return (JRAFT_TIMEOUT_US if lost_leader else 0) + looks_us + draw(*JRAFT_VOTE_US)


def _absences(scenario: Scenario) -> Iterator[tuple[FaultPeriod, int]]:
    """When each controller (or LEADER) does not answer: embedded ones go with the name servers of their numbers."""
    kinds = ("controller_down", *(WITH_NAME_SERVERS if scenario.controllers.embedded else ()))
    for period in scenario.fault_periods():
        if period.kind in kinds:
            numbers = [period.value] if period.value else range(1, scenario.controllers.count + 1)
            yield from ((period, number) for number in numbers if number <= scenario.controllers.count)


def led_from(gaps: Sequence[Span], at_us: int) -> int:
    """The first moment from then on at which a controller leads."""
    return next((until_us for from_us, until_us in gaps if from_us <= at_us < until_us), at_us)
