"""Replay of `send-*.jsonl`: every message through the client's rules, everything recorded compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simulator import codes
from simulator.client import memory, send_loop
from simulator.client.detector import DETECT_INTERVAL_MS, DETECT_PERIOD_MS, detect_by_one_round
from simulator.client.message_queue import broker_of, queue_id_of
from simulator.client.releases import Client
from simulator.client.route_table import (
    CLEAN_PERIOD_MS,
    FIRST_CLEAN_MS,
    FIRST_POLL_MS,
    POLL_PERIOD_MS,
    RouteTable,
    TopicPublishInfo,
)
from streaming.golden_case import CaseMemory, Difference, Mismatch, must_be
from streaming.golden_transport import ScriptedCluster

OUTCOMES = {
    codes.SEND_OK: "ok",
    codes.SEND_STATUS: "st{}",
    codes.BROKER_ERROR: "e{}",
    codes.CONNECT_REFUSED: "rc",
    codes.RESPONSE_TIMEOUT: "to",
    codes.SEND_FAILURE: "sf",
}
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
    send_result: list[Any] | None = None
    outcome: int = codes.SEND_OK
    code: int = codes.NO_CODE
    thrown: bool = False
    is_over_budget: bool = False


class SendReplay:
    """One send case on one client."""

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

    def run(self) -> Iterator[Difference | None]:
        """For every message of the case: its first difference."""
        for number, message in enumerate(self._case["msgs"]):
            difference = None
            try:
                self._send(message)
            except Mismatch as mismatch:
                difference = Difference(self._case["id"], number, *mismatch.args)
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
            final: list[Any] = ["MQClientException", codes.NOT_FOUND_TOPIC_EXCEPTION]
        else:
            sent = Sent(topic, at_ms, info, list(recorded.get("n", ())))
            self._use(sent)
            final = self._send_default(sent, selects)
        must_be("attempts", attempts, sent.attempts if sent else [])
        must_be("updates", updates, sent.updates if sent else [])
        must_be("result", result, final)
        must_be("duration", duration_ms, self._now_ms - at_ms)
        must_be("new queue lists (n)", sent.new_infos if sent else recorded.get("n", []), [])
        self._memory.compare_faults(recorded)

    def _use(self, sent: Sent) -> None:
        """Put the topic's info into the client memory if it is a new one, with the recorded random start."""
        if self._used.get(sent.topic) is sent.info:
            return
        self._used[sent.topic] = sent.info
        topic, start, expected = sent.new_infos.pop(0) if sent.new_infos else (None, None, None)
        self._memory.set_info(sent.topic, sent.info, start or 0, expected)
        must_be("a new TopicPublishInfo is used (n)", [sent.topic, True], [topic, start is not None])

    def _send_default(self, sent: Sent, selects: Sequence[Sequence[Any]]) -> list[Any]:
        """The send loop; gives the result as it is recorded."""
        case, client, mem = self._case, self._client, self._memory
        last = memory.NO_BROKER
        attempts = 1 + case["rt"]
        made = 0
        while made < attempts and not sent.thrown:
            must_be("number of selections", True, made < len(selects))
            mutations = mem.mutations(sent.topic)
            last, queue_id = self._choose(sent.topic, last, made, selects[made])
            if mem.mutations(sent.topic) != mutations:
                flat = mem.queue_cells(sent.topic)
                must_be("queue list after (n)", sent.new_infos[:1], [[sent.topic, None, flat]])
                sent.new_infos.pop(0)
            made += 1
            elapsed_ms = self._now_ms - sent.began_ms
            if client.over_budget(case["to"], elapsed_ms):
                sent.is_over_budget = True
                break
            limit_ms = -1 if case["mp"] is None else case["mp"]
            timeout_ms = client.attempt_timeout(case["to"], elapsed_ms, limit_ms, int(made == attempts))
            if self._attempt(sent, last, queue_id, timeout_ms) == codes.RETURN:
                break
        must_be("number of selections", len(selects), made)
        return self._final(sent)

    def _choose(self, topic: int, last: int, made: int, expected: Sequence[Any]) -> tuple[int, int]:
        mem, client = self._memory, self._client
        view = mem.view(topic)
        order = next((part for part in expected[3:] if isinstance(part, list)), None)
        drawn = next((part for part in expected[3:] if isinstance(part, int)), None)
        reset = int(made > 0 and client.has_reset_index)
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

    def _attempt(self, sent: Sent, broker: int, queue_id: int, timeout_ms: int) -> int:
        client, began_ms = self._client, self._now_ms
        if not self._routes.has_master(self._memory.names[broker]):
            self._routes.find(str(sent.topic))
        if self._routes.has_master(self._memory.names[broker]):
            sent.outcome, sent.code, took_ms = self._cluster.attempt(broker, began_ms, timeout_ms)
            begin, end = began_ms - sent.began_ms, began_ms - sent.began_ms + took_ms
            name = OUTCOMES[sent.outcome].format(sent.code)
            sent.attempts.append([broker, queue_id, begin, end, timeout_ms, name])
            self._advance(began_ms + took_ms)
        else:
            sent.outcome, sent.code = codes.NO_MASTER, codes.NO_CODE
        self._update(sent, broker, self._now_ms - began_ms)
        if sent.outcome in (codes.SEND_OK, codes.SEND_STATUS):
            status = "SEND_OK" if sent.outcome == codes.SEND_OK else STATUS_NAMES[sent.code]
            sent.send_result = [status, broker, queue_id]
        is_retryable = int(sent.code in client.retry_codes)
        after: int = client.after_attempt(sent.outcome, sent.code, is_retryable, self._case["ns"])
        sent.thrown = after == codes.THROW
        return after

    def _update(self, sent: Sent, broker: int, latency_ms: int) -> None:
        client, mem = self._client, self._memory
        isolation = int(client.is_isolated(sent.outcome))
        reachable = int(client.is_reachable(sent.outcome, self._case["det"]))
        row = [broker, latency_ms, isolation]
        sent.updates.append([*row, reachable] if client.has_detector else row)
        if self._case["en"]:
            mem.update(mem.t0 + self._now_ms, broker, latency_ms, isolation, reachable)

    def _final(self, sent: Sent) -> list[Any]:
        final = send_loop.final_result(int(sent.send_result is not None), int(sent.thrown), int(sent.is_over_budget))
        if final == send_loop.FINAL_SEND_RESULT:
            return sent.send_result or []
        if final == send_loop.FINAL_BROKER_EXCEPTION:
            return ["MQBrokerException", sent.code]
        if final == send_loop.FINAL_TOO_MUCH_REQUEST:
            return ["RemotingTooMuchRequestException", None]
        return ["MQClientException", int(send_loop.final_code(sent.outcome, sent.code))]


def _extra(message: Sequence[Any]) -> Mapping[str, Any]:
    return message[7] if len(message) > 7 else {}
