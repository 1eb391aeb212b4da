"""The client's LatencyFaultTolerance table: one for each producer, an item for each broker of the cluster."""

from __future__ import annotations

from typing import Annotated

from simulator.client.counters import Counter
from simulator.compiled.records import Cells, Ms, Record, Region, Within, tail


class Penalty(Record):
    """How one client configuration punishes, shared by its fault tables."""

    broker_count: int  # brokers of the cluster, and so places in each table
    shuffles: int  # 1: shuffle before the sort (releases up to 4.9.3)
    step_count: int
    latency_max_ms: Cells
    not_available_duration_ms: Cells
    spreads: Cells  # a number a broker: hash_order.spread of its name, which decides the listing of the tables


class FaultItem(Record):
    """What a producer holds against a broker. A line: it is read as a whole."""

    present: int
    current_latency: Ms
    start_timestamp: Ms  # of the client's clock; 0 = never penalised (5.1.4+)
    reachable: int
    check_stamp: Ms  # when the detector may look again (5.1.4+)
    shown: int  # 1: the engine put the item out as present; kept when the item is removed
    penalty: Penalty  # that of its table: what an update needs is here
    spare: int


class FaultTable(Record):
    """The table of one producer; its items lie behind it."""

    counter: Within[Counter]  # whichItemWorst
    penalty: Penalty
    item_count: int  # items present, and so places used in the listing
    table_size: int  # slots of the hash table behind the listing; 0 = as small as it starts
    listing: Cells  # brokers of the present items, in the order in which the table is listed
    ranking: Cells  # the same in the order of the last sort
    items: Annotated[Region[FaultItem], tail("penalty.broker_count")]
