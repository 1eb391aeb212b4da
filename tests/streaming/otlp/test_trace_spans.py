"""A message is a trace, its attempts are spans: as OpenTelemetry's own types read them."""

from __future__ import annotations

import pytest
from google.protobuf.json_format import ParseError
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from simulator.run.simulate import simulate
from streaming.otlp.trace_spans import requests
from tests.house.tree import ROOT
from tests.streaming.otlp.collector_of_tests import TestCollector, parsed

ZERO_NS = 1_795_000_000_000_000_000
HANG = {"duration": "20s", "faults": [{"at": "2s", "for": "10s", "broker": "broker-b", "kind": "hang"}]}


@pytest.fixture(scope="module")
def result():
    quickstart = ROOT / "conf/scenarios/quickstart.yaml"
    return simulate(quickstart, overrides={**HANG, "producers.count": 3}, tables=["attempts", "sends"])


@pytest.fixture(scope="module")
def traces(result):
    """Spans of a trace by its id: the message first, then its attempts."""
    collector = TestCollector()
    for table in ("sends", "attempts"):
        for request in requests("main", table, result.tables[table], ZERO_NS, 100):
            assert collector.take(request)[0] == 200
    found: dict[bytes, list] = {}
    for resource, span in collector.spans:
        found.setdefault(span.trace_id, []).append((resource, span))
    return found


def attributes(span):
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in span.attributes}


def test_there_is_a_trace_for_each_message_and_a_span_for_each_attempt(result, traces):
    assert len(traces) == result.sends.num_rows
    assert sum(len(spans) - 1 for spans in traces.values()) == result.attempts.num_rows
    assert len({span.span_id for spans in traces.values() for _, span in spans}) == sum(map(len, traces.values()))


def test_attempts_hang_below_their_message_within_its_time(traces):
    for (_, message), *attempts in traces.values():
        assert (message.parent_span_id, message.kind) == (b"", Span.SPAN_KIND_PRODUCER)
        for _, attempt in attempts:
            assert (attempt.parent_span_id, attempt.kind) == (message.span_id, Span.SPAN_KIND_CLIENT)
            assert message.start_time_unix_nano <= attempt.start_time_unix_nano < attempt.end_time_unix_nano
            assert attempt.end_time_unix_nano <= message.end_time_unix_nano


def test_a_retried_message_shows_which_broker_failed_and_which_took_it(traces):
    _, retried = max(traces.values(), key=len)[0]
    spans = next(spans for spans in traces.values() if spans[0][1] is retried)
    first, *_, last = (attributes(span) for _, span in spans[1:])
    assert (first["server.address"], first["error.type"]) == ("broker-b", first["sendlab.outcome"])
    assert spans[1][1].status.code == Status.STATUS_CODE_ERROR
    assert (last["sendlab.outcome"], "error.type" in last) == ("SEND_OK", False)
    assert attributes(retried)["sendlab.attempts"] == len(spans) - 1


def test_times_are_those_of_the_tables_from_time_0_on(result, traces):
    first = min(result.sends.column("arrival_us").to_pylist())
    assert min(spans[0][1].start_time_unix_nano for spans in traces.values()) == ZERO_NS + first * 1_000


def test_a_producer_is_an_instance_of_the_service_of_its_group(result, traces):
    group = result.sends.column("producer_group")[0].as_py()
    named = {(r["service.name"], r["service.instance.id"]) for spans in traces.values() for r, _ in spans}
    assert named == {(group, f"main/{producer}") for producer in range(3)}


def test_ids_are_the_same_again_and_of_another_run_others(result):
    def ids(run):
        return [request["resourceSpans"] for request in requests(run, "sends", result.sends.slice(0, 5), 0, 100)]

    assert ids("main") == ids("main")
    assert {str(part) for part in ids("main")}.isdisjoint(str(part) for part in ids("other"))


def test_a_field_that_opentelemetry_does_not_have_would_be_seen():
    with pytest.raises(ParseError, match="spanz"):
        parsed({"resourceSpans": [{"scopeSpans": [{"spanz": []}]}]})
