"""A count of one: whatever is counted in a text stands in both forms, `{count} {count:queue|queues}`."""

from __future__ import annotations

import re

import pytest

from state.texts import Text
from tests.house.catalogue.test_texts import TEXTS

COUNTED = """attempts brokers bytes cases clusters columns consumers copies cores deliveries events faults files groups
instances keys lines machines messages minutes offsets points processes producers proxies queues records replicas
requests results retries rows runs schedules scrapes seconds seeds sends sets slaves steps threads times topics tries
values windows workers"""
BEHIND_A_FACT = re.compile(rf"\{{(\w+)(?::[^}}|]*)?\}}(?: [a-z]+)? ({'|'.join(COUNTED.split())})\b")
# By any of these names it is a number of something, whatever that is.
COUNT = re.compile(r"\{(count)(?::[^}|]*)?\}(?: more| other)? ([a-z]+s)\b")
# Bounds of the program that are more than one, and rates, which are seldom whole.
NEVER_ONE = re.compile(r"most|per_\w+")
EXEMPT = {
    "at least two": (
        "card.first-rows", "init-note.several-clusters", "init-source.minute-of-several", "job.comes-back-too-often",
        "kafka-demo.compared", "replica-warning.even-controllers", "replica-warning.even-set",
        "sql.too-many-combinations", "warning.large-backlog", "warning.long-run",
        "warning.more-instances-than-queues", "warning.same-client-id",
    ),
    "a factor or a rate, seldom whole": (
        "arms.shares", "case.more-load", "evidence.slow", "evidence.stored", "finding.asked-for-all",
        "finding.busiest-queue",
        "fit.not-a-closed-loop", "fitted.group", "import-note.latency-in-minutes", "unit.endless-rate",
        "verdict.duplicates-times", "warning.broker-load",
    ),
    "given as COUNT x THREADS": ("init-source.service-bound",),
    "a name, and a verb or what comes next": (
        "broker.network-of-grpc", "broker.slaves-in-a-set", "command-result.arms-release-differs",
        "command-result.arms-release-edited", "command-result.fault-affects-consumers",
        "command-result.run-over-proxies",
        "consequence.duplicates", "hunt-run.space", "master.offsets-again",
        "consumer.trace-of-delays", "incident.empty-catalogue", "init-note.counts-since-start",
        "producer.no-async-batch", "proxied.at-brokers", "replica-warning.master-as-slave", "summary.over-proxies",
        "warning.held-in-order",
    ),
}  # fmt: skip
FORM = re.compile(r"\{\w+:[^{}]*\|(?:[^{}]|\{[^{}]*\})*\}")
OF_MESSAGES = re.compile(r"\{(since|messages|attempts|count|size|deliveries)\b")
OF_OTHERS = (
    "consequence.skipped-since-start",
    "group-finding.skipped-since-start",
    "finding.isolated-brokers",
    "replica-warning.even-controllers",
    "replica-warning.even-set",
    "warning.large-backlog",
)
EXEMPT_IDS = {id for ids in EXEMPT.values() for id in ids}


def only_several(template: str) -> list[str]:
    """What is counted in a text, and stands in the form for several alone."""
    found = [*BEHIND_A_FACT.finditer(template), *COUNT.finditer(template)]
    return [match[0] for match in found if not NEVER_ONE.fullmatch(match[1])]


def test_what_is_counted_has_a_form_for_one():
    assert {
        id: wrong for id, text in TEXTS.items() if id not in EXEMPT_IDS and (wrong := only_several(text.template))
    } == {}


def test_what_is_exempt_is_there_and_would_be_seen():
    assert {id for id in EXEMPT_IDS if not only_several(TEXTS[id].template)} == set()


def of_several(template: str) -> bool:
    """Whether what is counted is `them` in a text, however many they are."""
    return bool(OF_MESSAGES.search(template) and re.search(r"\bthem\b", FORM.sub("", template)))


def test_what_is_counted_is_it_where_it_is_one():
    texts = {id: text.template for id, text in TEXTS.items() if of_several(text.template)}
    assert sorted(texts) == sorted((*OF_OTHERS, "summary.announced"))
    assert of_several("{messages} failed, and none of them is stored")
    assert not of_several("{messages} failed, and {count:is not|none of them is} stored")


@pytest.mark.parametrize("template", ["{size:,.0f} messages behind", "{x} more queues", "and {count} more apples"])
def test_a_count_with_one_form_is_seen(template):
    assert only_several(template)


@pytest.mark.parametrize("count", [1, 2])
def test_a_form_goes_with_its_number(count):
    text = Text("{count:,} more {count:queue is|queues are} behind")
    assert only_several(text.template) == []
    assert text(count=count) == ["1 more queue is behind", "2 more queues are behind"][count - 1]
