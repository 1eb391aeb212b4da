"""Every period of trouble that the attempts show, of all brokers."""

from __future__ import annotations

from dataclasses import replace

from simulator.calibrate.absences import hidden_waits, with_absences
from simulator.calibrate.attempts import TraceAttempts
from simulator.calibrate.calibrate_texts import EvidenceTexts
from simulator.calibrate.error_answers import error_answers
from simulator.calibrate.found_fault import KILL, FoundFault
from simulator.calibrate.silences import silences
from simulator.calibrate.slow_spells import outside_of_slowness, slow_spells
from simulator.releases.producer_release import CLIENTS
from simulator.scenario.client_settings import ClientSettings
from state.texts import joined


def find_troubles(attempts: TraceAttempts, client: ClientSettings | None) -> list[FoundFault]:
    """The findings of every broker, by begin; `client`: what is known of it, None if nothing is."""
    found: list[FoundFault] = []
    waits = hidden_waits(attempts) if attempts.answered_only else None
    for broker in range(len(attempts.brokers)):
        silent = list(silences(attempts, broker))
        if waits is not None:
            silent = with_absences(attempts, broker, waits, silent)
        silent = [_narrowed(finding, client, attempts.duration_us) for finding in silent]
        slow = list(slow_spells(attempts, broker, silent))
        found += [*outside_of_slowness(silent, slow), *slow, *error_answers(attempts, broker)]
    return sorted(found, key=lambda finding: (finding.at_us, finding.broker, finding.kind, finding.until_us))


def _narrowed(finding: FoundFault, client: ClientSettings | None, duration_us: int) -> FoundFault:
    """A kill whose end nobody tried, with what the silence after it says.

    A producer comes back to a broker in its route as soon as its isolation is over. One that stays away for longer has
    no such broker: a name server drops a killed broker at once, and producers hear of its return at their next poll.
    """
    if finding.kind != KILL or client is None:
        return finding
    earliest, latest = finding.until_range_us
    poll_us = client.poll_name_server_interval_ms * 1000
    absent_us = latest - earliest
    if absent_us <= isolation_us(client) + poll_us:
        return finding
    earliest = latest - poll_us
    was = EvidenceTexts.IN_NO_ROUTE if latest < duration_us else EvidenceTexts.IN_NO_ROUTE_AT_END
    text = joined("; ", [finding.evidence, was(absent=f"{absent_us / 1e6:.0f}")])
    until = (earliest + latest) // 2 if latest < duration_us else latest
    return replace(finding, until_us=until, until_range_us=(earliest, latest), evidence=text)


def isolation_us(client: ClientSettings) -> int:
    """How long the client avoids a broker that it could not reach; 0 with the strategy off."""
    if not client.send_latency_fault_enable:
        return 0
    charged_ms = CLIENTS[client.release].isolation_ms
    return max((ms for most, ms in zip(*client.penalty_tables_ms, strict=True) if charged_ms >= most), default=0) * 1000
