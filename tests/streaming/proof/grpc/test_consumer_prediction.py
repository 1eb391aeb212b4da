"""The recorded gRPC consumers are predicted from their set-up, each figure within its tolerance."""

from functools import cache

import numpy as np
import pytest

from streaming.proof.consumers.consumer_recording import Action, load_consumer_recording
from streaming.proof.grpc.consumer_prediction import predicted_consumers
from streaming.proof.grpc.deliveries_seen import DeliveriesSeen
from streaming.proof.grpc.delivery_figures import GroupSetUp, delivery_figures
from streaming.proof.grpc.order_figures import order_figures
from streaming.proof.grpc.producer_set_up import scenario_of_clients
from streaming.proof.grpc.proxy_trouble import ProxyTrouble

RECORDINGS = ("healthy", "kill", "hang", "proxykill", "client", "hold", "fifo", "fifo-kill")
BY_CHANCE = ("proxykill", "fifo", "fifo-kill")  # of the recordings
BROKERS = {"broker-a", "broker-b"}
BROKER = np.array(["broker-a"] * 4)


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
    """The figures of a recording against as many runs as it takes."""
    return cache(lambda name: predicted_consumers(recorded(name), set_up, {}, 20 if name in BY_CHANCE else 4))


@pytest.mark.parametrize("name", RECORDINGS)
def test_no_figure_is_missed(predicted, name):
    found = predicted(name)
    assert found
    assert [figure.typical.figure for figures in found.values() for figure in figures if figure.is_missed] == []


def test_what_clients_hold_comes_again_as_recorded_to_the_message(predicted):
    found = predicted("hold")
    counts = {
        group: (figure.typical.predicted, figure.typical.recorded)
        for group, figures in found.items()
        for figure in figures
        if figure.typical.figure == "not acknowledged: come again"
    }
    assert counts == {"gl": (27, 27), "gk": (8, 8), "gf": (6, 6)}


@pytest.mark.parametrize("name", ["local-kill", "local-hang"])
def test_no_figure_of_a_broker_with_its_proxy_is_missed(recorded, root, name):
    found = predicted_consumers(recorded(name), root / "conf/scenarios/live/grpc-local.yaml", {}, 20)
    assert [figure.typical.figure for figures in found.values() for figure in figures if figure.is_missed] == []


def test_a_fifo_group_keeps_its_order_and_blocks_every_queue_of_a_killed_client(predicted):
    figures = predicted("fifo-kill")["gf"]
    values = {one.typical.figure: (one.typical.predicted, one.typical.recorded) for one in figures}
    assert values["first delivered after a later one"] == (0, 0)
    assert values["c2 killed: queues silent for 20 s"] == (8, 8)


def test_a_message_that_a_later_one_of_its_queue_overtakes_is_counted():
    queue = np.array(["broker-a:0", "broker-a:0", "broker-a:1", "broker-a:0"])
    begin = np.array([0.0, 10, 20, 2000])
    seen = DeliveriesSeen(begin, begin - 5, np.ones(4), queue, queue, np.array([0, 2, 1, 1]))
    assert {one.name: one.value for one in order_figures(seen, ())} == {
        "first delivered after a later one": 1, "first delivered 0.9 s late": 0,
    }  # fmt: skip
    silent = {one.name: one.value for one in order_figures(seen, [Action(5, "kill9", "c2")])}
    assert silent["c2 killed: longest silence of a queue"] == 1.99


def test_a_proxy_that_renews_is_another(recorded, set_up):
    found = predicted_consumers(recorded("hold"), set_up, {"proxies.release": "5.4.0"}, 1)
    assert any(figure.is_missed for figure in found["gl"])


def test_the_recording_says_who_consumes_and_what_was_done_to_whom(recorded, set_up):
    found = scenario_of_clients(recorded("hold"), set_up, {})
    assert {name: (group.count, group.grpc.kind) for name, group in found.consumers.items()} == {
        "gf": (2, "push"), "gk": (2, "push"), "gl": (1, "push"),
    }  # fmt: skip
    struck = {(one.kind, one.details["consumer"]) for one in found.fault_periods()}
    assert struck == {("kill", "gk-2"), ("hang", "gf-2"), ("stuck", "gl-1")}


def test_what_comes_again_is_measured_from_the_send_and_only_where_clients_were_struck():
    begin, sent = np.array([0.0, 1000, 63_000, 65_000]), np.array([0.0, 1000, 0, 1000])
    seen = DeliveriesSeen(begin, sent, np.array([1, 1, 2, 2]), BROKER, BROKER, np.arange(4))
    killed = [Action(500, "kill9", "c2")]
    figures = delivery_figures(seen, (), killed, BROKERS, GroupSetUp(60_000, is_slow=False))
    assert ("not acknowledged: come again", 2) in {(one.name, one.value) for one in figures}
    hang = [ProxyTrouble("broker-a", "hang", 500, 900, False)]
    figures = delivery_figures(seen, hang, (), BROKERS, GroupSetUp(60_000, is_slow=False))
    assert {one.name: one.value for one in figures} == {
        "broker-a hang: longest silence of the other": 32.0,
        "broker-a hang: its silence": 1.0,
    }
