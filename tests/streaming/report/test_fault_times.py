"""How the faults of a run are counted and named."""

import json

from streaming.outputs.dataset import open_output
from streaming.report.fault_times import faults_of
from tests.streaming.report.fake_output import SECOND, write_run


def fault(at_s, until_s, broker="broker-b", kind="hang", label="broker-b hangs", **more):
    return {"at_us": at_s * SECOND, "until_us": until_s * SECOND, "broker": broker, "kind": kind, "label": label} | more


def text_of(tmp_path, *faults, **changes):
    return [
        f"{f.number} {f.text}, {f.when}" for f in faults_of(open_output(write_run(tmp_path, faults=faults, **changes)))
    ]


def test_a_fault_that_comes_back_is_one_with_as_many_stretches(tmp_path):
    again = [fault(at, at + 2) for at in (10, 50, 90)]
    assert text_of(tmp_path, *again) == ["F1 broker-b hangs, 3 times from 0:10 to 1:32, 2 s each"]


def test_a_fault_of_all_brokers_is_one(tmp_path):
    every = [fault(60, 80, f"broker-{x}", label=f"broker-{x} hangs") for x in "abc"]
    assert text_of(tmp_path, *every) == ["F1 all brokers hang, 1:00 to 1:20"]
    assert text_of(tmp_path, *every[:2]) == ["F1 broker-a and broker-b hang, 1:00 to 1:20"]


def test_two_faults_that_are_alike_are_reported_as_such(tmp_path):
    twice = [fault(60, 80, kind="slow", value=10_000_000, label="broker-b is slow")] * 2
    assert text_of(tmp_path, *twice) == ["F1 broker-b is slow × 10, twice, 1:00 to 1:20"]


def test_a_label_of_the_scenario_is_reported_with_the_broker_that_is_hit(tmp_path):
    assert text_of(tmp_path, fault(1, 2, label="maintenance")) == ["F1 maintenance (broker-b hangs), 0:01 to 0:02"]
    assert text_of(tmp_path, fault(1, 2, label="broker-b is gone")) == ["F1 broker-b is gone, 0:01 to 0:02"]


def test_a_controller_is_no_name_server(tmp_path):
    away = {"kind": "controller_down", "broker": ""}
    assert text_of(tmp_path, fault(1, 2, value=1, label="controller 1 is down", **away)) == [
        "F1 controller 1 is down, 0:01 to 0:02"
    ]
    assert text_of(tmp_path, fault(1, 2, value=0, label="every controller is down", **away)) == [
        "F1 every controller is down, 0:01 to 0:02"
    ]


def test_a_fault_is_reported_with_its_value(tmp_path):
    values = [
        fault(1, 9, kind="code", value=2, label="broker-b answers with a code"),
        fault(2, 9, kind="status", value=10, label="broker-b answers with a status"),
        fault(3, 9, kind="slow", value=80_000_000, label="broker-b is slow"),
        fault(4, 9, kind="packet_loss", value=50_000, label="broker-b for web loses packets", producers="web"),
        fault(5, 9, "", kind="name_server_down", value=2, label="name server 2 is down"),
    ]
    assert [each.split(",")[0] for each in text_of(tmp_path, *values)] == [
        "F1 broker-b answers SYSTEM_BUSY",
        "F2 broker-b answers FLUSH_DISK_TIMEOUT",
        "F3 broker-b is slow × 80",
        "F4 broker-b for web loses packets: 5 %",
        "F5 name server 2 is down",
    ]


def test_two_values_are_two_faults(tmp_path):
    slow = [fault(at, at + 9, kind="slow", value=at * 10**6, label="broker-b is slow") for at in (10, 20)]
    assert [each.split(",")[0] for each in text_of(tmp_path, *slow)] == [
        "F1 broker-b is slow × 10",
        "F2 broker-b is slow × 20",
    ]


def test_what_lies_beyond_the_time_simulated_is_left_out(tmp_path):
    assert text_of(tmp_path, fault(10, 20), fault(40, 90), clock_us=50 * SECOND) == [
        "F1 broker-b hangs, 2 times from 0:10 to 0:50, 10 s each"
    ]
    assert text_of(tmp_path, fault(60, 90), clock_us=50 * SECOND) == []


def of_instance(name, kind="kill", title="is killed", broker="", **more):
    text = json.dumps({"consumer": name} | more, sort_keys=True, separators=(",", ":"))
    return fault(60, 80, broker, kind, f"{name} {title}", more=text)


def test_a_fault_of_a_whole_group_is_one(tmp_path):
    names = [f"billing-{n}" for n in (1, 2, 3, 4)]
    assert text_of(tmp_path, *map(of_instance, names)) == ["F1 4 instances of billing are killed, 1:00 to 1:20"]
    assert text_of(tmp_path, of_instance("billing-1")) == ["F1 billing-1 is killed, 1:00 to 1:20"]
    two = [of_instance("audit-1"), of_instance("billing-1")]
    assert text_of(tmp_path, *two) == ["F1 audit-1 and billing-1 are killed, 1:00 to 1:20"]


def test_instances_that_restart_in_turn_are_one_fault(tmp_path):
    turns = [of_instance(f"billing-{n}", "rolling_restart", "restarts in turn") for n in (1, 2, 3, 4)]
    turns = [row | {"at_us": at * SECOND, "until_us": (at + 5) * SECOND} for at, row in enumerate(turns, start=1)]
    assert text_of(tmp_path, *turns) == [
        "F1 4 instances of billing restart in turn, 4 times from 0:01 to 0:09, 5 s each"
    ]


def test_faults_of_instances_with_other_values_are_apart(tmp_path):
    resets = [
        of_instance(f"billing-{n}", "reset_offset", "goes to another offset", to_us=n * 1_000_000) for n in (1, 2)
    ]
    assert len(text_of(tmp_path, *resets)) == 2


def test_a_cut_names_the_instances_and_the_brokers(tmp_path):
    cuts = [
        of_instance(f"billing-{n}", "partition", f"is cut off from broker-{x}", f"broker-{x}")
        for n in (1, 2)
        for x in "ab"
    ]
    assert text_of(tmp_path, cuts[0]) == ["F1 billing-1 is cut off from broker-a, 1:00 to 1:20"]
    those = "billing-1 and billing-2 are cut off from broker-a and broker-b"
    assert text_of(tmp_path, *cuts) == [f"F1 {those}, 1:00 to 1:20"]


def test_a_fault_of_a_proxy_names_the_proxy(tmp_path):
    killed = fault(30, 90, "", "kill", "proxy-1 is killed", value=0, more=json.dumps({"proxy": "proxy-1"}))
    assert text_of(tmp_path, killed) == ["F1 proxy-1 is killed, 0:30 to 1:30"]
