"""What a fault period does: periods in the brokers' tables, outages towards the name servers, changes of routes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from simulator.engine.memory import periods_table as tables
from simulator.engine.memory.periods_table import ADDED, ANSWER, DOWN, LATE, LINK, LOSS, SLAVE, SPEED, STALL
from simulator.plan.name_server import CLOSED, LOST, SILENT, STOPPED, Outage
from simulator.scenario import FaultPeriod

RAMP_STEPS = 20
PPM = 1_000_000
ROUTE_TIMEOUT_US = 3_000_000  # of a request for a route: mqClientApiTimeout, before a constant of MQClientInstance


@dataclass(frozen=True)
class TablePeriod:
    """A value of one table in [at_us, until_us); `group` limits a table of links to one group of producers."""

    at_us: int
    until_us: int
    broker: str
    table: int
    value: int
    group: str = ""


@dataclass(frozen=True)
class Away:
    """The broker cannot register; its slaves go on registering unless `with_slaves`."""

    broker: str
    outage: Outage
    with_slaves: bool = False
    name_server: int = 0  # its number, if it cannot register with that one alone
    slave_stays: bool = False  # a slave does, whatever the scenario says of slaves


@dataclass(frozen=True)
class Joins:
    """The broker is not there before `at_us`."""

    broker: str
    at_us: int


@dataclass(frozen=True)
class RouteChange:
    """What a broker announces otherwise in [at_us, until_us), of one topic or ("") of all."""

    at_us: int
    until_us: int
    broker: str
    topic: str = ""
    read_only: bool = False
    queues: int = 0


@dataclass(frozen=True)
class NameServerDown:
    """Name server `number` (from 1) is down in [at_us, until_us)."""

    at_us: int
    until_us: int
    number: int


@dataclass(frozen=True)
class NameServerSilent:
    """No request to name server `number` is answered in time; of `group` or `instance` where only theirs are meant.

    Those of the last `waits_us` are answered as it goes on.
    """

    at_us: int
    until_us: int
    number: int
    group: str = ""
    instance: str = ""
    waits_us: int = 0


@dataclass(frozen=True)
class NameServerSlow:
    """Name server `number` takes `delay_us` for an answer."""

    at_us: int
    until_us: int
    number: int
    delay_us: int


@dataclass(frozen=True)
class NamesMaster:
    """Name servers name a machine, from 0, as the master of a replica set in [at_us, until_us)."""

    broker: str
    at_us: int
    until_us: int
    machine: int


@dataclass(frozen=True)
class NamesSlaves:
    """Name servers name no master of a replica set in [at_us, until_us): the machine, from 0, is their smallest id."""

    broker: str
    at_us: int
    until_us: int
    machine: int


@dataclass(frozen=True)
class HoldsRole:
    """A machine is the master of a replica set in [at_us, until_us), and what the others are: fields of Replica."""

    broker: str
    at_us: int
    until_us: int
    machine: int
    others: int


OfNameServer = NameServerDown | NameServerSilent | NameServerSlow
Effect = TablePeriod | Away | Joins | RouteChange | OfNameServer | NamesMaster | NamesSlaves | HoldsRole
Latencies = Mapping[str, int]  # canonical text of an added distribution -> its number


def _table(p: FaultPeriod, table: int, value: int) -> TablePeriod:
    return TablePeriod(p.at_us, p.until_us, p.broker, table, value, p.producers)


def _away(p: FaultPeriod, how: str, with_slaves: bool = False) -> Away:
    return Away(p.broker, Outage(p.at_us, p.until_us, how), with_slaves)


def _ramped(p: FaultPeriod, table: int, value_at: Callable[[int], int]) -> Iterator[TablePeriod]:
    """A value that grows in steps over the ramp; `value_at` takes the part of it in parts per million."""
    ramp_us = int(p.details.get("ramp_us", 0))
    steps = min(RAMP_STEPS, ramp_us)
    edges = [p.at_us + ramp_us * i // steps for i in range(steps)] if steps else []
    for i, at_us in enumerate(edges):
        until_us = min(p.until_us, edges[i + 1] if i + 1 < steps else p.at_us + ramp_us)
        if at_us < until_us:
            yield TablePeriod(at_us, until_us, p.broker, table, value_at(PPM * (2 * i + 1) // (2 * steps)), p.producers)
    if p.at_us + ramp_us < p.until_us:
        yield TablePeriod(p.at_us + ramp_us, p.until_us, p.broker, table, value_at(PPM), p.producers)


def _hang(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    yield _table(p, SPEED, 0)
    yield _away(p, STOPPED)


def _slow(p: FaultPeriod, latencies: Latencies) -> Iterator[Effect]:
    if "latency" in p.details:
        number = latencies[latency_text(p)]
        yield from _ramped(p, ADDED, lambda part: number * tables.ADDED_SCALE + part)
    else:
        yield from _ramped(p, SPEED, lambda part: PPM + (p.value - PPM) * part // PPM)


def _down(value: int, how: str) -> Callable[[FaultPeriod, Latencies], Iterator[Effect]]:
    def effects(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
        yield _table(p, DOWN, value)
        yield _away(p, how)

    return effects


def _kill(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    gone_us = min(p.at_us + int(p.details.get("dying_us", 0)), p.until_us)
    if p.at_us < gone_us:
        yield _table(p._replace(until_us=gone_us), SPEED, 0)
    if gone_us < p.until_us:
        gone = p._replace(at_us=gone_us)
        yield _table(gone, DOWN, tables.DOWN_KILL)
        yield _away(gone, CLOSED)


def _restart(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    yield _table(p, DOWN, tables.DOWN_GRACEFUL if p.details.get("graceful", True) else tables.DOWN_KILL)
    yield _away(p, CLOSED)


def _silent_death(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    yield _table(p, LINK, tables.LINK_CUT)
    yield _away(p, SILENT)


def _partition(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    yield _table(p, LINK, tables.LINK_CUT)


def _packet_loss(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    rto_us = int(p.details["rto_us"])
    yield from _ramped(p, LOSS, lambda part: rto_us * tables.LOSS_RTO + p.value * part // PPM)


def _slow_link(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    ways = p.details.get("ways", "answers")
    if ways != "requests":
        yield from _ramped(p, LINK, lambda part: p.value * part // PPM)
    if ways != "answers":
        yield from _ramped(p, LATE, lambda part: p.value * part // PPM)


def _answer(answer: int) -> Callable[[FaultPeriod, Latencies], Iterator[Effect]]:
    def effects(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
        yield _table(p, ANSWER, answer | p.value)

    return effects


def _value(table: int, value: int) -> Callable[[FaultPeriod, Latencies], Iterator[Effect]]:
    def effects(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
        yield _table(p, table, value)

    return effects


def _master_lost(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    yield _table(p, DOWN, tables.DOWN_KILL)
    yield Away(p.broker, Outage(p.at_us, p.until_us, CLOSED), slave_stays=True)


def _read_only(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    yield RouteChange(p.at_us, p.until_us, p.broker, p.details.get("topic", ""), read_only=True)


def _queues(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    yield RouteChange(p.at_us, p.until_us, p.broker, p.details["topic"], queues=p.value)


def lag_value(copied_bytes_per_s: int) -> int:
    """The value of slaves that lag and still copy so many bytes a second."""
    return tables.SLAVE_LAG + tables.SLAVE_RATE * copied_bytes_per_s


def _slave_lag(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    yield _table(p, SLAVE, lag_value(int(p.details.get("copied_bytes_per_s", 0))))


def _scale_out(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    yield Joins(p.broker, p.at_us)


def _scale_in(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    yield RouteChange(p.at_us, p.until_us, p.broker, read_only=True)
    drained_us = p.at_us + int(p.details["drain_us"])
    if drained_us < p.until_us:
        gone = p._replace(at_us=drained_us)
        yield _table(gone, DOWN, tables.DOWN_GRACEFUL)
        yield _away(gone, CLOSED, with_slaves=True)


def _name_server_down(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    yield NameServerDown(p.at_us, p.until_us, p.value)


def _name_server_hang(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    yield NameServerSilent(p.at_us, p.until_us, p.value, waits_us=ROUTE_TIMEOUT_US)


def _name_server_slow(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    delay_us = int(p.details["delay_us"])
    if delay_us < ROUTE_TIMEOUT_US:
        yield NameServerSlow(p.at_us, p.until_us, p.value, delay_us)
    else:
        yield NameServerSilent(p.at_us, p.until_us, p.value)


def _name_server_cut(p: FaultPeriod, _: Latencies) -> Iterator[Effect]:
    if "cut_broker" in p.details:
        yield Away(p.details["cut_broker"], Outage(p.at_us, p.until_us, SILENT), name_server=p.value)
    else:
        yield NameServerSilent(p.at_us, p.until_us, p.value, p.producers, p.details.get("cut_consumer", ""))


EFFECTS: dict[str, Callable[[FaultPeriod, Latencies], Iterator[Effect]]] = {
    "hang": _hang,
    "pause": _hang,
    "slow": _slow,
    "disk_stall": _value(STALL, 1),
    "kill": _kill,
    "restart": _restart,
    "rolling_restart": _restart,
    "silent_death": _silent_death,
    "power_loss": _down(tables.DOWN_POWER, LOST),
    "disk_loss": _down(tables.DOWN_DISK, LOST),
    "partition": _partition,
    "packet_loss": _packet_loss,
    "slow_link": _slow_link,
    "refuse": _answer(tables.ANSWER_REFUSE),
    "code": _answer(tables.ANSWER_CODE),
    "status": _answer(tables.ANSWER_STATUS),
    "master_lost": _master_lost,
    "slave_lost": _value(SLAVE, tables.SLAVE_AWAY),
    "slave_lag": _slave_lag,
    "wipe_permission": _read_only,
    "read_only": _read_only,
    "queues": _queues,
    "scale_out": _scale_out,
    "scale_in": _scale_in,
    "name_server_down": _name_server_down,
    "name_server_hang": _name_server_hang,
    "name_server_slow": _name_server_slow,
    "name_server_cut": _name_server_cut,
    "controller_down": lambda _, __: iter(()),  # nothing by itself: see plan/failover
}


def latency_text(period: FaultPeriod) -> str:
    """What names the added distribution of a slow period."""
    return str(sorted(period.details["latency"].items()))


def effects_of(period: FaultPeriod, latencies: Latencies) -> Iterator[Effect]:
    """Everything that one fault period does to brokers, links and name servers."""
    if not {"consumer", "producer", "proxy"}.isdisjoint(period.details):
        return iter(())
    return EFFECTS[period.kind](period, latencies)
