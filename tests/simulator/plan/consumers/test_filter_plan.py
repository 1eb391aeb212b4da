"""Tables of SQL92 filters and of subscriptions that pop: what is equal is there once."""

from __future__ import annotations

from simulator.compiled.region_store import columns
from simulator.consumer.memory.consumer_group import SqlReading
from simulator.consumer.memory.queue_log import LogTopic
from simulator.plan.compile import compile_scenario
from simulator.plan.consumers.subscriptions.filter_plan import filter_regions
from simulator.scenario.distributions import message_properties
from tests.simulator.small import scenario_of

NUMBERS = {"lognormal": {"p50": 20, "p99": 400}}
TOPICS = {"orders": {"queues": 2, "properties": {"region": {"eu": 3, "us": 1}, "size": NUMBERS}}}
BROKERS = {"a": {"latency": {"constant": "2ms"}, "enable_property_filter": True}}


def regions_of(*sqls, producers=({"count": 1, "rate": "1/s"},)):
    """The regions for groups that each have an expression."""
    groups = {f"g{n}": {"topics": {"orders": {"sql": sql}}, "service": "1ms"} for n, sql in enumerate(sqls)}
    scenario = scenario_of(topics=TOPICS, brokers=BROKERS, consumers=groups, producers=list(producers))
    return filter_regions(scenario, ["orders"])[0]


def test_groups_with_equal_expressions_share_their_tables():
    one, three = regions_of("region = 'eu'"), regions_of(*3 * ["region = 'eu'"])
    assert len(three["sql_readings"]) == 3 * len(one["sql_readings"])
    assert [len(three[name]) for name in ("sql_terms", "sql_answers", "drawn_properties")] == [
        len(one[name]) for name in ("sql_terms", "sql_answers", "drawn_properties")
    ]


def test_producers_with_other_values_have_tables_of_their_own():
    rates = {"count": 1, "rate": "1/s"}
    found = regions_of("region = 'eu'", producers=[rates, rates | {"properties": {"region": ["us"]}}])
    first_answer = found["sql_readings"][:, columns(SqlReading)["first_answer"]].tolist()
    assert first_answer == [0, 2, 0]  # the second group; what nobody sent is as the first


def test_the_quantiles_of_a_distribution_are_made_once(monkeypatch):
    message_properties._drawn.cache_clear()
    regions_of("size > 30", "size > 40", "size > 50")
    assert message_properties._drawn.cache_info().misses <= 2


def test_a_topic_knows_who_pops_it_and_its_retries():
    pops = {"topic": "orders", "consume_mode": "POP", "service": "10ms", "fails": 0.1, "release": "5.3.3"}
    groups = {"pulls": {"topic": "orders", "service": "10ms"}, "a": pops, "b": pops}
    brokers = {name: {"latency": {"constant": "2ms"}, "release": "5.3.3"} for name in ("a", "b")}
    cluster = compile_scenario(scenario_of(consumers=groups, brokers=brokers)).cells[0].consumers.cluster
    topics = cluster["log_topics"].reshape(-1, len(columns(LogTopic)))
    assert topics[:, columns(LogTopic)["popping"]].tolist() == [2, 1, 1]  # orders, and what comes again to each group
    assert cluster["popping"].tolist() == [0, 2, 1, 3]  # 4 pulls
