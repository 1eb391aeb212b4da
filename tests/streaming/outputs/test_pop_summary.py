"""What POP groups popped, summed up over brokers and windows."""

import pyarrow as pa

from state.later_tables import POPS
from streaming.outputs.tables.pop_summary import PopTotals


def window(at_s, broker, popped, invisible, **more):
    counts = dict.fromkeys(("acknowledged", "revived", "revived_failed", "revived_unheard", "refused"), 0)
    return {
        "cell": 0, "window_start_us": at_s * 1_000_000, "window_us": 1_000_000, "consumer_group": "billing",
        "topic": "orders", "broker": broker, "popped": popped, "invisible": invisible,
    } | counts | more  # fmt: skip


def test_counts_are_summed_and_what_is_invisible_is_that_of_the_last_window():
    totals = PopTotals()
    windows = [window(0, "a", 5, 4), window(0, "b", 6, 3, revived=2), window(1, "a", 7, 1), window(1, "b", 8, 1)]
    for batch in pa.Table.from_pylist(windows, schema=POPS.schema).to_batches():
        totals.add(batch)
    (found,) = totals.summaries()
    assert (found.consumer_group, found.popped, found.revived) == ("billing", 26, 2)
    assert (found.invisible, found.most_invisible) == (2, 7)


def test_without_pop_groups_there_is_nothing_to_say():
    assert PopTotals().summaries() == ()
