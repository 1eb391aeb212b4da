"""A collector that does not take what it is sent is named, with its reason; nothing is lost in silence."""

from __future__ import annotations

import pytest

from streaming.errors import EnvironmentProblem, InputError
from streaming.otlp.collector import Collector, OtlpRefusedError, collector_asked
from tests.says import Printed, Says
from tests.streaming.otlp.collector_of_tests import collecting

URL = "http://127.0.0.1:4318/v1/traces"


@pytest.mark.parametrize("given", ["http://127.0.0.1:4318", "http://127.0.0.1:4318/", URL, URL + "/"])
def test_an_address_gets_its_path(given):
    assert collector_asked(given, "--otlp") == URL


@pytest.mark.parametrize("given", ["127.0.0.1:4317", "grpc://127.0.0.1:4317", "http://", "http://u:secret@127.0.0.1"])
def test_what_is_no_address_is_refused_without_its_password(given):
    with pytest.raises(InputError, match="--otlp") as said:
        collector_asked(given, "--otlp")
    assert "secret" not in str(said.value)


def test_nobody_at_the_address_is_a_problem_of_the_environment():
    nobody = "http://127.0.0.1:9/v1/traces"
    with pytest.raises(EnvironmentProblem) as caught:
        Collector(nobody, 0).check()
    assert Says("flow.collector-did-not-take", "--otlp", url=nobody) in Printed(caught.value)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((503, {}), "answered 503"),
        ((200, {"partialSuccess": {"rejectedSpans": "3", "errorMessage": "too old"}}), "rejected 3 spans: too old"),
    ],
)
def test_spans_that_are_not_taken_are_reported(answer, words):
    with collecting() as there:
        collector = Collector(collector_asked(there.url, "--otlp"), 0)
        collector.check()
        there.answer = answer
        with pytest.raises(OtlpRefusedError, match=words):
            collector.take({"resourceSpans": []})
