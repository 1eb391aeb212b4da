"""Java to paste: only setters that the release has."""

import csv
from importlib.resources import files

import pytest

from simulator.advice.setters import SETTERS, java
from simulator.releases.ledger import RELEASES
from simulator.releases.producer_release import CLIENTS
from tests.simulator.small import scenario_of


def java_of(**client):
    return java(scenario_of(client=client), scenario_of(client={"release": client["release"]}))


def test_every_setter_is_there_as_soon_as_its_field_is():
    rows = csv.DictReader((files("streaming.releases") / "defaults.csv").read_text().splitlines())
    since = {}
    for row in rows:
        if row["class"] in ("DefaultMQProducer", "MQFaultStrategy", "ClientConfig"):
            since.setdefault(row["field"].lower(), row["release"])
    asked = {one.name.removeprefix("set").lower(): next(filter(one.is_in, RELEASES)) for one in SETTERS}
    known = {name: since[name] for name in asked if name in since}
    assert {name: asked[name] for name in known} == known
    assert set(asked) - set(known) <= {"sendlatencyfaultenable"}


@pytest.mark.parametrize("release", RELEASES)
def test_the_cap_is_reported_only_where_the_release_has_its_setter(release):
    (cap,) = [one for one in SETTERS if one.name == "setSendMsgMaxTimeoutPerRequest"]
    assert cap.is_in(release) is CLIENTS[release].has_max_timeout_per_request


def test_tables_are_arrays_of_longs():
    text = java_of(release="4.9.8", latency_max=["50ms", "1s"], not_available_duration=["0ms", "30s"])
    assert "producer.setLatencyMax(new long[] {50, 1000});" in text
    assert "producer.setNotAvailableDuration(new long[] {0, 30000});" in text


def test_the_detector_is_switched_on_by_its_property_before_the_producer_is_made():
    text = java_of(release="5.1.4", send_latency_fault_enable=True, start_detector_property=True)
    assert text.splitlines()[1].startswith('System.setProperty("com.rocketmq.startDetectorEnable", "true")')


def test_response_codes_to_retry_are_added_one_by_one():
    assert "producer.addRetryResponseCode(2);" in java_of(release="4.9.8", retry_response_codes=["SYSTEM_BUSY"])


def test_what_is_put_back_to_its_default_is_reported_too():
    now, before = (scenario_of(client={"send_latency_fault_enable": is_on}) for is_on in (False, True))
    assert "setSendLatencyFaultEnable(false)" in java(now, before)


def test_the_release_stands_above():
    assert java_of(release="5.3.3").splitlines()[0] == "// org.apache.rocketmq:rocketmq-client:5.3.3"
