"""What is warned of slaves, sets, controllers and name servers of a scenario that can be run."""

from __future__ import annotations

from state.texts import Text


class ReplicaWarningTexts:
    """What is warned of slaves, sets, controllers and name servers of a scenario that can be run."""

    EVEN_CONTROLLERS = Text(
        "{count} controllers elect a master only while {majority} of them are there: they outlive no more failures "
        "than {fewer}; set controllers.count to {fewer} or {more}"
    )
    EVEN_SET = Text(
        "{brokers}: {count} machines of DLedger have a leader only while {majority} of them are there: they outlive no "
        "more failures than {fewer}; set replicas to {fewer} or {more}"
    )
    MASTER_AS_SLAVE = Text(
        "never happens: {kind} at {at} strikes slaves, and replica 1 of {broker} is the master then; name another one"
    )
    NOBODY_TO_ACT = Text("no slave acts for the master of {brokers}, which has slave_acting_master and no slave")
    NO_EFFECT = Text("{key} of {brokers} has no effect {why}")
    SET_ACTS = Text(
        "slave_acting_master of {brokers}: on a real cluster a slave acts for the master until another is elected, "
        "and here none does; leave it out where mode elects a master"
    )
    TOO_FEW_TO_ACKNOWLEDGE = Text(
        "in_sync_replicas of {brokers} is more than the master and its slaves: every send that waits for them is "
        "answered with {answer}"
    )
    UNUSED = Text("{key} has no effect {why}")
    WITHOUT_ACTING = Text("without a broker with slaves and slave_acting_master")
    WITHOUT_FLOW_CONTROL = Text("without ha_flow_control_enable")
    WITHOUT_SETS = Text("without a broker with mode: controller")
    WITHOUT_SLAVES = Text("without slaves")
    WITHOUT_WAIT = Text("without need_wait_for_service")
    WITH_ALL_ACK = Text("with all_ack_in_sync_state_set, which asks the whole sync set")
    WITH_ASYNC_MASTER = Text("with role async_master")
    WITH_MAJORITY = Text("with mode dledger, where a majority acknowledges")
