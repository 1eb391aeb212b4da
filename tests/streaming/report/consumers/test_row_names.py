"""Names beside a picture are whole where they fit, and tell rows apart where they do not."""

from __future__ import annotations

import pytest

from streaming.report.row_names import LEAST_PX, MOST_CHARACTERS, MOST_PX, room_px, short_names

BROKERS = [f"rmq-prod-eu-central-1{zone}-broker-{number}" for number, zone in enumerate("ab")]
LONG = [f"{broker}:CID_payment_settlement_europe-{number}" for broker in BROKERS for number in (1, 2, 3)]


def test_names_that_fit_stay_and_get_the_room_that_they_need():
    names = ["broker-a:popping-1", "broker-b:popping-1"]
    assert short_names(names) == names
    assert LEAST_PX < room_px(names) <= MOST_PX
    assert room_px(["a:0"]) == LEAST_PX


def test_what_all_names_have_in_common_at_the_begin_of_a_part_is_left_out():
    zones = ("…1a-broker-0", "…1b-broker-1")
    assert short_names(LONG) == [f"{zone}:…{number}" for zone in zones for number in (1, 2, 3)]
    assert short_names([f"broker-a:payment-settlement-{number}" for number in (2, 12)]) == [
        "broker-a:…2",
        "broker-a:…12",
    ]


def test_one_name_in_all_rows_keeps_its_last_two_words():
    assert short_names([f"{BROKERS[0]}:{queue}" for queue in (0, 1, "retry")])[1:] == ["…broker-0:1", "…broker-0:retry"]


def test_names_without_parts_in_common_lose_their_middle():
    short = short_names(["x" * 40 + "-a", "y" * 40 + "-b"])
    assert [(len(name), name[0], name[-2:]) for name in short] == [
        (MOST_CHARACTERS, "x", "-a"), (MOST_CHARACTERS, "y", "-b"),
    ]  # fmt: skip


@pytest.mark.parametrize("names", [LONG, ["x" * 40 + "1" + "x" * 40, "x" * 40 + "2" + "x" * 40]])
def test_names_stay_different(names):
    assert len(set(short_names(names))) == len(names)
