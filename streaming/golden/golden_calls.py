"""Replay of one message over a stubbed channel: attempt k meets line k of the script, whichever broker it goes to."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from simulator import codes
from simulator.client.releases import Client
from simulator.client.sending import send_loop
from simulator.client.sending.async_send import CHARGED_BEFORE, CHARGED_NOBODY, REFUSED, SCAN_GRACE_MS, counted
from simulator.client.sending.send_loop import GIVEN_UP
from streaming.golden.golden_case import must_be
from streaming.golden.golden_files import Case
from streaming.golden.golden_producer import status_name

# Kinds of a line of the script: [kind, response code, after ms].
ANSWERS, SENDS_CODE, IS_SILENT, FAILS, REFUSES = range(5)
STATUS_CODES = frozenset(codes.SEND_STATUS_CODES.values())
NO_LIMIT = -1


class Calls:
    """One message of one producer; what it does to the fault table and what its caller is told."""

    def __init__(self, case: Case, client: Client) -> None:
        self._case = case
        self._client = client
        self._script: list[list[int]] = case["script"]
        self._now_ms = 0
        self._calls: list[list[int | None]] = []
        self._updates: list[list[int]] = []
        self._results: list[list[Any]] = []

    def _answer(self, line: list[int]) -> tuple[int, int]:
        _, code, _ = line
        if line[0] != SENDS_CODE:
            return codes.SEND_OK, codes.NO_CODE
        if code == codes.GO_AWAY and self._client.go_away_is_send_failure:
            return codes.SEND_FAILURE, codes.NO_CODE
        return (codes.SEND_STATUS if code in STATUS_CODES else codes.BROKER_ERROR), code

    def _update(self, attempt: int, latency_ms: int, isolation: int, reachable: int) -> None:
        client = self._client
        charged_ms = client.isolation_ms if isolation else latency_ms
        step = bisect_right(client.latency_max_ms, charged_ms)
        duration_ms = client.not_available_duration_ms[step - 1] if step else 0
        row = [self._now_ms, attempt, latency_ms, duration_ms]
        self._updates.append([*row, reachable] if client.has_detector else row)

    def _compare(self) -> None:
        case = self._case
        must_be("calls", [[None if call[1] is None else 1, *call[2:]] for call in case["calls"]], self._calls)
        # A recorded update names the broker, a replayed one the attempt that went to it.
        brokers: dict[int, int] = {}
        for (_, broker, *_), (_, attempt, *_) in zip(case["updates"], self._updates, strict=False):
            brokers.setdefault(attempt, broker)
        named = [[at, brokers.get(attempt), *rest] for at, attempt, *rest in self._updates]
        must_be("updates", case["updates"], named)
        must_be("results", case["results"], self._results)


class SyncCalls(Calls):
    """A synchronous message."""

    def compare(self) -> None:
        """Raise Mismatch unless the client does what was recorded."""
        client, case = self._client, self._case
        attempts = 1 + case["rt"]
        send_result: list[Any] | None = None
        outcome, code, thrown, is_over = codes.SEND_OK, codes.NO_CODE, False, False
        for number in range(attempts):
            if client.over_budget(case["to"], self._now_ms):
                is_over = True
                break
            timeout_ms = client.attempt_timeout(case["to"], self._now_ms, NO_LIMIT, int(number + 1 == attempts))
            outcome, code, took_ms = self._attempt(self._script[number], int(timeout_ms))
            self._now_ms += took_ms
            isolation, reachable = int(client.is_isolated(outcome)), int(client.is_reachable(outcome, 0))
            self._update(number, took_ms, isolation, reachable)
            if outcome in (codes.SEND_OK, codes.SEND_STATUS):
                send_result = ["ok", status_name(outcome, code)]
            after = client.after_attempt(outcome, code, int(code in client.retry_codes), case["ns"])
            thrown = after == codes.THROW
            if after != codes.RETRY:
                break
        final = send_loop.final_result(int(send_result is not None), int(thrown), int(is_over))
        self._results.append(self._told(int(final), send_result, outcome, code))
        self._compare()

    def _attempt(self, line: list[int], timeout_ms: int) -> tuple[int, int, int]:
        kind, _, after_ms = line
        if kind == REFUSES:
            self._calls.append([None, self._now_ms])
            return codes.CONNECT_REFUSED, codes.NO_CODE, 0
        wait_ms = int(self._client.response_wait(timeout_ms, 0))
        if wait_ms == GIVEN_UP:
            return codes.RESPONSE_TIMEOUT, codes.NO_CODE, 0
        self._calls.append([1, self._now_ms, wait_ms])
        if kind == FAILS:
            return codes.SEND_FAILURE, codes.NO_CODE, after_ms
        if kind == IS_SILENT or after_ms >= wait_ms:
            return codes.RESPONSE_TIMEOUT, codes.NO_CODE, wait_ms
        return *self._answer(line), after_ms

    def _told(self, final: int, send_result: list[Any] | None, outcome: int, code: int) -> list[Any]:
        if final == send_loop.FINAL_SEND_RESULT:
            return send_result or []
        if final == send_loop.FINAL_BROKER_EXCEPTION:
            return ["throw", "MQBrokerException", code]
        if final == send_loop.FINAL_TOO_MUCH_REQUEST:
            return ["throw", "RemotingTooMuchRequestException", None]
        return ["throw", "MQClientException", int(send_loop.final_code(outcome, code))]


class AsyncCalls(Calls):
    """An asynchronous message; it and its callbacks run on one thread."""

    def compare(self) -> None:
        """Raise Mismatch unless the client does what was recorded."""
        client, case = self._client, self._case
        timeout_ms = int(client.attempt_timeout(case["to"], 0, NO_LIMIT, 1))
        number, refused_before, is_over = 1, 0, False
        first: tuple[int, int] | None = None
        has_returned = False
        while not is_over:
            outcome, code, took_ms = self._call(self._script[min(number, len(self._script)) - 1], timeout_ms)
            is_thrown = int(client.is_thrown(outcome))
            first = first or (outcome, is_thrown)
            # What the first call throws is dealt with, retries included, before it returns.
            if not is_thrown and not has_returned:
                has_returned = True
                self._hand_over(*first)
            self._now_ms += took_ms
            reports = client.refusals_reported if outcome == codes.TOO_MUCH_REQUEST else 1
            for _ in range(reports):
                self._charge(outcome, is_thrown, number, took_ms)
            rest_ms = int(client.retry_timeout(timeout_ms, took_ms, is_thrown))
            try_number = counted(number, refused_before, client.refusals_reported)
            after = client.after_async(outcome, is_thrown, try_number, 1 + case["rt"], rest_ms)
            is_over = after != codes.RETRY
            # The last report makes the next attempt, if there is one.
            for _ in range(reports if is_over else reports - 1):
                self._tell(codes.THROW if after == codes.RETRY else after, outcome, code, is_thrown, number)
            refused_before += int(outcome == codes.TOO_MUCH_REQUEST)
            number, timeout_ms = number + 1, rest_ms
        if not has_returned and first is not None:
            self._hand_over(*first)
        self._compare()

    def _hand_over(self, outcome: int, is_thrown: int) -> None:
        if self._client.hands_over(outcome, is_thrown):
            self._update(0, self._now_ms, 0, 1)

    def _call(self, line: list[int], timeout_ms: int) -> tuple[int, int, int]:
        kind, _, after_ms = line
        if kind == REFUSES:
            self._calls.append([None, self._now_ms])
            return codes.CONNECT_REFUSED, codes.NO_CODE, 0
        wait_ms = int(self._client.async_wait(timeout_ms, 0)) if timeout_ms >= 0 else REFUSED
        if wait_ms == REFUSED:
            return codes.TOO_MUCH_REQUEST, codes.NO_CODE, 0
        self._calls.append([1, self._now_ms, wait_ms])
        if kind == FAILS:
            return codes.SEND_FAILURE, codes.NO_CODE, 0
        if kind == IS_SILENT or after_ms >= wait_ms + SCAN_GRACE_MS:
            return codes.RESPONSE_TIMEOUT, codes.NO_CODE, wait_ms + SCAN_GRACE_MS
        return *self._answer(line), after_ms

    def _charge(self, outcome: int, is_thrown: int, number: int, took_ms: int) -> None:
        client = self._client
        charged = client.async_charged(outcome, is_thrown, number)
        if charged == CHARGED_NOBODY:
            return
        latency_ms = int(client.async_latency(is_thrown, number, took_ms, took_ms))
        isolation, reachable = int(client.is_isolated(outcome)), int(client.async_reachable(outcome, is_thrown))
        self._update(number - 1 - int(charged == CHARGED_BEFORE), latency_ms, isolation, reachable)

    def _tell(self, after: int, outcome: int, code: int, is_thrown: int, number: int) -> None:
        client = self._client
        if after == codes.RETURN:
            self._results.append(["ok", status_name(outcome, code)])
            return
        named = int(client.async_exception(outcome, is_thrown, number))
        told = int(client.async_code(outcome, code, is_thrown, number))
        is_remoting = named not in (codes.BROKER_ERROR, codes.NO_MASTER)
        how = "throw" if client.throws_to_caller and is_thrown and number == 1 else "ex"
        self._results.append([how, codes.OUTCOME_NAMES[named], None if is_remoting else told])
