"""The recorded gRPC producers are predicted from their set-up, each figure within its tolerance."""

import json
from functools import cache

import numpy as np
import pytest
from rich.console import Console

from streaming.errors import InputError
from streaming.proof.commands.consumers_command import consumers_command, predict_consumers_command
from streaming.proof.consumers.consumer_recording import load_consumer_recording
from streaming.proof.grpc.producer_figures import producer_figures
from streaming.proof.grpc.producer_prediction import predicted_producers
from streaming.proof.grpc.producer_set_up import scenario_of_producers
from streaming.proof.grpc.proxy_trouble import ProxyTrouble
from streaming.proof.grpc.sends_seen import SendsSeen
from tests.says import Says, raises

RECORDINGS = ("healthy", "kill", "hang", "proxykill", "client")


@pytest.fixture(scope="module")
def recorded(root):
    def load(name):
        return load_consumer_recording(root / f"conf/traces/grpc/grpc-{name}-r1")

    return load


@pytest.fixture(scope="module")
def set_up(root):
    return root / "conf/scenarios/live/grpc.yaml"


@pytest.fixture(scope="module")
def predicted(recorded, set_up):
    """The figures of a recording against twenty runs."""
    return cache(lambda name: predicted_producers(recorded(name), set_up, {}, 20))


@pytest.mark.parametrize("name", RECORDINGS)
def test_no_figure_is_missed(predicted, name):
    found = predicted(name)
    assert [figure.typical.figure for figures in found.values() for figure in figures if figure.is_missed] == []


def test_the_hang_of_a_broker_is_predicted_within_the_tolerances(predicted):
    figures = predicted("hang")["p"]
    values = {one.typical.figure: (one.typical.predicted, one.typical.recorded) for one in figures}
    assert values["failed messages"] == pytest.approx((669, 680), abs=15)
    assert values["broker-a hang: fail"] == pytest.approx((11.3, 11.5), abs=0.3)


@pytest.mark.parametrize("name", ["local-kill", "local-hang"])
def test_no_figure_of_a_producer_is_missed_as_a_broker_with_its_proxy_fails(recorded, root, name):
    figures = predicted_producers(recorded(name), root / "conf/scenarios/live/grpc-local.yaml", {}, 20)["p"]
    assert [figure.typical.figure for figure in figures if figure.is_missed] == []
    values = {one.typical.figure: (one.typical.predicted, one.typical.recorded) for one in figures}
    assert values["failed messages"] == (0, 0)


def test_of_a_broker_is_measured_when_it_gets_messages_again():
    seen = SendsSeen(
        np.array([1000.0, 61_000, 64_000]), np.array([5.0, 5, 5]), np.array([False, True, False]),
        np.array(["broker-a"] * 3),
    )  # fmt: skip
    found = producer_figures(seen, [ProxyTrouble("broker-a", "kill", 2000, 60_000, False)])
    assert {figure.name: figure.value for figure in found}["broker-a kill: gets messages again after"] == 4


def test_the_recording_says_who_sends_over_which_proxy_and_what_fails(recorded, set_up):
    found = scenario_of_producers(recorded("proxykill"), set_up, {})
    assert [(group.group, group.grpc.proxy, group.grpc.release) for group in found.producers] == [
        ("p", ("proxy-1",), "5.0.8"), ("ps", ("proxy-1",), "5.0.8"),
    ]  # fmt: skip
    assert (found.proxies.count, found.proxies.one_host) == (2, True)
    assert [(one.details["proxy"], one.kind, one.at_us) for one in found.fault_periods()] == [
        ("proxy-1", "kill", 30_018_000)
    ]


def test_a_hang_is_measured_by_the_attempts_that_time_out():
    seen = SendsSeen(
        np.array([1000.0, 2000, 3000, 4000]), np.array([5.0, 3100, 6200, 9010]), np.array([False, False, False, True]),
        np.array(["None"] * 4),
    )  # fmt: skip
    found = producer_figures(seen, [ProxyTrouble("broker-a", "hang", 0, 60_000, False)])
    assert {figure.name: figure.value for figure in found if figure.of == "%"} == {
        "broker-a hang: take 0 to 3 s": 25,
        "broker-a hang: take 3 to 6 s": 25,
        "broker-a hang: take 6 to 9 s": 25,
        "broker-a hang: fail": 25,
    }


def test_the_command_prints_every_producer(root, set_up, capsys):
    trace = root / "conf/traces/grpc/grpc-healthy-r1"
    code = predict_consumers_command(trace, set_up, changes=(), runs=2, as_json=True, console=Console())
    said = json.loads(capsys.readouterr().out)
    assert (code, said["ok"], list(said["clients"])) == (0, True, ["p", "ps", "pl", "gs"])


def test_without_a_scenario_there_is_nothing_to_measure_of_producers(root):
    with raises(InputError, Says("command.scenario-missing")):
        consumers_command(root / "conf/traces/grpc/grpc-healthy-r1", as_json=False, console=Console())


def test_other_brokers_are_refused(root, recorded):
    with raises(InputError, Says("proof.brokers-differ", recording="grpc-hang-r1")):
        scenario_of_producers(recorded("hang"), root / "conf/scenarios/live/cluster.yaml", {})
