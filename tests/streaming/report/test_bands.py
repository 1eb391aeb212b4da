"""However often a fault comes, every fault is shaded in the pictures."""

from __future__ import annotations

from streaming.report.fault_times import ReportFault, joined
from streaming.report.page import MAX_BANDS, _bands


def fault(number: str, *stretches: tuple[int, int]) -> ReportFault:
    return ReportFault(number, number, number, stretches)


OFTEN = fault("F1", *((second * 1_000_000, second * 1_000_000 + 400_000) for second in range(600)))
LATE = fault("F2", (590_000_000, 595_000_000))


def test_a_frequent_fault_leaves_no_later_fault_unshaded():
    bands = _bands([OFTEN, LATE])
    assert len(bands) == MAX_BANDS
    assert [band["label"] for band in bands].count("F2") == 1


def test_what_is_shaded_covers_the_first_and_the_last_stretch():
    bands = [band for band in _bands([OFTEN, LATE]) if band["number"] == "F1"]
    assert bands[-1]["until"] - bands[0]["from"] == 599_400  # ms


def test_nearest_neighbours_are_joined_first():
    assert joined([(0, 10), (12, 20), (90, 100)], 2) == [(0, 20), (90, 100)]
    assert joined([(0, 10), (12, 20), (90, 100)], 1) == [(0, 100)]
    assert joined([(0, 10), (12, 20)], 5) == [(0, 10), (12, 20)]


def test_more_faults_than_bands_have_one_each():
    faults = [fault(f"F{i}", (i, i + 1), (i + 5, i + 6)) for i in range(MAX_BANDS + 50)]
    assert {band["number"] for band in _bands(faults)} == {each.number for each in faults}
