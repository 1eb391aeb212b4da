"""Replay of `tags-*.jsonl`: what a tag expression becomes, and which tags pass broker and client."""

from __future__ import annotations

import numpy as np

from simulator.compiled.records import Cells
from simulator.consumer.rules.tags import Subscription, filtered_subscription, subscription, tag_code
from simulator.consumer.rules.tags import passes as passes_broker
from streaming.proof.golden.consumer.consumer_replay import Answers, ConsumerReplay

GENERAL, ILLEGAL = "java.lang.Exception", "java.lang.IllegalArgumentException"


class TagsReplay(ConsumerReplay):
    """One expression, or the code of one tag."""

    def answers(self) -> Answers:
        """What was built, then each tag at the broker and at the client."""
        case = self.case
        if "tagsCode" in case:
            yield "tag code", case["tagsCode"], tag_code(case["tag"])
            return
        is_build = "type" in case
        try:
            found = self._built(is_build)
        except ValueError as refused:
            text = str(refused)
            yield "exception", [case.get("ex"), case.get("msg")], [GENERAL if "split" in text else ILLEGAL, text]
            return
        if "ex" in case:
            yield "exception", [case["ex"], case["msg"]], None
            return
        yield "subString", case["subString"], found.sub_string
        yield "tags", sorted(case["tagsSet"]), sorted(found.tags)
        yield "expressionType", case["expressionType"], found.expression_type
        if is_build:
            return
        yield "codes", sorted(case["codeSet"]), sorted(found.codes)
        codes = np.array(sorted(found.codes) or [0], np.int64)
        for tag, code, passes, keeps in case["match"]:
            passed = passes_broker(found.is_all, Cells.of(codes), len(found.codes), code)
            yield f"tag {tag}", [code, passes, keeps], [tag_code(tag), passed, int(found.keeps(tag))]

    def _built(self, is_build: bool) -> Subscription:
        tag_type = self.client.tag_expression_type
        if is_build:
            return filtered_subscription(self.case["expr"], self.case["type"], tag_type)
        return subscription(self.case["expr"], tag_type)
