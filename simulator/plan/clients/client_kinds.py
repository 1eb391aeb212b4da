"""From the clients of a scenario to the settings that the event loop reads of each group's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator.client.sending.async_admission import CALLERS_THREAD
from simulator.compiled.records import Array
from simulator.compiled.region_store import filled
from simulator.engine.memory.client_kind import ClientKind
from simulator.releases.producer_release import Client
from simulator.scenario.client_settings import ClientSettings


def retry_codes(settings: Sequence[ClientSettings], clients: Sequence[Client]) -> list[list[int]]:
    """The response codes that the clients of each group retry."""
    return [
        sorted(client.retry_codes | set(own.retry_response_codes))
        for own, client in zip(settings, clients, strict=True)
    ]


def sender_count(settings: ClientSettings, client: Client) -> int:
    """Threads that send for a producer's callers, 0: the callers themselves do."""
    return 0 if client.sending_threads == CALLERS_THREAD else settings.async_sender_threads


def client_kinds(settings: Sequence[ClientSettings], clients: Sequence[Client]) -> Array:
    """Region `client_kinds`, without the rules: their addresses are those of a process."""
    codes = np.array(list(map(len, retry_codes(settings, clients))), np.int64)
    caps_ms = [own.send_msg_max_timeout_per_request_ms for own in settings]
    return filled(
        ClientKind,
        len(clients),
        strategy_on=[own.send_latency_fault_enable for own in settings],
        send_msg_timeout_ms=[own.send_msg_timeout_ms for own in settings],
        max_timeout_per_request_ms=[-1 if cap_ms is None else cap_ms for cap_ms in caps_ms],
        attempts_total=[1 + own.retry_times_when_send_failed for own in settings],
        retry_not_store_ok=[own.retry_another_broker_when_not_store_ok for own in settings],
        detector_on=[own.detects for own in settings],
        first_retry_code=np.cumsum(codes) - codes,
        retry_code_count=codes,
        name_servers_tried=[client.name_servers_tried for client in clients],
        throws_unanswered=[client.throws_unanswered for client in clients],
        connect_timeout_us=[own.connect_timeout_ms * 1000 for own in settings],
        async_attempts_total=[1 + own.retry_times_when_send_async_failed for own in settings],
        async_senders=list(map(sender_count, settings, clients)),
        connect_blocks=[client.connect_blocks for client in clients],
        back_pressure=[own.enable_backpressure_for_async_mode for own in settings],
        holds_permits=[client.holds_permits for client in clients],
        loses_number_permit=[client.loses_number_permit for client in clients],
        max_message_bytes=[own.max_message_size_bytes for own in settings],
        compress_over_bytes=[own.compress_msg_body_over_howmuch_bytes for own in settings],
        go_away_is_send_failure=[client.go_away_is_send_failure for client in clients],
        closes_on_timeout=[client.closes_on_timeout for client in clients],
        fails_fast=[client.fails_fast for client in clients],
        auto_batch=[own.auto_batch for own in settings],
        batch_max_delay_ms=[own.batch_max_delay_ms for own in settings],
        batch_max_bytes=[own.batch_max_bytes for own in settings],
        total_batch_max_bytes=[own.total_batch_max_bytes for own in settings],
    )
