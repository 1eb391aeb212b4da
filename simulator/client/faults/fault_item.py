"""The client's LatencyFaultTolerance table: one for each producer, an item for each broker of the cluster."""

from __future__ import annotations

from typing import Annotated

from simulator.client.counters import Counter
from simulator.compiled.records import Cells, Ms, Record, Region, Within, bits, several, tail


class Penalty(Record):
    """How one client configuration punishes, shared by its fault tables."""

    broker_count: int  # brokers of the cluster, and so places in each table
    shuffles: int  # 1: shuffle before the sort (releases up to 4.9.3)
    step_count: int
    latency_max_ms: Cells
    not_available_duration_ms: Cells
    spreads: Cells  # a number a broker: hash_order.spread of its name, which decides the listing of the tables
    ranking: Cells  # brokers of the table that was sorted last, in that order


class FaultItem(Record):
    """What a producer holds against a broker. Half a line: it is read as a whole."""

    current_latency: Ms
    start_timestamp: Ms  # of the client's clock; 0 = never penalised (5.1.4+)
    check_stamp: Ms  # when the detector may look again (5.1.4+)
    penalty: Annotated[Penalty, bits(32)]  # that of its table: what an update needs is here
    listed: Annotated[int, bits(24)]  # not of the item: the broker at this place of the table's listing
    present: Annotated[int, bits(1)]
    reachable: Annotated[int, bits(1)]
    shown: Annotated[int, bits(1)]  # 1: the engine put the item out as present; kept when the item is removed


class FaultTable(Record):
    """The table of one producer; its items lie behind it.

    It lists the present items in an order of its own: that of `listed` in the first `item_count` of them.
    """

    counter: Within[Counter]  # whichItemWorst
    penalty: Penalty
    item_count: int  # items present, and so places used in the listing
    table_size: int  # slots of the hash table behind the listing; 0 = as small as it starts
    spare: Annotated[Cells, several(2)]  # items begin with a line
    items: Annotated[Region[FaultItem], tail("penalty.broker_count")]
