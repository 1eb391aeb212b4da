"""How long a producer avoided a broker, from the changes of its fault items."""

import numpy as np
import pyarrow as pa
import pytest

from state.tables import TABLES
from streaming.errors import InputError
from streaming.outputs.avoidance import Avoidance
from streaming.outputs.dataset import RunOutput
from tests.says import Says, raises
from tests.streaming.report.fake_output import SECOND, about

FIELDS = (
    "producer",
    "broker",
    "at_us",
    "change_seq",
    "start_timestamp_ms",
    "reachable",
    "available",
    "removed",
)


def change(at_s, until_s=0, available=False, reachable=True, producer=0, broker="broker-b", removed=False):
    return producer, broker, at_s * SECOND, at_s, until_s * 1000, reachable, available, removed


def read(*changes, batches=1, release="4.9.8", bin_us=0, **more):
    from pathlib import Path

    avoidance = Avoidance(RunOutput(Path("x"), about(release=release, **more)), bin_us, frozenset({0}))
    schema = pa.schema([TABLES["fault_items"].schema.field(name) for name in FIELDS])
    for part in np.array_split(np.arange(len(changes)), batches):
        columns = zip(*(changes[i] for i in part), strict=True)
        arrays = [pa.array(v).cast(f.type) for v, f in zip(columns, schema, strict=True)]
        avoidance.add(pa.RecordBatch.from_arrays(arrays, schema=schema))
    return avoidance.close()


def seconds(*changes, **more):
    """Seconds of isolation of broker-b, summed over the producers."""
    return read(*changes, **more).isolated_us[1] / SECOND


@pytest.mark.parametrize("batches", [1, 2])
class TestIsolation:
    def test_ends_at_start_timestamp(self, batches):
        assert seconds(change(10, until_s=40), change(90, available=True), batches=batches) == 30

    def test_ends_early_when_a_change_makes_it_available(self, batches):
        assert seconds(change(10, until_s=40), change(15, available=True), batches=batches) == 5

    def test_is_extended_by_a_later_change(self, batches):
        assert seconds(change(10, until_s=40), change(30, until_s=60), batches=batches) == 50

    def test_is_shortened_by_a_later_change(self, batches):
        assert seconds(change(10, until_s=100), change(20, until_s=25), batches=batches) == 15

    def test_ends_when_the_item_leaves_the_table(self, batches):
        assert seconds(change(10, until_s=40), change(20, until_s=40, removed=True), batches=batches) == 10

    def test_is_cut_at_the_end_of_the_run(self, batches):
        assert seconds(change(10, available=True), change(290, until_s=500), batches=batches) == 10

    def test_514_keeps_an_unreachable_broker_out_until_the_next_change(self, batches):
        changes = change(10, until_s=20, reachable=False), change(100, available=True)
        assert seconds(*changes, release="5.1.4", batches=batches) == 90

    def test_520_lets_an_unreachable_broker_back_at_start_timestamp(self, batches):
        changes = change(10, until_s=20, reachable=False), change(100, available=True)
        assert seconds(*changes, release="5.2.0", batches=batches) == 10

    def test_of_producers_and_brokers_does_not_mix(self, batches):
        mixed = change(10, 20), change(11, 13, producer=1), change(12, 20, broker="broker-c")
        assert read(*mixed, batches=batches).isolated_us.tolist() == [0, 12 * SECOND, 8 * SECOND]


def test_514_unreachable_to_the_end_of_the_run():
    assert seconds(change(200, until_s=210, reachable=False), release="5.1.4") == 100


def test_average_is_over_all_producers_of_the_run():
    assert read(change(10, until_s=50)).isolated_s()[1] == 40 / 8


def test_fraction_is_weighted_by_time_within_a_bin():
    fraction = read(change(5, until_s=25), bin_us=10 * SECOND).fraction()[1] * 8
    assert fraction[:4].tolist() == [0.5, 1, 0.5, 0]


def test_fraction_adds_up_to_the_isolation_with_a_short_last_bin():
    avoidance = read(change(5, until_s=500), bin_us=70 * SECOND)
    widths = np.array([70, 70, 70, 70, 20])
    assert (avoidance.fraction()[1] * widths).sum() == pytest.approx(avoidance.isolated_s()[1])


def test_bars_join_isolations_that_follow_at_once():
    assert read(change(10, 40), change(30, 60), change(100, 110)).bars == {
        (0, 1): [[10 * SECOND, 60 * SECOND], [100 * SECOND, 110 * SECOND]]
    }


def test_changes_out_of_order_are_refused():
    with raises(InputError, Says("output.changes-out-of-order")):
        read(change(50, 60), change(10, 20), batches=2)
