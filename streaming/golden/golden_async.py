"""Replay of `async-*.jsonl`: every asynchronous message through the client's rules, everything recorded compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from simulator import codes
from simulator.client.sending.async_send import CHARGED_BEFORE, CHARGED_NOBODY
from simulator.client.view import NO_BROKER
from streaming.golden.golden_producer import ProducerReplay, Sent, status_name
from streaming.golden.golden_transport import OUTCOMES


@dataclass
class Call:
    """One call of the transport."""

    broker: int
    before: int  # broker of the call before it
    number: int  # from 1
    timeout_ms: int
    began_ms: int
    outcome: int = codes.NO_MASTER
    code: int = codes.NO_CODE
    connect_ms: int = 0
    took_ms: int = 0
    is_thrown: int = 1


class AsyncReplay(ProducerReplay):
    """One asynchronous case on one client; a message is over before the next one starts."""

    def _not_found(self) -> list[Any]:
        exception = ["MQClientException", codes.NOT_FOUND_TOPIC_EXCEPTION]
        return [["throw" if self._client.throws_to_caller else "ex", *exception]]

    def _send_default(self, sent: Sent, selects: Sequence[Sequence[Any]]) -> list[Any]:
        client, case = self._client, self._case
        broker, queue_id = self._choose(sent, NO_BROKER, 0, selects)
        limit_ms = -1 if case["mp"] is None else case["mp"]
        timeout_ms = client.attempt_timeout(case["to"], self._now_ms - sent.began_ms, limit_ms, 1)
        call = Call(broker, NO_BROKER, 1, timeout_ms, self._now_ms)
        result: list[Any] | None = None
        if self._has_master(sent, broker):
            self._make(sent, call, queue_id)
        first = call
        # What the first call throws is dealt with, retries included, before the call returns.
        while call.is_thrown and result is None:
            call, result = self._end(sent, call, queue_id, selects)
        if client.hands_over(first.outcome, first.is_thrown):
            self._update(sent, first.broker, self._now_ms - first.began_ms, 0, 1)
        while result is None:
            call, result = self._end(sent, call, queue_id, selects)
        return [result]

    def _make(self, sent: Sent, call: Call, queue_id: int) -> None:
        """Call the transport; what takes time on the calling thread has passed when it returns."""
        client, began_ms = self._client, call.began_ms
        call.outcome, call.code, call.connect_ms, call.took_ms = self._cluster.call(
            call.broker, began_ms, call.timeout_ms
        )
        call.is_thrown = client.is_thrown(call.outcome)
        begin = began_ms - sent.began_ms
        name = OUTCOMES[call.outcome].format(call.code)
        sent.attempts.append([call.broker, queue_id, begin, begin + call.took_ms, call.timeout_ms, name])
        if client.connect_blocks:
            self._advance(began_ms + call.connect_ms)

    def _end(
        self, sent: Sent, call: Call, queue_id: int, selects: Sequence[Sequence[Any]]
    ) -> tuple[Call, list[Any] | None]:
        """The end of a call: the next one, or this one and what the application is told."""
        client, outcome = self._client, call.outcome
        self._advance(call.began_ms + call.took_ms)
        self._charge(sent, call)
        rest_ms = client.retry_timeout(call.timeout_ms, call.took_ms, call.is_thrown)
        after = client.after_async(outcome, call.is_thrown, call.number, 1 + self._case["rt"], rest_ms)
        if after == codes.RETURN:
            return call, ["ok", status_name(outcome, call.code), call.broker, queue_id]
        if after == codes.THROW:
            return call, self._exception(call)
        broker, _ = self._choose(sent, call.broker, 0, selects)
        retry = Call(broker, call.broker, call.number + 1, rest_ms, self._now_ms)
        self._make(sent, retry, queue_id)
        return retry, None

    def _charge(self, sent: Sent, call: Call) -> None:
        client = self._client
        charged = client.async_charged(call.outcome, call.is_thrown, call.number)
        if charged == CHARGED_NOBODY:
            return
        since_connected_ms = call.took_ms - call.connect_ms
        latency_ms = client.async_latency(call.is_thrown, call.number, call.took_ms, since_connected_ms)
        isolation = int(client.is_isolated(call.outcome))
        reachable = int(client.async_reachable(call.outcome, call.is_thrown))
        broker = call.before if charged == CHARGED_BEFORE else call.broker
        self._update(sent, broker, int(latency_ms), isolation, reachable)

    def _exception(self, call: Call) -> list[Any]:
        client = self._client
        named = int(client.async_exception(call.outcome, call.is_thrown, call.number))
        code = int(client.async_code(call.outcome, call.code, call.is_thrown, call.number))
        is_remoting = named not in (codes.BROKER_ERROR, codes.NO_MASTER)
        how = "throw" if client.throws_to_caller and call.is_thrown and call.number == 1 else "ex"
        return [how, codes.OUTCOME_NAMES[named], None if is_remoting else code]
