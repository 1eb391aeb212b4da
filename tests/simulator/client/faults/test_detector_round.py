"""One round of the detector."""

import numpy as np
import pytest

from simulator.client.faults.detector_round import detect_by_one_round
from simulator.compiled.records import Cells


@pytest.fixture
def p(producer):
    p = producer("5.3.3", {"a": 1, "b": 1})
    p.isolate("a", "b", reachable=0)
    return p


def detect(p, now, masters=(1, 1), answers=(0, 0)):
    probed = np.zeros(2, np.int64)
    regions = [Cells.of(np.array(numbers)) for numbers in (masters, answers)]
    return probed[: detect_by_one_round(p.faults, now, 2000, *regions, Cells.of(probed))].tolist()


def test_an_answer_makes_reachable_and_no_answer_never_unreachable(p):
    assert detect(p, 3000, answers=(1, 0)) == [0, 1]
    assert (p.item("a").reachable, p.item("b").reachable) == (1, 0)
    detect(p, 6000)
    assert p.item("a").reachable == 1


def test_an_item_is_due_again_after_the_interval(p):
    detect(p, 3000)
    assert p.item("a").check_stamp == 5000
    assert detect(p, 4999) == []
    assert detect(p, 5000) == [0, 1]


def test_a_broker_without_a_master_is_forgotten(p):
    assert detect(p, 3000, masters=(0, 1)) == [1]
    assert p.known == ["b"]
