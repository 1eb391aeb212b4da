"""What a recording says about the client's clock: for every reading that a decision needs, the two ms it lies between.

The recorder notes System.currentTimeMillis around the selection and the fault update, and microseconds of another
clock elsewhere. The two are a constant apart: no row can be noted later in a ms than the ms ends, so the latest of
many shows how far. All results are ms since the recording's zero.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

SEND = ["producer", "topic", "send_seq"]
ATTEMPT = [*SEND, "attempt"]
GUARD_US = 20  # between the two clocks, once many rows show how far they are apart
US_A_MS = 1000


class Clock:
    """Turns the recorder's microseconds into the least and most ms that the client can have read."""

    def __init__(self, updates: pd.DataFrame) -> None:
        late = (updates["run_us"] - US_A_MS * updates["ms_pre"]).max() if len(updates) else US_A_MS - 1
        self.apart_us = US_A_MS - float(late)
        # With n rows spread over the ms, the latest misses its end by 1/n on average.
        self.guard_us = min(US_A_MS, GUARD_US + 10 * US_A_MS / max(len(updates), 1))

    def least_ms(self, us: pd.Series) -> pd.Series:
        """The earliest reading at that time."""
        return np.floor((us + self.apart_us - self.guard_us) / US_A_MS)

    def most_ms(self, us: pd.Series) -> pd.Series:
        """The latest reading at that time."""
        return np.floor((us + self.apart_us + self.guard_us) / US_A_MS)


def _first(rows: pd.DataFrame, key: list[str], names: dict[str, str]) -> pd.DataFrame:
    return rows.drop_duplicates(key)[[*key, *names]].rename(columns=names)


def clock_readings(rows: pd.DataFrame) -> pd.DataFrame:
    """Columns begin_*, attempt_*, transport_most_ms and sent for the select rows, by their index.

    begin: start of the message, noted before send() is called and read before the first selection.
    attempt: read after the selection and before the transport call; and the recorded latency ends between the end of
    the transport call and the fault update.
    """
    of = {event: rows[rows["event"] == event] for event in ("select", "attempt_end", "fault_update", "send_end")}
    clock = Clock(of["fault_update"])
    selects = of["select"]
    post = selects["ms_post"].fillna(selects["ms_pre"])
    joined = selects[ATTEMPT].assign(post=post)
    sends = _first(of["send_end"], SEND, {"start_us": "send_us", "cost_us": "send_cost_us"})
    begun = _first(selects, SEND, {"ms_pre": "begin_most_ms"})
    ended = _first(of["attempt_end"], ATTEMPT, {name: name for name in ("start_us", "cost_us", "timeout_ms")})
    charged = _first(of["fault_update"], ATTEMPT, {"ms_pre": "charged_ms", "latency_ms": "latency_ms"})
    for other, key in ((sends, SEND), (begun, SEND), (ended.assign(sent=1), ATTEMPT), (charged, ATTEMPT)):
        joined = joined.merge(other, on=key, how="left")
    joined.index = selects.index

    least = clock.least_ms(joined["send_us"])
    begin_least = np.fmin(least.fillna(joined["begin_most_ms"]), joined["begin_most_ms"])
    transport = clock.most_ms(joined["start_us"])
    attempt_least = np.fmax(
        joined["post"], clock.least_ms(joined["start_us"] + joined["cost_us"]) - joined["latency_ms"]
    )
    attempt_most = np.fmin(transport, joined["charged_ms"] - joined["latency_ms"])
    attempt_most = attempt_most.fillna(clock.most_ms(joined["send_us"] + joined["send_cost_us"])).fillna(joined["post"])
    is_timed = joined["timeout_ms"].notna() & joined["send_us"].notna()
    return pd.DataFrame(
        {
            "begin_least_ms": begin_least,
            "begin_most_ms": joined["begin_most_ms"],
            "attempt_least_ms": attempt_least,
            "attempt_most_ms": np.fmax(attempt_most, attempt_least),
            "transport_most_ms": transport.where(is_timed),
            "sent": joined["sent"].fillna(0),
        }
    )
