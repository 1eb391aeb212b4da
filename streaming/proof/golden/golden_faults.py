"""The fault table of a golden case: compared after each operation, its sorts in the recorded order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from simulator.client.faults.fault_item import FaultTable
from simulator.client.view import NO_BROKER
from simulator.releases.producer_release import Client
from streaming.proof.golden.golden_case import must_be


class KnownFaults:
    """A fault table in the client memory; zero_ms: the recording's zero on the clock of that client."""

    def __init__(self, table: FaultTable, client: Client, zero_ms: int) -> None:
        self._table, self._client, self._zero_ms = table, client, zero_ms
        self._items = table.items
        self._known: list[list[int | None]] = []  # the fault table as last recorded
        self._worst = 0
        self._worst_seeded = False

    def listed(self) -> list[int]:
        """Brokers of the fault table in listing order."""
        return [int(self._items[place].listed) for place in range(self._table.item_count)]

    def _rows(self) -> Iterator[list[int | None]]:
        """The table as it is recorded: absolute 0 as null, other times from the recording's zero."""
        for broker in self.listed():
            item = self._items[broker]
            row = [broker, int(item.current_latency), self._relative(int(item.start_timestamp))]
            with_detector = [*row, int(item.reachable), self._relative(int(item.check_stamp))]
            yield with_detector if self._client.has_detector else row

    def _relative(self, time_ms: int) -> int | None:
        return time_ms - self._zero_ms if time_ms else None

    def compare(self, recorded: Mapping[str, list[list[int | None]]]) -> None:
        """After an operation: table and counter changed as recorded, and only then (`f`, `w`)."""
        expected = recorded.get("f", self._known)
        got = list(self._rows())
        self._known = expected
        must_be("fault table (f)", expected, got)
        self._compare_worst(recorded.get("w"))

    def _compare_worst(self, expected: object) -> None:
        """The counter of the fault table is as recorded, or as before."""
        got, seeded = int(self._table.counter.value), bool(self._table.counter.seeded)
        changed = seeded and (not self._worst_seeded or got != self._worst)
        self._worst, self._worst_seeded = got, seeded
        must_be("counter of the fault table (w)", expected, got if changed else None)

    def forget_ranking(self) -> None:
        """Make the next sort of the fault table show, see `was_ranked`."""
        self._table.penalty.ranking[0] = NO_BROKER

    def was_ranked(self) -> bool:
        """Whether a table with items in it was sorted since `forget_ranking`."""
        return bool(self._table.penalty.ranking[0] != NO_BROKER)

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
        present = set(self.listed())
        self._put_listing([broker for broker in listing if broker in present])

    def _put_listing(self, brokers: Sequence[int]) -> None:
        for place, broker in enumerate(brokers):
            self._items[place].listed = broker
