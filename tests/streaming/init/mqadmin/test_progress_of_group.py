"""What is left of consumerProgress -g where it was cut off: a sentence, or a note where rows may be missing."""

from __future__ import annotations

import pytest

from streaming.errors import InputError
from tests.says import Says, raises
from tests.streaming.init.asked import init_scenario, init_text, saved, words_of
from tests.streaming.init.mqadmin.printed import PROGRESS_4_2, PROGRESS_COLUMNS, table

ECHO = "$ mqadmin consumerProgress -g billing\n"
LATE = "2026-11-28 10:00:00"


def progress(*queues):
    """Rows of what each queue stores, what is consumed of it, and the printed difference."""
    rows = [("orders", "broker-a", i, *own[:2], "10.0.0.5", own[2], LATE) for i, own in enumerate(queues)]
    return ECHO + table(PROGRESS_4_2, PROGRESS_COLUMNS, *rows)


@pytest.mark.parametrize("total", ["Diff Total: 2010\n", "Consume Diff Total: 2010\nConsume Inflight Total: 17\n"])
def test_rows_and_their_total_agree(tmp_path, total):
    text = progress((5000, 4000, 1000), (5000, 3990, 1010)) + "\nConsume TPS: 75,40\n" + total
    assert init_scenario(saved(tmp_path, "p.txt", text)).consumers["billing"].backlog == 2010


def test_a_difference_cut_off_is_a_sentence(tmp_path):
    text = progress((5000, 4000, 1000), (5000, 3990, 10))
    with raises(InputError, Says("init.diff-cut-off", "...:4", got=10, apart=1010)):
        init_text(saved(tmp_path, "p.txt", text))


def test_a_row_that_is_missing_is_a_sentence(tmp_path):
    with raises(InputError, Says("init.total-of-other-rows", rows=1000, total=2010)):
        init_text(saved(tmp_path, "p.txt", progress((5000, 4000, 1000)) + "\nDiff Total: 2010\n"))


def test_without_the_total_rows_may_be_missing(tmp_path):
    whole = progress((5000, 4000, 1000))
    said = Says("init-note.without-total")
    assert said in words_of(saved(tmp_path, "p.txt", whole))
    assert said not in words_of(saved(tmp_path, "p.txt", whole + "\nDiff Total: 1000\n"))
