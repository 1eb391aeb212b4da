"""The table of releases."""

from dataclasses import fields, replace

import pytest

from simulator.client.rules import Rules, fill_rules
from simulator.client.selection.selectors import no_place
from simulator.compiled.region_store import RegionStore
from simulator.releases.ledger import RELEASES, declared
from simulator.releases.producer_release import CLIENTS, Client, client_of
from tests.says import Says, raises

BEHAVIOURS = {
    "4.2.0": "4.2.0 4.3.0 4.3.1 4.3.2 4.4.0 4.5.0 4.5.1 4.5.2 4.6.0 4.6.1 4.7.0 4.7.1",
    "4.8.0": "4.8.0",
    "4.9.3": "4.9.0 4.9.1 4.9.2 4.9.3",
    "4.9.7": "4.9.4 4.9.5 4.9.6 4.9.7",
    "4.9.8": "4.9.8",
    "5.0.0": "5.0.0",
    "5.1.0": "5.1.0",
    "5.1.3": "5.1.1 5.1.2 5.1.3",
    "5.1.4": "5.1.4",
    "5.3.3": "5.2.0 5.3.0 5.3.1 5.3.2 5.3.3 5.4.0 5.5.0",
}


@pytest.mark.parametrize(
    ("release", "behaviour"), [(r, behaviour) for behaviour, rs in BEHAVIOURS.items() for r in rs.split()]
)
def test_every_release_behaves_as_its_class(release, behaviour):
    client = client_of(release)
    assert (client.release, client.behaviour) == (release, behaviour)


def test_the_table_holds_exactly_the_releases_there_are():
    assert sorted(RELEASES) == sorted(" ".join(BEHAVIOURS.values()).split())
    assert {release for each in declared(Client).values() for release in each.changes} < set(RELEASES)


def test_5_0_0_is_without_what_4_9_8_corrects():
    assert [client_of(r).rewrites_queue_list for r in ("4.9.7", "4.9.8", "5.0.0", "5.1.4")] == [1, 0, 1, 0]


@pytest.mark.parametrize(("unknown", "near"), [("5.1.9", "5.1.4"), ("6.0.0", "5.5.0"), ("4.8", "4.8.0")])
def test_an_unknown_release_is_refused_with_the_nearest(unknown, near):
    with raises(ValueError, Says("release.unknown", release=unknown, near=near)):
        client_of(unknown)


def test_every_client_has_a_penalty_for_every_class():
    for release in RELEASES:
        client = client_of(release)
        assert len(client.latency_max_ms) == len(client.not_available_duration_ms)


def test_a_value_holds_until_a_release_changes_it():
    assert [CLIENTS[r].isolation_ms for r in ("5.1.3", "5.1.4", "5.3.3")] == [30_000, 10_000, 10_000]
    assert [CLIENTS[r].unreachable_is_unavailable for r in ("5.1.3", "5.1.4", "5.2.0")] == [False, True, False]


def test_two_rules_of_the_same_numbers_cannot_be_swapped(monkeypatch):
    table = declared(Client)
    swapped = replace(table["over_budget"], first=table["async_left"].first)
    monkeypatch.setattr(next(each for each in fields(Client) if each.name == "over_budget"), "default", swapped)
    with pytest.raises(TypeError, match="over_budget: async_left_4_2_0 is another rule"):
        declared(Client)


def test_a_rule_that_a_run_is_handed_is_the_clients():
    rules = RegionStore(Rules).directory
    fill_rules(rules, client_of("4.9.8"), strategy_on=True, own_place=no_place)
    assert (rules.select, rules.update) == (CLIENTS["4.9.8"].select_on, CLIENTS["4.9.8"].update)
