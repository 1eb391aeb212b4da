"""`python -m`, with NUMBA_DISABLE_JIT=1: a run whose revive logs are read again by the recorded rules.

Prints a JSON array: of each message that came again, when it was stored again by the model and by the rules, in ms.
"""

from __future__ import annotations

import json
import sys

from simulator.consumer.broker import check_points, reviving
from simulator.consumer.machine import late_consumer_rules
from simulator.consumer.shared.revive_log import POINT
from tests.golden.pop_rules import ReviveService
from tests.simulator.small import ran_tables

INVISIBLE_MS = 10_000
LAST_MS = 5_000  # of a run: what is stored again then may be missing in it


class Followed:
    """What the revive services of one broker read, when each began, and what it stored again."""

    def __init__(self) -> None:
        self.began_ms: dict[int, float] = {}
        self.logs: dict[int, list[list[object]]] = {}
        self.numbers: dict[int, int] = {}  # of check points, in the order in which they were written
        self.written = 0
        self.stored_ms: dict[int, float] = {}

    def follow(self) -> None:
        """Have the rules of the model say what they do."""
        go_on, revive, note = reviving.go_on_reviving, reviving._revive, check_points._note

        def went_on(world, number, now_us):
            self.began_ms.setdefault(int(number), now_us / 1000)
            go_on(world, number, now_us)

        def revived(world, point, retry_log, now_us):
            self.stored_ms[self.numbers[point.number]] = now_us / 1000
            revive(world, point, retry_log, now_us)

        def noted(world, point, kind):
            self._note(int(point.reviver), int(point.number), kind == POINT, int(point.revive_us) // 1000)
            note(world, point, kind)

        late_consumer_rules.go_on_reviving, reviving._revive, check_points._note = went_on, revived, noted

    def _note(self, service: int, record: int, is_point: bool, due_ms: int) -> None:
        log = self.logs.setdefault(service, [])
        if not is_point:
            log.append(["ack", self.numbers[record], 0, -(-due_ms // 1000) * 1000, due_ms])
            return
        self.numbers[record] = number = self.written
        self.written += 1
        popped_ms, out_ms = due_ms - INVISIBLE_MS, -(-(due_ms - 1000) // 1000) * 1000
        log.append(["ck", number, "t", 0, number, 1, popped_ms, INVISIBLE_MS, out_ms])

    def by_the_rules(self, service: int, until_ms: float) -> dict[int, float]:
        """When a service stores what again by the recorded rules."""
        log = sorted(self.logs[service], key=lambda entry: entry[-2 if entry[0] == "ack" else -1])
        rules, now, rests, found = ReviveService("5.3.3", log, behind=False, name="r1"), self.began_ms[service], 1, {}
        while now < until_ms:
            _, now, _, points, _, _, put = rules.round(now, refuses=False)
            found |= {int(where.split("/")[1]): now for _, where, _ in put if now < until_ms}
            rests, now = (1, now + 1000) if points else (min(rests + 1, 3), now + (rests + 1) * 1000)
        return found


def main(rate: str, seconds: int) -> None:
    """Follow a run of a group whose listeners are too slow for most of their messages."""
    followed = Followed()
    followed.follow()
    group = {"topic": "orders", "count": 2, "threads": 300, "service": {"lognormal": {"p50": "6s", "p99": "60s"}}}
    ran_tables(
        duration=f"{seconds}s", client={"release": "5.3.3"},
        producers={"rate": rate, "threads": 4, "arrivals": "poisson"},
        brokers={"a": {"latency": {"constant": "1ms"}, "release": "5.3.3"}},
        consumers={"g": group | {"consume_mode": "POP", "pop_invisible_time": "10s", "pop_threshold_for_queue": 1000}},
    )  # fmt: skip
    found = []
    for service in followed.logs:
        rules_ms = followed.by_the_rules(service, seconds * 1000 - LAST_MS)
        found += [[followed.stored_ms.get(number), at] for number, at in rules_ms.items()]
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
