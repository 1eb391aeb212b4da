"""Replay of `sort-hash-*.jsonl` and `msgid-*.jsonl`: orders, hashes and ids."""

from __future__ import annotations

from simulator.consumer.allocation.names import queue_hash_code, queue_text, ring_hash, sorted_ids, sorted_queues
from simulator.proof.message_id import message_id, offset_of
from streaming.proof.golden.consumer.consumer_replay import Answers, ConsumerReplay


class SortReplay(ConsumerReplay):
    """One list that was sorted, or one hash."""

    def answers(self) -> Answers:
        """Raises KeyError for another kind of question."""
        case = self.case
        kind = case["k"]
        if kind in ("sort_mq", "sort_mq_extreme_ids"):
            yield kind, case["out"], [list(queue) for queue in sorted_queues(map(tuple, case["in"]))]
        elif kind == "sort_cid":
            yield kind, case["out"], sorted_ids(case["in"])
        elif kind == "ring_hash":
            yield kind, case["hash"], ring_hash(case["key"])
        else:
            queue = tuple({"mq_hash_code": case["mq"]}[kind])
            yield kind, case["hashCode"], queue_hash_code(queue)
            yield "toString", case["toString"], queue_text(queue)


class MessageIdReplay(ConsumerReplay):
    """One message id, made and read."""

    def answers(self) -> Answers:
        """The id of an address and an offset, and the offset of that id."""
        case = self.case
        yield "id", case["id"], message_id(case["ip"], case["port"], case["commitLogOffset"])
        yield "offset", case["decodedOffset"], offset_of(case["id"])
