"""The fault table of a golden case: compared after each operation, its sorts in the recorded order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from simulator.client.faults.fault_item import FaultItem, FaultTable
from simulator.client.view import NO_BROKER
from simulator.compiled.raw_memory import few_bits
from simulator.compiled.records import cells_at, layout_of, size_of
from simulator.releases.producer_release import Client
from streaming.proof.golden.golden_case import must_be

_ITEM = layout_of(FaultItem).fields
_LATENCY, _START, _CHECK = (_ITEM[name].at for name in ("current_latency", "start_timestamp", "check_stamp"))
_LISTED, _REACHABLE = _ITEM["listed"], _ITEM["reachable"]


class KnownFaults:
    """A fault table in the client memory; zero_ms: the recording's zero on the clock of that client.

    Its memory is read as a whole: only where a byte of it is another than before are its items looked at.
    """

    def __init__(self, table: FaultTable, client: Client, zero_ms: int) -> None:
        self._table, self._client, self._zero_ms = table, client, zero_ms
        self._items = table.items
        size = size_of(FaultTable) + len(self._items) * size_of(FaultItem)
        self._cells = cells_at(table, size).array
        self._ranking = table.penalty.ranking
        self._known: list[list[int | None]] = []  # the fault table as last recorded
        self._seen = b""
        self._listing: list[int] = []
        self._rows: list[list[int | None]] = []
        self._counter: int | None = None
        self._worst: int | None = None

    def _look(self) -> None:
        """See what the memory holds now."""
        seen = self._cells.tobytes()
        if seen == self._seen:
            return
        self._seen = seen
        table, items = self._table, self._items.array.tolist()
        listed = (items[place][_LISTED.at] for place in range(int(table.item_count)))
        self._listing = [few_bits(word, _LISTED.bits, _LISTED.shift) for word in listed]
        self._rows = [self._row(broker, items[broker]) for broker in self._listing]
        self._counter = int(table.counter.value) if table.counter.seeded else None

    def _row(self, broker: int, item: Sequence[int]) -> list[int | None]:
        """An item as it is recorded: absolute 0 as null, other times from the recording's zero."""
        row = [broker, item[_LATENCY], self._relative(item[_START])]
        if not self._client.has_detector:
            return row
        reachable = few_bits(item[_REACHABLE.at], _REACHABLE.bits, _REACHABLE.shift)
        return [*row, reachable, self._relative(item[_CHECK])]

    def listed(self) -> list[int]:
        """Brokers of the fault table in listing order."""
        self._look()
        return self._listing

    def _relative(self, time_ms: int) -> int | None:
        return time_ms - self._zero_ms if time_ms else None

    def compare(self, recorded: Mapping[str, list[list[int | None]]]) -> None:
        """After an operation: table and counter changed as recorded, and only then (`f`, `w`)."""
        expected = recorded.get("f", self._known)
        self._look()
        self._known = expected
        must_be("fault table (f)", expected, self._rows)
        self._compare_worst(recorded.get("w"))

    def _compare_worst(self, expected: object) -> None:
        """The counter of the fault table is as recorded, or as before."""
        changed = self._counter != self._worst
        self._worst = self._counter
        must_be("counter of the fault table (w)", expected, self._counter if changed else None)

    def forget_ranking(self) -> None:
        """Make the next sort of the fault table show, see `was_ranked`."""
        self._ranking[0] = NO_BROKER

    def was_ranked(self) -> bool:
        """Whether a table with items in it was sorted since `forget_ranking`."""
        return bool(self._ranking[0] != NO_BROKER)

    def script_order(self, order: Sequence[int] | None) -> list[int]:
        """Have the next sort find the items in the recorded order; gives the listing to put back afterwards.

        Up to 4.9.3 that order is a shuffle and is taken as given; later it must be the listing itself.
        """
        listing = self.listed()
        if order is None:
            return listing
        if self._client.shuffles:
            must_be("brokers of the fault table (p)", sorted(order), sorted(listing))
            self._put_listing(order)
        else:
            must_be("order of the fault table (p)", list(order), listing)
        return listing

    def restore_order(self, listing: Sequence[int]) -> None:
        """Put a listing back, without what was removed since."""
        present = self.listed()
        if present != listing:
            self._put_listing([broker for broker in listing if broker in present])

    def _put_listing(self, brokers: Sequence[int]) -> None:
        for place, broker in enumerate(brokers):
            self._items[place].listed = broker
