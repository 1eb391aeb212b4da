"""The tables of the consumer's side: every release has every entry, and an unknown one is refused."""

from simulator.releases.broker_release import BROKERS
from simulator.releases.consumer_release import CONSUMERS, consumer_of
from simulator.releases.ledger import RELEASES
from tests.says import Says, raises


def test_every_release_has_a_consumer_and_a_broker():
    assert list(CONSUMERS) == list(BROKERS) == list(RELEASES)
    assert all(consumer_of(release).release == release for release in RELEASES)


def test_an_unknown_release_is_refused_with_the_nearest():
    with raises(ValueError, Says("release.unknown", release="5.1.9", near="5.1.4")):
        consumer_of("5.1.9")


def test_what_changes_stands_at_its_release():
    def values(name):
        return [getattr(CONSUMERS[release], name) for release in ("4.5.2", "4.6.0", "4.9.4", "4.9.5", "5.0.0", "5.2.0")]

    assert values("pull_time_delay_mills_when_exception") == [3000, 1000, 1000, 1000, 1000, 1000]
    assert values("pull_time_delay_mills_when_broker_flow_control") == [-1, -1, -1, 20, -1, 20]
    assert values("rebalance_min_interval") == [-1, -1, -1, -1, -1, 1000]
