"""Clocks that jump: where the times of one producer go back, or leave out hours, in the order of its log."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa

from streaming.texts.import_note_texts import ImportNoteTexts

BACK_US = 10_000_000  # requests end in another order than they begin, but by less than their time-outs
AHEAD_US = 3_600_000_000
SHOWN = 5


@dataclass
class ClockWatch:
    """Follows the producers of a log; `first_us`, `last_us`: by producer, of what was added. jumps: sentences."""

    first_us: dict[str, int] = field(default_factory=dict)
    last_us: dict[str, int] = field(default_factory=dict)
    jumps: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, table: pa.Table, where: str) -> None:
        """Take the next rows of the log, in its order; `where`: the file."""
        frame = table.select(["producer", "begin_us", "latency_us", "line"]).to_pandas()
        for producer, rows in frame.groupby("producer", sort=True):
            end_us = rows["begin_us"] + rows["latency_us"]
            self.first_us.setdefault(producer, int(end_us.iloc[0]))
            before = end_us.shift()
            before.iloc[0] = self.last_us.get(producer, int(end_us.iloc[0]))
            apart = end_us - before
            odd = apart[(apart < -BACK_US) | (apart > AHEAD_US)]
            for place, jump in odd.items():
                self._tell(producer, int(jump), f"{where}, {int(rows.loc[place, 'line'])}")
            self.last_us[producer] = int(end_us.iloc[-1])

    def follow(self, after: ClockWatch, where: str) -> None:
        """Take what was seen of the next part of the same log."""
        for producer, first in after.first_us.items():
            jump = first - self.last_us.get(producer, first)
            if jump < -BACK_US or jump > AHEAD_US:
                self._tell(producer, jump, where)
        self.first_us = after.first_us | self.first_us
        self.last_us |= after.last_us
        self.jumps = [*self.jumps, *after.jumps][:SHOWN]
        self.count += after.count

    def _tell(self, producer: str, jump_us: int, where: str) -> None:
        self.count += 1
        if len(self.jumps) < SHOWN:
            goes = ImportNoteTexts.CLOCK_BACK if jump_us < 0 else ImportNoteTexts.CLOCK_AHEAD
            self.jumps.append(goes(producer=producer, seconds=abs(jump_us) / 1e6).at(where))
