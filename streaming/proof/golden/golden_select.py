"""Replay of `select-*.jsonl`: every operation through the client's rules, everything recorded compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from simulator.client.faults.detector_round import detect_by_one_round
from simulator.client.message_queue import broker_of, queue_id_of
from simulator.compiled.records import Cells
from simulator.explain.plain_rules import as_python
from simulator.releases.producer_release import Client
from streaming.proof.golden.golden_case import CaseDifference, CaseMemory, Mismatch, must_be, route_of
from streaming.proof.golden.golden_faults import KnownFaults

EMPTY: Mapping[str, Any] = {}
FIELDS_WITH_RESET = 6  # of a selection, 5.1.4 and later
_broker_of, _queue_id_of = as_python(broker_of), as_python(queue_id_of)


class SelectReplay:
    """One select case on one client."""

    def __init__(self, case: Mapping[str, Any], client: Client) -> None:
        self._case = case
        self._client = client
        topics = case["topics"]
        routes = [*topics, *(op[2] for op in case["ops"] if op[0] == "t")]
        longest = max((len(topic["list"]) // 2 for topic in routes), default=0)
        self._memory = CaseMemory(case, client, len(topics), max(longest, 1))
        self._faults = KnownFaults(self._memory.faults, client, case["t0"])
        self._now_ms: int = case["t0"]
        self._select = client.select_on if case["en"] else client.select_off

    def run(self) -> Iterator[CaseDifference | None]:
        """The first difference of every operation, the building of the first queue lists being the first."""
        yield self._checked(-1, self._first_routes)
        steps = {
            "s": self._do_select,
            "u": self._do_update,
            "a": self._do_clock,
            "d": self._do_detect,
            "t": self._do_route,
        }
        for number, op in enumerate(self._case["ops"]):
            recorded = op[-1] if isinstance(op[-1], dict) and op[0] != "t" else EMPTY
            fields = op[1:-1] if recorded is not EMPTY else op[1:]
            yield self._checked(number, steps[op[0]], fields, recorded)

    def _checked(self, number: int, step: Callable[..., None], *args: Any) -> CaseDifference | None:
        try:
            step(*args)
        except Mismatch as difference:
            return CaseDifference(self._case["id"], number, *difference.args)
        return None

    def _first_routes(self) -> None:
        for topic, recorded in enumerate(self._case["topics"]):
            self._route(topic, recorded)

    def _route(self, topic: int, recorded: Mapping[str, Any]) -> None:
        route = route_of(recorded["qd"], recorded["oc"], self._memory.names)
        self._memory.set_info(topic, route, recorded["s0"], recorded["list"])

    def _do_route(self, fields: Sequence[Any], _: Mapping[str, Any]) -> None:
        self._route(fields[0], fields[1])
        self._faults.compare(EMPTY)

    def _do_clock(self, fields: Sequence[Any], recorded: Mapping[str, Any]) -> None:
        self._now_ms += fields[0]

    def _do_update(self, fields: Sequence[Any], recorded: Mapping[str, Any]) -> None:
        broker, latency_ms, isolation = fields[:3]
        reachable = fields[3] if len(fields) > 3 else 1
        mem = self._memory
        if self._case["en"]:
            mem.update(self._now_ms, broker, latency_ms, isolation, reachable)
        self._faults.compare(recorded)

    def _do_detect(self, fields: Sequence[Any], recorded: Mapping[str, Any]) -> None:
        answering, unresolvable, expected = fields
        mem = self._memory
        brokers = range(len(mem.names))
        has_master = np.array([broker not in unresolvable for broker in brokers], np.int64)
        answers = np.array([broker in answering for broker in brokers], np.int64)
        probed = np.zeros(len(brokers), np.int64)
        interval_ms = self._case["di"]
        count = detect_by_one_round(
            mem.faults, self._now_ms, interval_ms, Cells.of(has_master), Cells.of(answers), Cells.of(probed)
        )
        must_be("brokers probed", expected, probed[:count].tolist())
        self._faults.compare(recorded)

    def _do_select(self, fields: Sequence[Any], recorded: Mapping[str, Any]) -> None:
        topic, last = fields[:2]
        reset = fields[2] if len(fields) == FIELDS_WITH_RESET else 0
        mem = self._memory
        view = mem.view(topic)
        if "rs" in recorded:
            view.counter.random = recorded["rs"]
        must_be("resetIndex draws (rs)", "rs" in recorded, bool(reset and self._case["en"]))
        listing = self._faults.script_order(recorded.get("p"))
        mutations = mem.mutations(topic)
        self._faults.forget_ranking()
        queue = int(self._select(view, self._now_ms, -1 if last is None else last, reset))
        self._faults.restore_order(listing)
        got = [_broker_of(queue), _queue_id_of(queue), int(view.counter.value)]
        must_be("broker, queue id, counter after", list(fields[-3:]), got)
        must_be("exception swallowed (ex)", recorded.get("ex", 0), int(view.swallowed))
        changed = mem.mutations(topic) != mutations
        must_be("queue list after (m)", recorded.get("m"), mem.queue_cells(topic) if changed else None)
        must_be("the fault table was ranked (p)", "p" in recorded, self._faults.was_ranked())
        self._faults.compare(recorded)
