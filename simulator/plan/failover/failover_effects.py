"""What the history of a replica set means to clients: its row in the loop is whichever machine is the master.

Between two epochs nobody serves. Who still has the address of an old master meets that machine (HoldsRole); what the
next one has not copied as the old one goes is gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, pairwise

from simulator.codes import SERVICE_NOT_AVAILABLE, SYSTEM_BUSY, SYSTEM_ERROR
from simulator.consumer.links.cut_links import LINK_BITS
from simulator.consumer.links.reaching import LINK_CUT, LINK_REFUSED
from simulator.consumer.memory.consumer_settings import EPOCH_BEGINS, MASTER_LEFT
from simulator.engine.memory import periods_table as tables
from simulator.engine.memory.replica import IS_FROZEN, IS_GONE, IS_SLAVE, STATE_BITS
from simulator.kernel.randomness import ELECTION, drawn
from simulator.plan.effects import (
    Effect,
    HoldsRole,
    Latencies,
    NamesMaster,
    NamesSlaves,
    TablePeriod,
    effects_of,
    lag_value,
)
from simulator.plan.failover.controller import Control, controller_history
from simulator.plan.failover.controller_life import leaderless
from simulator.plan.failover.dledger import dledger_history
from simulator.plan.failover.planned_election import PlannedElection
from simulator.plan.failover.set_history import (
    FOREVER_US,
    OF_SLAVES,
    STRIKES,
    Draw,
    Epoch,
    MachineGone,
    SetHistory,
    undisturbed,
)
from simulator.plan.failover.slow_copying import behind, copied_per_s, copying, flow_control, stored_by
from simulator.plan.faults.process_life import ActionRow
from simulator.scenario import Broker, FaultPeriod, Scenario
from simulator.scenario.brokers.replica_set import CONTROLLER

OF_CONTROLLERS = 1 << 20  # their chances, behind those of all sets
CLOSED_PER_S = 1_000  # of a producer that sends as fast as it is answered: always something between two heartbeats
COUNT_BITS = 32  # of the chances of one set

Histories = Mapping[str, SetHistory]  # by broker


def set_histories(scenario: Scenario) -> Histories:
    """The history of each broker whose master is elected."""
    if not any(broker.is_elected for broker in scenario.brokers.values()):
        return {}
    periods, found, control = scenario.fault_periods(), dict[str, SetHistory](), set_control(scenario)
    struck = {period.broker for period in periods}
    for number, (name, broker) in enumerate(scenario.brokers.items()):
        if not broker.is_elected:
            continue
        faults, stored = copying(scenario, name, _faults(periods, name))
        if name not in struck and not faults:
            found[name] = undisturbed(broker.replicas)
            continue
        chances = _chances(scenario.seed, number)
        own = replace(control, stored=stored, sent_per_s=broker.copied_bytes_per_s)
        if broker.mode == CONTROLLER:
            found[name] = controller_history(broker, faults, chances, own)
        else:
            found[name] = dledger_history(broker, faults, chances, scenario.duration_us)
    return found


def set_control(scenario: Scenario) -> Control:
    """What the controllers do, and how much each set stores."""
    own = scenario.controllers
    sent_per_s = sum(float(group.rate_per_s or CLOSED_PER_S) * group.count for group in scenario.producers)
    rules = own.rules(scenario.name_servers.release)
    scans_us = [own.scan_not_active_broker_interval_us]
    if rules.scans_inactive_masters and not own.is_jraft:
        scans_us.append(own.scan_inactive_master_interval_us)
    gaps = leaderless(scenario, _chances(scenario.seed, OF_CONTROLLERS))
    return Control(scans_us, gaps, sent_per_s / len(scenario.brokers), scenario.duration_us, rules, own.is_jraft)


def _chances(seed: int, number: int) -> Draw:
    """The chances of one set: the same for the same faults."""
    keys = count(number << COUNT_BITS)
    return lambda low, high: low + drawn(seed, ELECTION, next(keys), high - low)


def _faults(periods: Iterable[FaultPeriod], name: str) -> Sequence[FaultPeriod]:
    """Those of a set, of the faults of a scenario."""
    own = [p for p in periods if p.broker == name and (p.kind in STRIKES or p.kind in OF_SLAVES)]
    return sorted(own, key=lambda period: (period.at_us, period.until_us))


def all_effects(scenario: Scenario, latencies: Latencies, histories: Histories) -> list[Effect]:
    """Everything that the faults of a scenario do to brokers, links and name servers; `histories`: of its sets."""
    effects = list[Effect]()
    for period in scenario.fault_periods():
        is_of_set = period.broker in histories and (period.kind in STRIKES or period.kind in OF_SLAVES)
        if not is_of_set or "consumer" in period.details:
            effects += effects_of(period, latencies)
    for name, history in histories.items():
        effects += _effects(scenario, name, history, latencies)
    return effects


def _effects(scenario: Scenario, name: str, history: SetHistory, latencies: Latencies) -> Iterator[Effect]:
    epochs = history.epochs
    if not history.is_struck:
        yield NamesMaster(name, 0, FOREVER_US, 0)
        return
    yield from _short_hangs(scenario, name, history, latencies)
    followers = [*epochs[1:], None]
    for epoch, following in zip(epochs, followers, strict=True):
        yield NamesMaster(name, epoch.listed_us, epoch.delisted_us, epoch.machine - 1)
        if epoch.end is not None:
            next_us = FOREVER_US if following is None else following.begins_us
            if following is not None and following.machine != epoch.machine:
                yield TablePeriod(epoch.ends_us, next_us, name, tables.DOWN, _how(epoch.end))
            elif epoch.end.how == IS_SLAVE:
                value = tables.ANSWER_CODE | _slave_code(scenario, name)
                yield TablePeriod(epoch.ends_us, next_us, name, tables.ANSWER, value)
            else:
                yield from _of_itself(scenario, name, epoch.ends_us, next_us, latencies)
        if following is not None:
            yield from _other_machines(name, history, following)
        yield from _first_slaves(name, history, epoch, FOREVER_US if following is None else following.listed_us)
    yield from _copying(scenario, name, history)
    least = scenario.brokers[name].min_in_sync_replicas
    for (at_us, members), until_us in _until(history.sync):
        if len(members) < least and at_us < until_us:
            yield TablePeriod(at_us, until_us, name, tables.ANSWER, tables.ANSWER_CODE | SYSTEM_ERROR)


def _until(steps: Sequence[tuple[int, frozenset[int]]]) -> Iterator[tuple[tuple[int, frozenset[int]], int]]:
    """Each step with when the next one comes."""
    ends_us = [*(at_us for at_us, _ in steps[1:]), FOREVER_US]
    yield from zip(steps, ends_us, strict=True)


def _how(end: MachineGone) -> int:
    if end.how in (IS_GONE, IS_SLAVE):
        return tables.DOWN_GRACEFUL if end.graceful else tables.DOWN_TAKEN
    return tables.DOWN_FROZEN if end.how == IS_FROZEN else tables.DOWN_MUTE


def _slave_code(scenario: Scenario, name: str) -> int:
    """How a machine answers a put that leads no more."""
    return SYSTEM_BUSY if scenario.brokers[name].rules.slave_rejects else SERVICE_NOT_AVAILABLE


def _of_itself(scenario: Scenario, name: str, at_us: int, until_us: int, latencies: Latencies) -> Iterator[Effect]:
    """What the fault that began then does to its machine while nobody takes over from it: that has all it had."""
    for period in _faults(scenario.fault_periods(), name):
        if period.kind in STRIKES and period.at_us == at_us:
            own = effects_of(period._replace(until_us=until_us), latencies)
            yield from (effect for effect in own if isinstance(effect, TablePeriod))


def _short_hangs(scenario: Scenario, name: str, history: SetHistory, latencies: Latencies) -> Iterator[Effect]:
    """A master that answers again before anybody has missed it has stood still, or was cut off, and no more."""
    for absence in history.absences:
        for epoch in history.epochs:
            if epoch.machine == absence.machine and epoch.begins_us <= absence.at_us < epoch.ends_us:
                until_us = min(absence.until_us, epoch.ends_us)
                yield from _of_itself(scenario, name, absence.at_us, until_us, latencies)


def _other_machines(name: str, history: SetHistory, epoch: Epoch) -> Iterator[Effect]:
    """Who is master while an epoch lasts, and what the other machines are."""
    edges = {epoch.begins_us, epoch.ends_us}
    for absence in history.absences:
        edges |= {at_us for at_us in (absence.at_us, absence.until_us) if epoch.begins_us < at_us < epoch.ends_us}
    for at_us, until_us in pairwise(sorted(edges)):
        others = 0
        for machine in range(1, history.replicas + 1):
            state = history.state_of(machine, at_us)
            if machine != epoch.machine:
                others |= (IS_SLAVE if state is None else state) << STATE_BITS * (machine - 1)
        yield HoldsRole(name, at_us, until_us, epoch.machine, others)


def _first_slaves(name: str, history: SetHistory, epoch: Epoch, until_us: int) -> Iterator[Effect]:
    """Which machine has the smallest id while name servers name no master after an epoch.

    They list whose connection is open; who starts meanwhile does not register before there is a master.
    """
    gone = [one for one in history.absences if one.how == IS_GONE and one.until_us > epoch.ends_us]
    edges = {epoch.delisted_us, *(one.at_us for one in gone if epoch.delisted_us < one.at_us < until_us), until_us}
    for at_us, next_us in pairwise(sorted(edges)):
        away = {epoch.machine, *(one.machine for one in gone if one.at_us <= at_us)}
        first = min(set(range(1, history.replicas + 1)) - away, default=0)
        if first and at_us < until_us:
            yield NamesSlaves(name, at_us, next_us, first - 1)


def _copying(scenario: Scenario, name: str, history: SetHistory) -> Iterator[Effect]:
    """While the master is alone nobody copies, unless slowly; while slaves lag they copy later."""
    own = [period for period in _faults(scenario.fault_periods(), name) if period.kind in OF_SLAVES]
    waits = scenario.brokers[name].all_ack_in_sync_state_set  # for nobody who is not in the sync set
    slow = [] if waits else [period for period in own if copied_per_s(period)]
    flow = flow_control(scenario, name)
    if flow:
        slow += behind(flow, stored_by(scenario, name))
    for (at_us, members), until_us in _until(history.sync):
        if flow:  # slaves that are back, or lag no more, are sent what they lack until they join
            ends = [period.until_us for period in own if period.at_us < until_us and at_us < period.until_us < until_us]
            if ends and waits:
                yield TablePeriod(max(ends), until_us, name, tables.SLAVE, tables.SLAVE_APART)
            until_us = max(ends, default=until_us)
        edges = {at_us, until_us, *(us for period in slow for us in (period.at_us, period.until_us))}
        for from_us, to_us in pairwise(sorted(us for us in edges if len(members) == 1 and at_us <= us <= until_us)):
            if not any(period.at_us <= from_us < period.until_us for period in slow):
                yield TablePeriod(from_us, to_us, name, tables.SLAVE, tables.SLAVE_AWAY)
    for period in own:
        if period.value == 0:
            value = lag_value(copied_per_s(period))
            yield TablePeriod(period.at_us, period.until_us, name, tables.SLAVE, value)
    single = [period for period in own if period.value]
    if single:
        yield from _missed(single, scenario.brokers[name], name, history)


def _missed(single: Sequence[FaultPeriod], broker: Broker, name: str, history: SetHistory) -> Iterator[Effect]:
    """When so many single slaves lag that a message waits for one of them, or that one of them becomes the master."""
    edges = {us for period in single for us in (period.at_us, period.until_us)}
    edges |= {us for epoch in history.epochs for us in (epoch.begins_us, epoch.ends_us)}
    edges |= {at_us for at_us, _ in history.sync}
    for at_us, until_us in pairwise(sorted(edges)):
        epoch = [one for one in history.epochs if one.begins_us <= at_us][-1]
        own = [one for one in single if one.at_us <= at_us < one.until_us and one.value != epoch.machine]
        copied = {one.value: min(copied_per_s(other) for other in own if other.value == one.value) for one in own}
        following = next((one.machine for one in history.epochs if one.begins_us > at_us), 0)
        decisive = [copied[following]] if following in copied else []
        if broker.all_ack_in_sync_state_set:
            members = [members for from_us, members in history.sync if from_us <= at_us][-1]
            decisive += [per_s for machine, per_s in copied.items() if machine in members]
        else:
            first = max(broker.acks, 1) - (broker.slaves - len(copied)) - 1
            decisive += sorted(copied.values(), reverse=True)[first : first + 1] if first >= 0 else []
        if decisive:
            yield TablePeriod(at_us, until_us, name, tables.SLAVE, lag_value(min(decisive)))


def planned_elections(scenario: Scenario, histories: Histories) -> list[PlannedElection]:
    """Every election of the scenario's sets, in order of time."""
    brokers, found = list(scenario.brokers), list[PlannedElection]()
    for name, history in histories.items():
        named_us = {epoch.begins_us: epoch.listed_us for epoch in history.epochs}
        for one in history.elections:
            if one.at_us < scenario.duration_us:
                gone_us = _without_master_since(history, one.at_us)
                members = ",".join(map(str, one.sync))
                own = brokers.index(name), one.machine, one.epoch, members, one.why, gone_us
                found.append(PlannedElection(one.at_us, *own, named_us.get(one.at_us, 0)))
    return sorted(found)


def _without_master_since(history: SetHistory, at_us: int) -> int:
    """Since when the master was gone whose place an election at that moment is about; it may come back as master."""
    last = [epoch for epoch in history.epochs if epoch.begins_us < at_us][-1]
    if last.ends_us <= at_us:
        return last.ends_us
    return max(one.at_us for one in history.absences if one.machine == last.machine and one.at_us <= at_us)


def takeover_actions(scenario: Scenario, histories: Histories) -> Iterator[ActionRow]:
    """Rows of MachineAction: instances lose the old master, and a slave becomes the new one."""
    brokers = list(scenario.brokers)
    for name, history in histories.items():
        place = brokers.index(name)
        for before, epoch in pairwise(history.epochs):
            assert before.end is not None
            if before.machine != epoch.machine:
                is_gone = before.end.how in (IS_GONE, IS_SLAVE)
                value = epoch.machine - 1 << LINK_BITS | (LINK_REFUSED if is_gone else LINK_CUT)
                yield epoch.begins_us if is_gone else before.ends_us, MASTER_LEFT, place, value
                yield epoch.begins_us, EPOCH_BEGINS, place, 0
