"""The scripted name server and brokers that the send recordings were made against."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from simulator import codes
from simulator.client.faults.detector_round import DETECT_TIMEOUT_MS
from simulator.client.releases import Client
from simulator.client.routes.queue_list import TopicRoute
from simulator.client.routes.route_table import CREATE_TOPIC_KEY
from simulator.client.sending.async_send import REFUSED, SCAN_GRACE_MS
from simulator.client.sending.send_loop import GIVEN_UP
from simulator.codes import (
    BROKER_ERROR,
    CONNECT_REFUSED,
    NO_CODE,
    RESPONSE_TIMEOUT,
    SEND_FAILURE,
    SEND_OK,
    SEND_STATUS,
    TOO_MUCH_REQUEST,
)
from streaming.golden.golden_case import route_of

# How the end of an attempt is recorded.
OUTCOMES = {
    codes.SEND_OK: "ok",
    codes.SEND_STATUS: "st{}",
    codes.BROKER_ERROR: "e{}",
    codes.CONNECT_REFUSED: "rc",
    codes.RESPONSE_TIMEOUT: "to",
    codes.SEND_FAILURE: "sf",
    codes.TOO_MUCH_REQUEST: "tm",
}
# Kinds of a script entry [from, kind, a, b].
ANSWERS, REFUSES, _IS_SILENT, SENDS_CODE, SENDS_STATUS, FAILS, CONNECTS_SLOWLY = range(7)

ASYNC_CONNECT_MAX_MS = 200  # no connection of an asynchronous recording took longer, whatever its script says


class ScriptedCluster:
    """Name server and brokers of one case; times are ms from t0."""

    def __init__(self, case: Mapping[str, Any], client: Client) -> None:
        self._client = client
        self._late_ms: int = case["ov"]
        self._scripts: list[list[list[int]]] = case["script"]
        self._froms = [[entry[0] for entry in script] for script in self._scripts]
        self._names = case["names"]
        self._routes = [
            [(since, None if qd is None else route_of(qd, None, self._names)) for since, qd in steps]
            for steps in case["routes"]
        ]
        self._default = None if case["tbw"] is None else route_of(case["tbw"], None, self._names)

    def route(self, topic: str, at_ms: int) -> TopicRoute | None:
        """What the name server answers for a topic, which is the decimal number of a recorded one."""
        if topic == CREATE_TOPIC_KEY:
            return self._default
        found = None
        for since, route in self._routes[int(topic)]:
            if since <= at_ms:
                found = route
        return found

    def _entry(self, broker: int, at_ms: int) -> Sequence[int]:
        return self._scripts[broker][bisect_right(self._froms[broker], at_ms) - 1]

    def attempt(self, broker: int, at_ms: int, timeout_ms: int) -> tuple[int, int, int]:
        """(outcome, response code, duration in ms) of an attempt that starts at `at_ms`."""
        _, kind, a, _ = self._entry(broker, at_ms)
        if kind == REFUSES:
            return CONNECT_REFUSED, NO_CODE, a
        if kind == FAILS:
            return SEND_FAILURE, NO_CODE, a
        connect_ms = a if kind == CONNECTS_SLOWLY else 0
        wait_ms = self._client.response_wait(timeout_ms, connect_ms)
        if wait_ms == GIVEN_UP:
            return RESPONSE_TIMEOUT, NO_CODE, connect_ms
        answer_ms = self._answer_ms(broker, at_ms)
        if answer_ms is None or answer_ms >= connect_ms + wait_ms:
            return RESPONSE_TIMEOUT, NO_CODE, connect_ms + wait_ms + self._late_ms
        if kind == SENDS_CODE:
            return BROKER_ERROR, a, answer_ms
        if kind == SENDS_STATUS:
            return SEND_STATUS, a, answer_ms
        return SEND_OK, NO_CODE, answer_ms

    def call(self, broker: int, at_ms: int, timeout_ms: int) -> tuple[int, int, int, int]:
        """(outcome, response code, ms connecting, ms in all) of an asynchronous attempt that starts at `at_ms`.

        A refused connection took all of its time to connect. Whatever the client is about to refuse, a script
        that refuses or fails comes first, and nothing is connected with less than nothing left.
        """
        _, kind, a, b = self._entry(broker, at_ms)
        if kind == REFUSES:
            return CONNECT_REFUSED, NO_CODE, a, a
        if kind == FAILS:
            return SEND_FAILURE, NO_CODE, 0, a
        connect_ms = min(a, ASYNC_CONNECT_MAX_MS) if kind == CONNECTS_SLOWLY and timeout_ms >= 0 else 0
        wait_ms = self._client.async_wait(timeout_ms, connect_ms)
        if wait_ms == REFUSED:
            return TOO_MUCH_REQUEST, NO_CODE, connect_ms, connect_ms
        answer_ms = b if kind == CONNECTS_SLOWLY else self._answer_ms(broker, at_ms)
        if answer_ms is None or answer_ms >= wait_ms + SCAN_GRACE_MS:
            return RESPONSE_TIMEOUT, NO_CODE, connect_ms, connect_ms + wait_ms + SCAN_GRACE_MS
        if kind in (SENDS_CODE, SENDS_STATUS):
            return BROKER_ERROR if kind == SENDS_CODE else SEND_STATUS, a, connect_ms, connect_ms + answer_ms
        return SEND_OK, NO_CODE, connect_ms, connect_ms + answer_ms

    def _answer_ms(self, broker: int, at_ms: int) -> int | None:
        """How long until something comes back, connecting included; None for never."""
        _, kind, a, b = self._entry(broker, at_ms)
        if kind == ANSWERS:
            return a + (at_ms // 10 * 7919 + broker * 104729) % (b + 1)
        if kind == CONNECTS_SLOWLY:
            return a + b
        if kind in (SENDS_CODE, SENDS_STATUS):
            return b
        return None

    def answers_probe(self, broker: int, at_ms: int) -> bool:
        """Whether the detector's probe succeeds: an error code is an answer too."""
        _, kind, _, _ = self._entry(broker, at_ms)
        if kind in (ANSWERS, CONNECTS_SLOWLY):
            answer_ms = self._answer_ms(broker, at_ms)
            return answer_ms is not None and answer_ms < DETECT_TIMEOUT_MS
        return kind in (SENDS_CODE, SENDS_STATUS)
