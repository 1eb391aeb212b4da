"""How often a message was consumed: counted in four bits, so once more than these hold, and the same from then on."""

from __future__ import annotations

from tests.simulator.small import ran_tables

BROKER = {"a": {"latency": {"constant": "1ms"}}}


def test_the_sixteenth_consumption_and_each_later_one_has_number_16():
    orderly = {"consume_mode": "ORDERLY", "fails_always": 0.999, "suspend_current_queue_time": "1s"}
    billing = {"topic": "orders", "service": "1ms", "release": "5.3.3", **orderly}
    run = ran_tables(duration="50s", brokers=BROKER, producers={"count": 1}, consumers={"billing": billing})
    first = run.column("consumed", "queue_id") == run.column("consumed", "queue_id")[0]
    times = run.column("consumed", "times")[first].tolist()
    assert times == [*range(1, 17), *[16] * (len(times) - 16)]
    assert len(times) > 20
