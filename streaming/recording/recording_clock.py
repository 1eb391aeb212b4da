"""What a recording says about the client's clock: for every reading that a decision needs, the two ms it lies between.

The recorder notes System.currentTimeMillis around the selection and the fault update, and microseconds of another
clock elsewhere. The two are a constant apart: no row can be noted later in a ms than the ms ends, so the latest of
many shows how far. All results are ms since the recording's zero.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from streaming.recording.recording import HAND_OVER, LONGEST_READING_MS

SEND = ["producer", "topic", "send_seq"]
ATTEMPT = [*SEND, "attempt"]
GUARD_US = 20  # between the two clocks, once many rows show how far they are apart
US_A_MS = 1000
THROWN = "thrown"  # begins the detail of an attempt that the call of the transport threw


class RecordingClock:
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


def async_readings(rows: pd.DataFrame, cost_before_update: bool) -> pd.DataFrame:
    """What the select rows (columns as `clock_readings`) and attempt_end rows of asynchronous messages need.

    The message's start is noted before send() is called and read before the first selection; it counts from there
    while it waits for a thread. cost_least_ms and cost_most_ms of an attempt_end row: from before the call of the
    transport to its callback, whose reading is taken before the fault update (`cost_before_update`, up to 5.1.4) or
    before whatever comes next. What the call threw charges exactly its cost. sent: another selection follows.
    """
    of = {event: rows[rows["event"] == event] for event in ("select", "attempt_end", "fault_update", "send_end")}
    clock = RecordingClock(of["fault_update"])
    selects, ends = of["select"], of["attempt_end"]
    ended = _first(ends, ATTEMPT, {"start_us": "start_us"}).assign(sent=1)
    sends = _first(of["send_end"], SEND, {"start_us": "send_us", "run_us": "end_us"})
    begun = _first(selects, SEND, {"ms_pre": "begin_most_ms"})
    chosen = selects[ATTEMPT].assign(post=selects["ms_post"].fillna(selects["ms_pre"]))
    charges = of["fault_update"][of["fault_update"]["detail"] != HAND_OVER]
    charged = _first(charges, ATTEMPT, {"ms_pre": "charged_ms", "latency_ms": "charged_latency_ms"})
    follows = selects[ATTEMPT].assign(attempt=selects["attempt"] - 1, next_ms=selects["ms_pre"], goes_on=1)

    first = chosen
    for other, key in ((sends, SEND), (begun, SEND), (ended, ATTEMPT)):
        first = first.merge(other, on=key, how="left")
    first.index = selects.index
    begin_least = np.fmin(clock.least_ms(first["send_us"]).fillna(first["begin_most_ms"]), first["begin_most_ms"])
    transport = clock.most_ms(first["start_us"])
    of_selects = pd.DataFrame(
        {
            "begin_least_ms": begin_least,
            "begin_most_ms": first["begin_most_ms"],
            "attempt_least_ms": first["post"],
            "attempt_most_ms": np.fmax(transport.fillna(first["post"]), first["post"]),
            "transport_most_ms": transport.where(first["send_us"].notna()),
            "sent": first["sent"].fillna(0),
        }
    )

    call = ends[[*ATTEMPT, "start_us", "cost_us", "detail"]]
    for other, key in ((chosen, ATTEMPT), (charged, ATTEMPT), (follows, ATTEMPT), (sends[[*SEND, "end_us"]], SEND)):
        call = call.merge(other, on=key, how="left")
    call.index = ends.index
    latest = call["next_ms"].fillna(clock.most_ms(call["end_us"]))
    if cost_before_update:
        latest = np.fmin(latest, call["charged_ms"])
    least = np.fmax(clock.least_ms(call["start_us"] + call["cost_us"]) - clock.most_ms(call["start_us"]), 0)
    thrown = call["detail"].str.startswith(THROWN, na=False) & call["charged_latency_ms"].notna()
    exact = call["charged_latency_ms"]
    of_ends = pd.DataFrame(
        {
            "cost_least_ms": exact.where(thrown, least).fillna(0),
            "cost_most_ms": np.fmax(exact.where(thrown, latest - call["post"]), least).fillna(LONGEST_READING_MS),
            "sent": call["goes_on"].fillna(0),
        }
    )
    return pd.concat([of_selects, of_ends])


def clock_readings(rows: pd.DataFrame) -> pd.DataFrame:
    """Columns begin_*, attempt_*, transport_most_ms and sent for the select rows, by their index.

    begin: start of the message, noted before send() is called and read before the first selection.
    attempt: read after the selection and before the transport call; and the recorded latency ends between the end of
    the transport call and the fault update.
    """
    of = {event: rows[rows["event"] == event] for event in ("select", "attempt_end", "fault_update", "send_end")}
    clock = RecordingClock(of["fault_update"])
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
