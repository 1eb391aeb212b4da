"""Replay of `rules-*.jsonl`: what single classes of a release answered, and its send path over stubbed connections."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from simulator.client.sending.message_checks import is_refused
from simulator.codes import NO_CODE, RESPONSE_CODES
from simulator.releases.producer_release import Client
from simulator.scenario.client_settings import MAX_MESSAGE_BYTES
from streaming.proof.golden.golden_calls import CallsReplay
from streaming.proof.golden.golden_case import CaseDifference, Mismatch
from streaming.proof.golden.golden_files import Case
from streaming.proof.golden.golden_select import SelectReplay


class RulesReplay:
    """One case of questions on one client."""

    def __init__(self, case: Case, client: Client) -> None:
        self._case = case
        self._client = client

    def run(self) -> Iterator[CaseDifference | None]:
        """The difference of every question, None where the client answers as recorded. Raises KeyError for a kind."""
        kind = self._case["k"]
        if kind == "select":
            return SelectReplay(self._case, self._client).run()
        if kind in ("call-sync", "call-async"):
            return self._message(CallsReplay(self._case, self._client, is_async=kind == "call-async"))
        asked = {"hash": self._hashes, "topic": self._topics, "duration": self._durations}[kind]
        return (self._compared(kind, number, *answers) for number, answers in enumerate(asked()))

    def _compared(self, kind: str, number: int, expected: Any, got: Any) -> CaseDifference | None:
        return None if expected == got else CaseDifference(kind, number, str(kind), expected, got)

    def _message(self, calls: CallsReplay) -> Iterator[CaseDifference | None]:
        try:
            calls.compare()
        except Mismatch as difference:
            yield CaseDifference(f"{self._case['k']} {self._case['id']}", 0, *difference.args)
        else:
            yield None

    def _hashes(self) -> Iterator[tuple[Any, Any]]:
        for hash_code, queues, place in self._case["rows"]:
            got = int(self._client.hash_place(hash_code, queues))
            yield [hash_code, queues, place], [hash_code, queues, got]

    def _topics(self) -> Iterator[tuple[Any, Any]]:
        client = self._client
        for topic, code in self._case["rows"]:
            refused = is_refused(topic, client.topic_length_max, client.reserved_topics)
            yield [topic, code], [topic, NO_CODE if refused else None]
        for size_bytes, code in self._case["sizes"]:
            fits = 0 < size_bytes <= MAX_MESSAGE_BYTES
            yield [size_bytes, code], [size_bytes, None if fits else RESPONSE_CODES["MESSAGE_ILLEGAL"]]

    def _durations(self) -> Iterator[tuple[Any, Any]]:
        client = self._client
        for latency_ms, duration_ms in self._case["rows"]:
            yield [latency_ms, duration_ms], [latency_ms, penalty_ms(client, latency_ms)]


def penalty_ms(client: Client, latency_ms: int) -> int:
    """For how long a release avoids a broker that took that long, with its default tables."""
    step = bisect_right(client.latency_max_ms, latency_ms)
    return client.not_available_duration_ms[step - 1] if step else 0
