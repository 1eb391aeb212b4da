"""Replay of `send-*.jsonl`: every message through the client's rules, everything recorded compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulator import codes
from simulator.client.sending import send_loop
from simulator.client.view import NO_BROKER
from streaming.golden.golden_producer import ProducerReplay, Sent, status_name
from streaming.golden.golden_transport import OUTCOMES


class SendReplay(ProducerReplay):
    """One send case on one client."""

    def _not_found(self) -> list[Any]:
        return ["MQClientException", codes.NOT_FOUND_TOPIC_EXCEPTION]

    def _send_default(self, sent: Sent, selects: Sequence[Sequence[Any]]) -> list[Any]:
        case, client = self._case, self._client
        last = NO_BROKER
        attempts = 1 + case["rt"]
        while sent.made < attempts and not sent.thrown:
            last, queue_id = self._choose(sent, last, int(sent.made > 0 and client.has_reset_index), selects)
            elapsed_ms = self._now_ms - sent.began_ms
            if client.over_budget(case["to"], elapsed_ms):
                sent.is_over_budget = True
                break
            limit_ms = -1 if case["mp"] is None else case["mp"]
            timeout_ms = client.attempt_timeout(case["to"], elapsed_ms, limit_ms, int(sent.made == attempts))
            if self._attempt(sent, last, queue_id, timeout_ms) == codes.RETURN:
                break
        return self._final(sent)

    def _attempt(self, sent: Sent, broker: int, queue_id: int, timeout_ms: int) -> int:
        client, began_ms = self._client, self._now_ms
        if self._has_master(sent, broker):
            sent.outcome, sent.code, took_ms = self._cluster.attempt(broker, began_ms, timeout_ms)
            begin, end = began_ms - sent.began_ms, began_ms - sent.began_ms + took_ms
            name = OUTCOMES[sent.outcome].format(sent.code)
            sent.attempts.append([broker, queue_id, begin, end, timeout_ms, name])
            self._advance(began_ms + took_ms)
        else:
            sent.outcome, sent.code = codes.NO_MASTER, codes.NO_CODE
        isolation = int(client.is_isolated(sent.outcome))
        reachable = int(client.is_reachable(sent.outcome, self._case["det"]))
        self._update(sent, broker, self._now_ms - began_ms, isolation, reachable)
        if sent.outcome in (codes.SEND_OK, codes.SEND_STATUS):
            sent.send_result = [status_name(sent.outcome, sent.code), broker, queue_id]
        is_retryable = int(sent.code in client.retry_codes)
        after: int = client.after_attempt(sent.outcome, sent.code, is_retryable, self._case["ns"])
        sent.thrown = after == codes.THROW
        return after

    def _final(self, sent: Sent) -> list[Any]:
        final = send_loop.final_result(int(sent.send_result is not None), int(sent.thrown), int(sent.is_over_budget))
        if final == send_loop.FINAL_SEND_RESULT:
            return sent.send_result or []
        if final == send_loop.FINAL_BROKER_EXCEPTION:
            return ["MQBrokerException", sent.code]
        if final == send_loop.FINAL_TOO_MUCH_REQUEST:
            return ["RemotingTooMuchRequestException", None]
        return ["MQClientException", int(send_loop.final_code(sent.outcome, sent.code))]
