"""What mqadmin prints of sync sets and epochs becomes a set whose master a controller elects."""

from __future__ import annotations

import pytest

from streaming.errors import InputError
from tests.says import Says, raises
from tests.streaming.init.asked import init_scenario, init_text, saved, words_of

SYNC_SET = (
    "\n#brokerName\tbroker-a\n#MasterBrokerId\t1\n#MasterAddr\t192.0.2.1:10911\n#MasterEpoch\t3\n"
    "#SyncStateSetEpoch\t7\n#SyncStateSetNums\t2\n"
    "\n InSyncReplica:\t{address='192.0.2.1:10911', brokerId=1}\tonline\n"
    "\n InSyncReplica:\t{address='192.0.2.2:10911', brokerId=2}\tonline\n"
    "\n NotInSyncReplica:\t{address='192.0.2.3:10911', brokerId=3}\toffline\n"
)
EPOCHS = (
    "\n\n#clusterName\tc\n#brokerName\tbroker-a\n#brokerAddr\t192.0.2.1:10911\n#brokerId\t0\n"
    "#Epoch: EpochEntry{epoch=1, startOffset=0, endOffset=500}"
    "\n\n#clusterName\tc\n#brokerName\tbroker-a\n#brokerAddr\t192.0.2.2:10911\n#brokerId\t2\n"
    "#Epoch: EpochEntry{epoch=1, startOffset=0, endOffset=500}"
)


@pytest.mark.parametrize(("text", "replicas"), [(SYNC_SET, 3), (EPOCHS, 2)])
def test_the_replicas_of_a_broker_are_counted_and_a_controller_elects(tmp_path, text, replicas):
    broker = init_scenario(saved(tmp_path, "set.txt", text)).brokers["broker-a"]
    assert (broker.replicas, broker.mode) == (replicas, "controller")


def test_who_is_not_in_the_sync_set_is_noted(tmp_path):
    words = words_of(saved(tmp_path, "set.txt", SYNC_SET))
    assert Says("init-note.not-all-in-sync", broker="broker-a", addresses="192.0.2.3:10911") in words


def test_a_broker_is_counted_once_in_both_and_in_its_settings(tmp_path):
    conf = (
        "brokerName=broker-a\nenableControllerMode=true\nbrokerIP1=192.0.2.1\nlistenPort=10911\nminInSyncReplicas=2\n"
    )
    files = [
        saved(tmp_path, name, text) for name, text in {"a": SYNC_SET, "b.txt": EPOCHS, "broker.conf": conf}.items()
    ]
    broker = init_scenario(*files).brokers["broker-a"]
    assert (broker.replicas, broker.min_in_sync_replicas) == (3, 2)


def test_an_output_that_is_cut_off_is_refused_at_its_line(tmp_path):
    file = saved(tmp_path, "set.txt", SYNC_SET.partition("\n InSync")[0])
    with raises(InputError, Says("init.set-cut", ".../set.txt:2", name="broker-a")):
        init_text(file)
