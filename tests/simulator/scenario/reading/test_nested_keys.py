"""Keys of a document, and what differs between two."""

from __future__ import annotations

from simulator.scenario.reading.nested_keys import key_differences, nested_keys


def test_places_of_a_list_are_keys_and_an_empty_one_is_a_value():
    assert dict(nested_keys({"a": [1, {"b": 2}], "c": {}})) == {"a.0": 1, "a.1.b": 2, "c": {}}


def test_what_differs_is_named_once_with_both_values():
    before, now = {"a": 1, "b": {"c": 2}, "d": 3}, {"a": 1, "b": {"c": 4}, "e": 5}
    assert list(key_differences(before, now)) == [("b.c", 2, 4), ("d", 3, None), ("e", None, 5)]


def test_alike_documents_differ_in_nothing():
    assert list(key_differences({"a": [1]}, {"a": [1]})) == []
