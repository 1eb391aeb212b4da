"""What the application got of a message, as it is recorded."""

from __future__ import annotations

from typing import Any

from simulator import codes
from simulator.engine.memory.output import SendRow
from simulator.releases.producer_release import Client

STATUS_NAMES = {code: name for name, code in codes.SEND_STATUS_CODES.items()}


def status_name(outcome: int, code: int) -> str:
    """SendStatus of a stored message."""
    return "SEND_OK" if outcome == codes.SEND_OK else STATUS_NAMES[code]


def sync_result(ended: SendRow) -> list[Any]:
    """[SendStatus, broker, queue id], or [exception, response code or None]."""
    result, code = int(ended.result), int(ended.code)
    if result in (codes.SEND_OK, codes.SEND_STATUS):
        return [status_name(result, code), int(ended.broker), int(ended.queue_id)]
    return [codes.OUTCOME_NAMES[result], None if result == codes.TOO_MUCH_REQUEST else code]


def async_result(client: Client, ended: SendRow, outcome: int) -> list[Any]:
    """["ok", SendStatus, broker, queue id], or ["ex" to the callback or "throw" to the caller, exception, code].

    outcome: of the last attempt.
    """
    result, code = int(ended.result), int(ended.code)
    if result in (codes.SEND_OK, codes.SEND_STATUS):
        return ["ok", status_name(result, code), int(ended.broker), int(ended.queue_id)]
    return exception_seen(client, result, code, outcome, int(ended.attempts))


def exception_seen(client: Client, result: int, code: int, outcome: int, attempts: int) -> list[Any]:
    """The exception of a message that failed after so many attempts, the last with that outcome."""
    how = "throw" if client.leaves_send(outcome, attempts) else "ex"
    return [how, codes.OUTCOME_NAMES[result], code if result in (codes.BROKER_ERROR, codes.NO_MASTER) else None]
