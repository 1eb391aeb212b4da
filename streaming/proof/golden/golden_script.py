"""What the recordings were made against, as the script of a cell: connections, brokers and the detector's probes.

Times of a case are ms from its t0, which is START_MS of the cell's virtual time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from simulator import codes
from simulator.client.faults.detector_round import DETECT_TIMEOUT_MS
from simulator.client.sending.async_send import SCAN_GRACE_MS
from simulator.client.sending.send_loop import GIVEN_UP
from simulator.compiled.python_rule import PythonRule
from simulator.engine.memory import script
from simulator.engine.memory.script import Script
from simulator.engine.memory.send import Attempt
from simulator.engine.memory.settings import FAR
from simulator.engine.network.connection import CONNECTED
from streaming.proof.golden.golden_case import START_MS

# Kinds of a script entry [from, kind, a, b].
ANSWERS, REFUSES, _IS_SILENT, SENDS_CODE, SENDS_STATUS, FAILS, CONNECTS_SLOWLY = range(7)

ASYNC_CONNECT_MAX_MS = 200  # no connection of an asynchronous recording took longer, whatever its script says


ACCEPTED = 0  # the code of an answer that says stored


def from_t0_ms(now_us: int) -> int:
    """A moment of the cell as the case has it."""
    return int(now_us) // 1000 - START_MS


class Answers(Protocol):
    """What a script answers; see `simulator.engine.memory.script`."""

    def connecting(self, send: Attempt, now_us: int) -> int: ...  # noqa: D102
    def connect(self, send: Attempt, now_us: int, wait_ms: int) -> int: ...  # noqa: D102
    def serve(self, send: Attempt, now_us: int) -> int: ...  # noqa: D102
    def probe(self, broker: int, now_us: int) -> int: ...  # noqa: D102


def put_script(answers: Answers, into: Script) -> list[PythonRule]:
    """Have a cell ask a script; gives what is asked, to be kept as long as the cell."""
    rules = [
        PythonRule(script.Connecting, answers.connecting),
        PythonRule(script.Connect, answers.connect, CONNECTED),
        PythonRule(script.Serve, answers.serve, FAR),
        PythonRule(script.Probe, answers.probe),
    ]
    into.connecting, into.connect, into.serve, into.probe = rules
    return rules


class RecordedCluster:
    """The brokers of one case of messages.

    asked: called with every request. timeout_ms: what an asynchronous attempt was given.
    """

    def __init__(
        self,
        case: Mapping[str, Any],
        *,
        is_async: bool,
        asked: Callable[[Attempt], None],
        timeout_ms: Callable[[Attempt], int],
    ) -> None:
        self._scripts: list[list[list[int]]] = case["script"]
        self._froms = [[entry[0] for entry in entries] for entries in self._scripts]
        self._is_async = is_async
        self._asked, self._timeout_ms = asked, timeout_ms

    def _entry(self, broker: int, at_ms: int) -> Sequence[int]:
        return self._scripts[broker][bisect_right(self._froms[broker], at_ms) - 1]

    def _begun(self, send: Attempt) -> tuple[Sequence[int], int]:
        """The entry of an attempt, which is that of its begin, and when that was."""
        begin_ms = from_t0_ms(send.attempt_begin_us)
        return self._entry(send.broker, begin_ms), begin_ms

    def connecting(self, send: Attempt, now_us: int) -> int:
        """`connect` reports a refused connection; with less than nothing left nothing is connected."""
        _, kind, a, _ = self._entry(send.broker, from_t0_ms(now_us))
        if kind != CONNECTS_SLOWLY:
            return 0
        if not self._is_async:
            return 1000 * a
        return 1000 * min(a, ASYNC_CONNECT_MAX_MS) if self._timeout_ms(send) >= 0 else 0

    def connect(self, send: Attempt, now_us: int, wait_ms: int) -> int:
        """A script that refuses or fails comes first, whatever the client is about to refuse."""
        self._asked(send)
        (_, kind, a, _), _ = self._begun(send)
        if kind not in (REFUSES, FAILS):
            return CONNECTED
        send.outcome = codes.CONNECT_REFUSED if kind == REFUSES else codes.SEND_FAILURE
        return now_us + 1000 * a

    def serve(self, send: Attempt, now_us: int) -> int:
        """An answer comes as long after the request as is recorded, in a slow connection after it stands."""
        (_, kind, a, b), begin_ms = self._begun(send)
        send.code = a if kind in (SENDS_CODE, SENDS_STATUS) else ACCEPTED
        answer_ms = b if kind == CONNECTS_SLOWLY else self._answer_ms(send.broker, begin_ms)
        return FAR if answer_ms is None else now_us + 1000 * answer_ms

    def _answer_ms(self, broker: int, at_ms: int) -> int | None:
        """How long until something comes back, connecting included; None for never."""
        _, kind, a, b = self._entry(broker, at_ms)
        if kind == ANSWERS:
            return a + (at_ms // 10 * 7919 + broker * 104729) % (b + 1)
        if kind == CONNECTS_SLOWLY:
            return a + b
        return b if kind in (SENDS_CODE, SENDS_STATUS) else None

    def probe(self, broker: int, now_us: int) -> int:
        """An error code is an answer too."""
        at_ms = from_t0_ms(now_us)
        _, kind, _, _ = self._entry(broker, at_ms)
        answer_ms = self._answer_ms(broker, at_ms)
        if kind in (ANSWERS, CONNECTS_SLOWLY):
            return int(answer_ms is not None and answer_ms < DETECT_TIMEOUT_MS)
        return int(kind in (SENDS_CODE, SENDS_STATUS))


# Kinds of a line of a stubbed channel: [kind, response code, after ms].
LINE_ANSWERS, LINE_SENDS_CODE, LINE_IS_SILENT, LINE_FAILS, LINE_REFUSES = range(5)


class StubbedChannel:
    """What attempt k of a message meets: line k of its script.

    calls: [1, when, wait] of every request, [None, when] where no connection was to be had.
    """

    def __init__(self, *, is_async: bool) -> None:
        self._is_async = is_async
        self.began_us = 0  # the message
        self.lines: list[list[int]] = []
        self.calls: list[list[int | None]] = []

    def _line(self, send: Attempt) -> list[int]:
        return self.lines[min(send.attempt, len(self.lines)) - 1]

    def connecting(self, send: Attempt, now_us: int) -> int:
        """No time."""
        return 0

    def connect(self, send: Attempt, now_us: int, wait_ms: int) -> int:
        """What cannot be written fails: at once, or for a synchronous request after some time."""
        kind, _, after_ms = self._line(send)
        elapsed_ms = now_us // 1000 - self.began_us // 1000
        if kind == LINE_REFUSES:
            self.calls.append([None, elapsed_ms])
            send.outcome = codes.CONNECT_REFUSED
            return now_us
        if wait_ms == GIVEN_UP:
            return CONNECTED
        self.calls.append([1, elapsed_ms, wait_ms - SCAN_GRACE_MS if self._is_async else wait_ms])
        if kind != LINE_FAILS:
            return CONNECTED
        send.outcome = codes.SEND_FAILURE
        return now_us if self._is_async else now_us + 1000 * after_ms

    def serve(self, send: Attempt, now_us: int) -> int:
        """The line's answer, if it has one."""
        kind, code, after_ms = self._line(send)
        if kind == LINE_IS_SILENT:
            return FAR
        send.code = code if kind == LINE_SENDS_CODE else ACCEPTED
        return now_us + 1000 * after_ms

    def probe(self, broker: int, now_us: int) -> int:
        """Nobody probes."""
        return 0
