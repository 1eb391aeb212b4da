"""Every change of the published releases has an answer, and every entry of the release table stands at a change."""

from dataclasses import replace

import pytest

from simulator.releases.broker_release import BrokerSide, ReplicaSide, StoreSide
from simulator.releases.consumer_release import ConsumerClient
from simulator.releases.controller_release import ControllerRelease
from simulator.releases.ledger import PUBLISHED_BY, RELEASES, declared
from simulator.releases.name_server_release import NameServerRelease
from simulator.releases.producer_release import Client
from streaming.releases.history import SCOPES, answers, between, changed


def entries(scope, release):
    """The entries that the answers of one release name."""
    return [
        name for answer in answers() if (answer.scope, answer.release) == (scope, release) for name in answer.entries
    ]


def test_every_change_is_answered():
    for (scope, release), names in changed().items():
        own = [answer for answer in answers() if (answer.scope, answer.release) == (scope, release)]
        assert [name for name in names if not any(answer.covers(name) for answer in own)] == [], (scope, release)


def test_every_answer_stands_at_a_release_where_what_it_names_changed():
    empty = [
        (answer.scope, answer.release, pattern)
        for answer in answers()
        for pattern in answer.patterns
        if not replace(answer, patterns=(pattern,)).evidence()
    ]
    assert empty == []


TABLES = [
    ("client", Client),
    ("broker", StoreSide),
    ("name server", NameServerRelease),
    ("consumer", ConsumerClient),
    ("consumer's broker", BrokerSide),
    ("controller", ControllerRelease),
    ("replica", ReplicaSide),
]


@pytest.mark.parametrize("release", RELEASES[1:])
@pytest.mark.parametrize(("scope", "table"), TABLES)
def test_the_tables_of_releases_change_what_the_answers_say(scope, table, release):
    named = entries(scope, release)
    assert sorted(named) == sorted(name for name, each in declared(table).items() if release in each.changes)


def test_the_audit_covers_the_classes_that_choose_avoid_and_send():
    names = {name for (scope, _), own in changed().items() if scope == "client" for name in own}
    for name in ("MQFaultStrategy.selectOneMessageQueue", "SelectMessageQueueByHash.select", "ProduceAccumulator.send"):
        assert name in names


def test_the_hash_selector_changes_in_4_8_0_and_never_again():
    at = [release for (_, release), names in changed().items() if "SelectMessageQueueByHash.select" in names]
    assert at == ["4.8.0"]


def test_between_two_releases_are_those_after_the_older():
    found = between("4.9.7", "5.0.0")
    assert {answer.release for answer in found} == {"4.9.8", "5.0.0"}
    assert [SCOPES.index(answer.scope) for answer in found if answer.release == "5.0.0"] == sorted(
        SCOPES.index(answer.scope) for answer in found if answer.release == "5.0.0"
    )
    assert between("5.3.3", "5.3.3") == []


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("README.md", f"**{len(RELEASES)}** published releases ({PUBLISHED_BY})"),
        ("tests/golden/README.md", f"(all {len(RELEASES)} releases)"),
        ("docs/looking-inside.md", f"each of the {len(RELEASES)} releases"),
    ],
)
def test_pages_count_the_releases_that_there_are(root, page, words):
    assert words in (root / page).read_text()
