"""Which recordings are pairs."""

from __future__ import annotations

from streaming.proof.pairs.pairs import pairs_of


def names(*recordings: str) -> set[tuple[str, str]]:
    found = pairs_of(f"live-{one}" for one in recordings)
    return {tuple(one.name.removeprefix("live-") for one in (pair.source, pair.target)) for pair in found}


def test_the_same_story_under_two_releases_is_a_pair_both_ways():
    assert names("4.9.8-s5", "5.3.3-s5", "5.3.3-s2") == {("4.9.8-s5", "5.3.3-s5"), ("5.3.3-s5", "4.9.8-s5")}


def test_the_strategy_and_the_cap_tell_the_same_story():
    assert len(names("5.3.3-s3", "5.3.3-s4", "5.3.3-s6", "5.3.3-s6mp", "5.3.3-s10", "5.3.3-s10off")) == 6


def test_two_differences_make_a_pair_where_nothing_lies_between():
    assert ("4.9.8-s3", "5.3.3-s4") in names("4.9.8-s3", "5.3.3-s4")
    assert ("4.9.8-s3", "5.3.3-s4") not in names("4.9.8-s3", "5.3.3-s4", "5.3.3-s3")


def test_asynchronous_sends_are_another_story():
    assert names("5.3.3-s3a", "5.3.3-s3") == set()
