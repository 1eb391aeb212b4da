"""`python -m`, with NUMBA_DISABLE_JIT=1: to which revive services a broker deals the pops of two groups.

Prints a JSON array: of each popped message its subscription, its service, and the number of its pop at the broker.
"""

from __future__ import annotations

import json

from simulator.consumer.broker import popping
from simulator.consumer.shared.revive_log import SERVICES
from tests.simulator.small import ran_tables


def main() -> None:
    """Run both groups, and note each pop and each message that it gives."""
    found, pops = [], []
    serve, add = popping.serve_pop, popping.add_check_point

    def served(world, number, now_us):
        pops.append(int(number))
        return serve(world, number, now_us)

    def added(world, instance, subscription, offset, page, now_us):
        point = add(world, instance, subscription, offset, page, now_us)
        found.append([int(subscription), int(world.check_points[point].reviver) % SERVICES, len(pops)])
        return point

    popping.serve_pop, popping.add_check_point = served, added
    own = {"count": 1, "threads": 4, "service": "1ms", "consume_mode": "POP"}
    ran_tables(
        duration="8s", client={"release": "5.3.3"}, producers={"rate": "4/s"},
        topics={"orders": {"queues": 2}, "bills": {"queues": 2}},
        brokers={"a": {"latency": {"constant": "1ms"}, "release": "5.3.3"}},
        consumers={"one": own | {"topic": "orders"}, "two": own | {"topics": ["orders", "bills"]}},
    )  # fmt: skip
    print(json.dumps(found))


if __name__ == "__main__":
    main()
