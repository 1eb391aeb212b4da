"""The recorded producer of one golden case: its clock and tasks, its route table, its selections."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simulator import codes
from simulator.client import memory
from simulator.client.faults.detector_round import DETECT_INTERVAL_MS, DETECT_PERIOD_MS, detect_by_one_round
from simulator.client.message_queue import broker_of, queue_id_of
from simulator.client.releases import Client
from simulator.client.routes.route_table import (
    CLEAN_PERIOD_MS,
    FIRST_CLEAN_MS,
    FIRST_POLL_MS,
    POLL_PERIOD_MS,
    RouteTable,
    TopicPublishInfo,
)
from streaming.golden.golden_case import CaseDifference, CaseMemory, Mismatch, must_be
from streaming.golden.golden_transport import ScriptedCluster

STATUS_NAMES = {code: name for name, code in codes.SEND_STATUS_CODES.items()}


@dataclass
class Sent:
    """One message as it goes: what is recorded of it, and what the loop remembers."""

    topic: int
    began_ms: int
    info: TopicPublishInfo
    new_infos: list[list[Any]]
    attempts: list[list[Any]] = field(default_factory=list)
    updates: list[list[int]] = field(default_factory=list)
    made: int = 0  # selections
    send_result: list[Any] | None = None
    outcome: int = codes.SEND_OK
    code: int = codes.NO_CODE
    thrown: bool = False
    is_over_budget: bool = False


class ProducerReplay(ABC):
    """One case of messages on one client; how a message goes is the subclass's."""

    def __init__(self, case: Mapping[str, Any], client: Client) -> None:
        self._case = case
        self._client = client
        self._cluster = ScriptedCluster(case, client)
        self._now_ms = 0
        self._routes = RouteTable(client, lambda topic: self._cluster.route(topic, self._now_ms))
        longest = max((len(new[2]) // 2 for message in case["msgs"] for new in _extra(message).get("n", ())), default=1)
        self._memory = CaseMemory(case, client, len(case["routes"]), longest)
        self._used: dict[int, TopicPublishInfo] = {}  # topic -> the info that its view holds
        self._select = client.select_on if case["en"] else client.select_off
        self._due = {"poll": FIRST_POLL_MS, "clean": FIRST_CLEAN_MS}
        if case["det"]:
            self._due["detect"] = DETECT_PERIOD_MS

    def run(self) -> Iterator[CaseDifference | None]:
        """For every message of the case: its first difference."""
        for number, message in enumerate(self._case["msgs"]):
            difference = None
            try:
                self._send(message)
            except Mismatch as mismatch:
                difference = CaseDifference(self._case["id"], number, *mismatch.args)
            yield difference

    def _advance(self, to_ms: int) -> None:
        """Move the clock, running the client's own tasks at their times."""
        while True:
            task, due_ms = min(self._due.items(), key=lambda item: item[1])
            if due_ms > to_ms:
                break
            self._now_ms = max(self._now_ms, due_ms)
            if task == "poll":
                self._routes.poll()
                self._due[task] += POLL_PERIOD_MS
            elif task == "clean":
                self._routes.clean_offline_brokers()
                self._due[task] += CLEAN_PERIOD_MS
            else:
                self._detect()
                self._due[task] += DETECT_PERIOD_MS
        self._now_ms = max(self._now_ms, to_ms)

    def _detect(self) -> None:
        mem, names = self._memory, self._memory.names
        has_master = np.array([self._routes.has_master(name) for name in names], np.int64)
        answers = np.array(
            [self._cluster.answers_probe(broker, self._now_ms) for broker in range(len(names))], np.int64
        )
        now_ms = mem.t0 + self._now_ms
        detect_by_one_round(mem.m, mem.faults, now_ms, DETECT_INTERVAL_MS, has_master, answers, np.zeros_like(answers))

    def _send(self, message: Sequence[Any]) -> None:
        at_ms, topic, selects, attempts, updates, result, duration_ms = message[:7]
        recorded = _extra(message)
        self._advance(at_ms)
        must_be("time of the message", at_ms, self._now_ms)
        info = self._routes.find(str(topic))
        sent = None
        if info is None:
            must_be("queues selected", selects, [])
            final = self._not_found()
        else:
            sent = Sent(topic, at_ms, info, list(recorded.get("n", ())))
            self._use(sent)
            final = self._send_default(sent, selects)
            must_be("number of selections", len(selects), sent.made)
        must_be("attempts", attempts, sent.attempts if sent else [])
        must_be("updates", updates, sent.updates if sent else [])
        must_be("result", result, final)
        must_be("duration", duration_ms, self._now_ms - at_ms)
        must_be("new queue lists (n)", sent.new_infos if sent else recorded.get("n", []), [])
        self._memory.compare_faults(recorded)

    @abstractmethod
    def _not_found(self) -> list[Any]:
        """The result, as it is recorded, of a message to a topic without a route."""

    @abstractmethod
    def _send_default(self, sent: Sent, selects: Sequence[Sequence[Any]]) -> list[Any]:
        """The message's way; gives the result as it is recorded."""

    def _use(self, sent: Sent) -> None:
        """Put the topic's info into the client memory if it is a new one, with the recorded random start."""
        if self._used.get(sent.topic) is sent.info:
            return
        self._used[sent.topic] = sent.info
        topic, start, expected = sent.new_infos.pop(0) if sent.new_infos else (None, None, None)
        self._memory.set_info(sent.topic, sent.info, start or 0, expected)
        must_be("a new TopicPublishInfo is used (n)", [sent.topic, True], [topic, start is not None])

    def _choose(self, sent: Sent, last: int, reset: int, selects: Sequence[Sequence[Any]]) -> tuple[int, int]:
        """The next selection: broker and queue id."""
        must_be("number of selections", True, sent.made < len(selects))
        mem, expected = self._memory, selects[sent.made]
        mutations = mem.mutations(sent.topic)
        chosen = self._choose_from(mem.view(sent.topic), last, reset, expected)
        if mem.mutations(sent.topic) != mutations:
            flat = mem.queue_cells(sent.topic)
            must_be("queue list after (n)", sent.new_infos[:1], [[sent.topic, None, flat]])
            sent.new_infos.pop(0)
        sent.made += 1
        return chosen

    def _choose_from(self, view: int, last: int, reset: int, expected: Sequence[Any]) -> tuple[int, int]:
        mem = self._memory
        order = next((part for part in expected[3:] if isinstance(part, list)), None)
        drawn = next((part for part in expected[3:] if isinstance(part, int)), None)
        must_be("resetIndex draws", drawn is not None, bool(reset and self._case["en"]))
        if drawn is not None:
            mem.m[view + memory.RANDOM] = drawn
        listing = mem.script_order(order)
        mem.forget_ranking()
        queue = self._select(mem.m, view, mem.t0 + self._now_ms, last, reset)
        mem.restore_order(listing)
        broker, queue_id = int(broker_of(queue)), int(queue_id_of(queue))
        got = [broker, queue_id, int(mem.m[view + memory.SEND_WHICH_QUEUE])]
        must_be("broker, queue id, counter after", list(expected[:3]), got)
        must_be("exception swallowed (ex)", "ex" in expected[3:], bool(mem.m[view + memory.SWALLOWED]))
        must_be("the fault table was ranked (p)", order is not None, mem.was_ranked())
        return broker, queue_id

    def _has_master(self, sent: Sent, broker: int) -> bool:
        """Whether there is an address to send to, after asking for the route again where there is none."""
        name = self._memory.names[broker]
        if not self._routes.has_master(name):
            self._routes.find(str(sent.topic))
        return self._routes.has_master(name)

    def _update(self, sent: Sent, broker: int, latency_ms: int, isolation: int, reachable: int) -> None:
        row = [broker, latency_ms, isolation]
        sent.updates.append([*row, reachable] if self._client.has_detector else row)
        if self._case["en"]:
            self._memory.update(self._memory.t0 + self._now_ms, broker, latency_ms, isolation, reachable)


def _extra(message: Sequence[Any]) -> Mapping[str, Any]:
    return message[7] if len(message) > 7 else {}


def status_name(outcome: int, code: int) -> str:
    """SendStatus of a stored attempt, as it is recorded."""
    return "SEND_OK" if outcome == codes.SEND_OK else STATUS_NAMES[code]
