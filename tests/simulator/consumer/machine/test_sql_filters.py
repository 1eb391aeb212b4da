"""Groups that filter by SQL92: what they get, what brokers refuse, what reading properties takes."""

from __future__ import annotations

import pytest

from simulator.scenario import ScenarioError
from simulator.scenario.checks.warnings import warnings_of
from tests.says import Said, Says
from tests.simulator.small import ran_tables, rows, scenario_of

SERVES = {"latency": {"constant": "1ms"}, "enable_property_filter": True}
TOPIC = {
    "queues": 2,
    "tags": {"new": 3, "paid": 1},
    "properties": {
        "region": {"eu": 3, "us": 1},
        "amount": {"uniform": {"min": 1, "max": 100}},
        "coupon": {"values": ["x"], "present": 0.5},
    },
}
KNOWN = "TAGS, amount, coupon, region"
GROUP = {"threads": 4, "service": "5ms", "release": "5.3.3"}


def given(sql, /, *, broker=SERVES, topic=TOPIC, **changes):
    """Twenty seconds in which a group reads with that expression."""
    groups = {"billing": GROUP | {"topics": {"orders": {"sql": sql}}}}
    base = {"duration": "20s", "producers": {"rate": "40/s"}, "brokers": {"a": broker}, "topics": {"orders": topic}}
    return base | {"consumers": groups} | changes


def share(sql, /, **changes):
    """Which part of what is sent the group consumes."""
    run = ran_tables(**given(sql, **changes))
    return len(rows(run, "consumed")) / run.sends.num_rows


def refused(sql, /, **changes):
    with pytest.raises(ScenarioError) as found:
        scenario_of(**given(sql, **changes))
    return Said(found.value)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("region = 'eu'", 0.75),
        ("amount > 10 AND region = 'us'", 0.225),
        ("coupon IS NULL", 0.5),
        ("TAGS = 'paid' OR TAGS = 'new'", 1.0),
    ],
)
def test_a_group_gets_the_share_of_its_expression(sql, expected):
    assert share(sql) == pytest.approx(expected, abs=0.04)


def test_an_expression_over_tags_takes_the_messages_that_the_tag_takes():
    by_tag = ran_tables(**given("region = 'eu'", consumers={"billing": GROUP | {"topics": {"orders": "paid"}}}))
    by_sql = ran_tables(**given("TAGS = 'paid'"))
    assert by_sql.column("consumed", "send_seq").tolist() == by_tag.column("consumed", "send_seq").tolist()


def test_windows_count_what_brokers_looked_at_read_and_gave():
    def counts(sql, **changes):
        run = ran_tables(**given(sql, **changes))
        names = ("looked_at", "properties_read", "given")
        return *(int(run.column("consumer_windows", name).sum()) for name in names), len(rows(run, "consumed"))

    looked_at, read, gave, consumed = counts("region = 'us'")
    assert looked_at == read > 3 * gave
    assert consumed <= gave <= consumed + 2  # what is under way at the end
    kept = SERVES | {"enable_calc_filter_bit_map": True, "enable_consume_queue_ext": True}
    assert counts("region = 'us'", broker=kept)[:3] == (looked_at, gave, gave)
    by_tag = {"billing": GROUP | {"topics": {"orders": "paid"}}}
    assert counts("region = 'us'", consumers=by_tag)[1] == 0


def test_a_property_draws_the_same_whatever_others_there_are():
    alone = {**TOPIC, "properties": {"region": {"eu": 3, "us": 1}}}
    assert share("region = 'us'", topic=alone) == share("region = 'us'")


def test_a_group_of_producers_sends_properties_of_its_own():
    assert share("region = 'us'", producers={"rate": "40/s", "properties": {"region": ["us"]}}) > 0.99


def test_a_text_that_is_no_number_drops_the_message():
    decimals = {"rate": "40/s", "properties": {"amount": ["9.90", "20"]}}
    assert share("amount > 5", producers=decimals) == pytest.approx(0.5, abs=0.04)
    (warned,) = warnings_of(scenario_of(**given("amount > 5", producers=decimals)))
    assert warned == Says("warning.expression-throws", topic="orders", share="50%")


def test_messages_that_are_not_taken_are_no_backlog_once_the_group_is_past_them():
    run = ran_tables(**given("region = 'us'", producers={"rate": "40/s", "rate_changes": {"10s": "0.001/s"}}))
    assert run.column("stored", "lag")[-2:].sum() == 0


def test_a_broker_without_property_filter_refuses_every_pull():
    plain = {"latency": {"constant": "1ms"}}
    assert share("region = 'eu'", broker=plain) == 0
    (warned,) = warnings_of(scenario_of(**given("region = 'eu'", broker=plain)))
    assert warned == Says("warning.pulls-refused", brokers="a", group="billing")


def caught_up_s(sql, **keys):
    """When a group is past 20,000 messages of one queue of which it takes few."""
    topic = {**TOPIC, "queues": 1}
    group = GROUP | {"topics": {"orders": {"sql": sql}}, "backlog": 20_000}
    broker = SERVES | keys
    run = ran_tables(**given(sql, broker=broker, topic=topic, consumers={"billing": group}, duration="60s"))
    lag = run.column("stored", "lag").tolist()
    return next(second for second, behind in enumerate(lag, start=1) if behind < 1_000)


def test_reading_properties_takes_a_pull_thread_its_time_for_each_message():
    sql = "amount > 99"
    assert caught_up_s(sql) <= 2
    assert caught_up_s(sql, filter_latency="1ms") == pytest.approx(22, abs=2)


def test_a_broker_that_keeps_the_answers_reads_only_what_is_taken():
    keeps = {"enable_calc_filter_bit_map": True, "enable_consume_queue_ext": True, "filter_latency": "1ms"}
    assert caught_up_s("amount > 99", **keeps) <= 2
    assert caught_up_s("amount > 99", filter_latency="1ms", enable_calc_filter_bit_map=True) > 15


def test_what_is_not_taken_is_read_from_the_disk_as_well():
    disk = {"memory": "1MiB", "disk_read": "10ms"}
    assert caught_up_s("amount > 99", **disk) == pytest.approx(20_000 / 8 * 0.01, rel=0.25)


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("region == 'eu'", "at line 1, column 9; expected NOT, TRUE"),
        ("region == 'eu'", Says("consumer.broker-cannot-read", near="=")),
        ("region = 'eu' && amount > 1", Says("consumer.broker-cannot-read", near="AND")),
        ("regoin = 'eu'", Says("consumer.set-properties", what="property", name="regoin", near="region", known=KNOWN)),
        ("region = 'mars'", Says("consumer.sql-matches-nothing", topic="orders")),
        ("region LIKE 'e%'", Says("consumer.sql-matches-nothing", column=8, rest="\"LIKE 'e%'\"")),
        ("NOT amount > 5", "Value '(NOT amount)' cannot be compared."),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(sql, sentence):
    assert sentence in refused(sql)


def test_brokers_that_read_an_expression_differently_are_refused():
    brokers = {"a": SERVES, "b": SERVES | {"release": "5.1.1"}}
    ways = "one of 5.5.0 reads (CONTAINS region), one of 5.1.1 reads region"
    says = Says("consumer.brokers-read-unlike", ways=ways)
    assert says in refused("region CONTAINS 'e'", brokers=brokers)


@pytest.mark.parametrize(
    ("properties", "sentence"),
    [
        ({"TAGS": ["x"]}, Says("message.system-property", name="TAGS")),
        ({"and": ["x"]}, Says("message.word-of-sql", name="and")),
        ({"a-b": ["x"]}, Says("message.property-name-expected", got='"a-b"')),
        ({"a": {"x": 0}}, Says("reading.count-out-of-range", most=1000000, count=0)),
        ({"a": {"uniform": {"min": 5, "max": 1}}}, Says("message.below-min", min=5, got=1)),
        ({"a": {"lognormal": {"p50": 5, "p99": 5}}}, Says("message.p99-below-p50", p50=5, got=5)),
        ({"a": {"present": 0.5}}, Says("message.property-expected")),
    ],
)
def test_a_property_that_cannot_be_drawn_is_refused(properties, sentence):
    assert sentence in refused("region = 'eu'", topic={**TOPIC, "properties": properties})
