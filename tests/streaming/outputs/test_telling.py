"""A table of 10,000 brokers has a row for those that matter, and one for the rest."""

from __future__ import annotations

import io
from dataclasses import replace

from rich.console import Console

from streaming.outputs.summary import BROKER_COLUMNS, BrokerSummary, _print
from streaming.outputs.telling import MOST_ROWS, telling


def broker(number: int, **changes: float) -> BrokerSummary:
    plain = {"attempts": 10, "share_percent": 0.01, "p50_ms": 1.0, "p99_ms": 2.0, "p999_ms": 3.0}
    return BrokerSummary(f"b{number:05}", **({"failures": 0, "isolated_s": 0.0} | plain | changes))


MANY = [broker(i) for i in range(10_000)]
MANY[9_000] = broker(9_000, failures=3)
MANY[7] = broker(7, isolated_s=40.0)
MANY[5_000] = broker(5_000, p99_ms=900.0)
MANY[4_000] = broker(4_000, share_percent=9.0, attempts=9_000)


def test_few_brokers_all_have_a_row():
    assert telling(MANY[:MOST_ROWS]) == MANY[:MOST_ROWS]


def test_those_avoided_failing_slow_or_busy_have_a_row_in_their_order():
    shown = telling(MANY)
    assert len(shown) == MOST_ROWS
    names = [row.broker for row in shown]
    assert [name for name in names if name in ("b00007", "b04000", "b05000", "b09000")] == [
        "b00007", "b04000", "b05000", "b09000",
    ]  # fmt: skip


def test_the_rest_is_counted_and_adds_up():
    shown = telling(MANY)
    assert shown[-1].broker == "9,981 others"
    assert sum(row.attempts for row in shown) == sum(row.attempts for row in MANY)
    assert sum(row.failures for row in shown) == 3


def test_what_cannot_be_decided_of_the_rest_is_none():
    rest = telling(MANY)[-1]
    assert (rest.p50_ms, rest.p99_ms, rest.p999_ms, rest.isolated_s) == (None, None, None, None)


def test_of_counts_that_no_table_has_the_rest_has_no_sum():
    rest = telling([broker(i, attempts=None, share_percent=None, failures=None) for i in range(MOST_ROWS + 1)])[-1]
    assert (rest.broker, rest.attempts, rest.share_percent, rest.failures) == ("2 others", None, None, None)


def printed(name: str, width: int) -> str:
    text = io.StringIO()
    row = replace(broker(1, failures=1_234_567, attempts=123_456_789, p999_ms=3_000.0), broker=name)
    _print(Console(file=text, width=width), "Brokers", BROKER_COLUMNS, [row])
    return text.getvalue()


def test_a_key_that_a_narrow_table_has_no_room_for_stands_below_it():
    said = printed("rocketmq-production-eu-west-1-broker-07", 60)
    assert " 1 = rocketmq-production-eu-west-1-broker-07\n" in said
    assert "123,456,789" in said
    assert max(map(len, said.splitlines())) <= 60


def test_a_key_that_fits_stands_in_the_table():
    assert " broker-07  123,456,789 " in printed("broker-07", 80)
    assert "= broker-07" not in printed("broker-07", 80)
