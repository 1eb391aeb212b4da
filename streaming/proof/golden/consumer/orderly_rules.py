"""Replay of `orderly-*.jsonl`: how long an orderly queue stands still, how often a message is tried, and delays."""

from __future__ import annotations

from simulator.consumer.rules.reconsume import MAX_CONCURRENTLY, MAX_ORDERLY, max_reconsume_times, suspend_ms
from streaming.proof.golden.consumer.consumer_replay import Answers, ConsumerReplay
from streaming.proof.golden.consumer.settings_of_classes import setting_of


class OrderlyReplay(ConsumerReplay):
    """One pause, one limit, or one field's first value."""

    def answers(self) -> Answers:
        """Raises KeyError for another kind of question."""
        case = self.case
        if case["k"] == "suspend":
            got = suspend_ms(case["suspendCurrentQueueTimeMillis"], case["context"])
            yield "scheduled_ms", case["scheduled_ms"], got
        elif case["k"] == "max":
            asked = case["maxReconsumeTimes"]
            yield "orderly", case["orderly"], max_reconsume_times(asked, MAX_ORDERLY)
            yield "concurrently", case["concurrently"], max_reconsume_times(asked, MAX_CONCURRENTLY)
        else:
            field = {"impl_default": case["field"]}[case["k"]]
            found = setting_of(case["class"], field, self.client, self.broker)
            if found is not None:
                yield field, case["value"], found.value
