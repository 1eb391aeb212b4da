"""Load by queue is shown where chance does not explain it."""

import pytest

from streaming.outputs.dataset import open_output
from streaming.report import write_report
from streaming.report.collected.uneven_queues import QueueTotals, queue_card
from streaming.report.texts.card_texts import CardTexts
from tests.says import Says
from tests.streaming.report.fake_output import write_output, write_run, write_table


def totals_of(folder, *attempts):
    """Totals of attempts, given as (topic, broker, queue, how many), a file each."""
    write_run(folder)
    for block, (topic, broker, queue, count) in enumerate(attempts):
        rows = {"topic": [topic] * count, "broker": [broker] * count, "queue_id": [queue] * count}
        write_table(folder, "attempts", rows, block)
    output = open_output(folder)
    totals = QueueTotals(output)
    output.feed("attempts", totals)
    return totals


def test_a_queue_that_gets_more_than_its_share_is_named(tmp_path):
    busy = [("orders", "broker-a", 0, 600), ("orders", "broker-a", 1, 100), ("orders", "broker-b", 2, 300)]
    totals = totals_of(tmp_path, *busy)
    assert [(topic, broker, queues.tolist()) for topic, broker, queues in totals.uneven()] == [
        ("orders", "broker-a", [600, 100]),
        ("orders", "broker-b", [0, 0, 300]),
    ]
    assert queue_card(totals)["note"] == Says(
        "card.busiest", queue=0, broker="broker-a", percent="60.00", topic="orders"
    )


@pytest.mark.parametrize("counts", [(100, 130), (3, 9), (0, 0)])
def test_chance_is_not_shown(tmp_path, counts):
    totals = totals_of(tmp_path, *(("orders", "broker-a", queue, count) for queue, count in enumerate(counts) if count))
    assert totals.uneven() == []
    assert queue_card(totals) is None


def test_an_even_topic_is_left_out_beside_an_uneven_one(tmp_path):
    even = [("bills", "broker-a", queue, 50) for queue in (0, 1)]
    uneven = [("orders", "broker-c", 0, 500), ("orders", "broker-c", 1, 50)]
    assert {topic for topic, _, _ in totals_of(tmp_path, *even, *uneven).uneven()} == {"orders"}


def test_names_of_topics_cannot_become_markup(tmp_path):
    write_output(tmp_path, 1_000)
    totals_of(tmp_path, ("<b>", "broker-a", 0, 500), ("<b>", "broker-a", 1, 50))
    page = write_report(tmp_path).read_text()
    busiest = CardTexts.BUSIEST(queue=0, broker="broker-a", percent="90.91", topic="&lt;b&gt;")
    assert busiest in page
    assert "of <b>" not in page


def test_a_run_with_even_queues_has_no_such_card(tmp_path):
    assert "title-queues" not in write_report(write_output(tmp_path, 1_000)).read_text()
