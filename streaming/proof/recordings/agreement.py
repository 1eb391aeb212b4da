"""Does the model decide as the recording did? Decisions and recorded rows, joined by row number and kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from simulator.releases.producer_release import CLIENTS
from simulator.replay.replay_codes import KINDS
from streaming.recording.recording import COLUMNS, HAND_OVER, Recording

EVENT_OF = {
    "select": "select",
    "timeout": "attempt_end",
    "fault_update": "fault_update",
    "after_attempt": "attempt_end",
    "send_end": "send_end",
}
SHOWN_DIFFERENCES = 5
# What an asynchronous recording calls what follows an attempt.
AFTER = {"cb_ok": "return", "cb_ex": "throw"}


@dataclass(frozen=True)
class Line:
    """Decisions of one kind of one producer: what the recording determines, what of it agrees, what it leaves open."""

    producer: int
    kind: str
    determined: int
    agree: int
    open: int


@dataclass(frozen=True)
class Difference:
    """One decision that the model made otherwise: the recorded row, and field by field (recorded, model)."""

    row: int
    kind: str
    recorded: dict[str, Any]
    fields: dict[str, tuple[Any, Any]]


@dataclass(frozen=True)
class Agreement:
    """The comparison of a whole recording; `exact_timeouts`: those whose range is a single value."""

    lines: list[Line]
    differences: list[Difference] = field(default_factory=list)
    different: int = 0
    exact_timeouts: int = 0

    def total(self, name: str, kind: str | None = None) -> int:
        """Sum of `determined`, `agree` or `open`, of one kind or all."""
        return sum(int(getattr(line, name)) for line in self.lines if kind in (None, line.kind))

    @property
    def is_full(self) -> bool:
        """Something is determined, and all of it agrees."""
        return 0 < self.total("determined") == self.total("agree")


def _recorded_of(frame: pd.DataFrame, recording: Recording) -> dict[str, pd.DataFrame]:
    """By kind, the values that a decision must have, named as in the table of decisions; empty = not recorded."""
    moves_always = not CLIENTS[recording.about["release"]].has_reset_index
    by_event = {event: frame[frame["event"] == event] for event in set(EVENT_OF.values())}
    selects, updates, ends = by_event["select"], by_event["fault_update"], by_event["send_end"]
    attempts = by_event["attempt_end"]
    is_async = recording.about["mode"] == "async"
    strategy_on = bool(recording.about["sendLatencyFaultEnable"])
    fault_updates = updates[["attempt", "broker", "isolation", "reachable"]].assign(touched=float(strategy_on))
    if strategy_on:
        starts = updates["item_start_ms"]
        fault_updates["start_timestamp_ms"] = starts.fillna(updates["ms_pre"]) if moves_always else starts
        if not moves_always:
            fault_updates["moved"] = starts.notna().astype(float)
    if is_async:
        # The hand-over belongs to no attempt.
        fault_updates["attempt"] = updates["attempt"].where(updates["detail"] != HAND_OVER)
    # The request keeps the queue id of the first attempt.
    followed = ["attempt", "broker", "queue_id"] if is_async else ["attempt"]
    timed = attempts[attempts["timeout_ms"].notna()]
    is_status = ~ends["outcome"].str.contains("Exception", regex=False, na=False)
    return {
        "select": selects[["attempt", "last_broker", "broker", "queue_id", "steps"]].assign(
            resets=selects["reset_to"].notna().astype(float), after=selects["after"].fillna("attempt")
        ),
        "timeout": timed[["attempt", "timeout_ms"]],
        "fault_update": fault_updates,
        "after_attempt": attempts[followed].assign(after=attempts["after"].replace(AFTER)),
        "send_end": ends[["attempt", "broker", "queue_id", "outcome"]].assign(
            response_code=ends["response_code"].where(~is_status)
        ),
    }


# Fields whose absence on the recorded side is a statement of its own, not a gap.
NULL_COUNTS = {"select": {"last_broker"}, "send_end": {"broker", "queue_id", "response_code"}}


def _disagree(recorded: pd.Series, model: pd.Series, null_counts: bool) -> np.ndarray:
    """Where the two differ; a gap in the recording agrees with anything unless it counts."""
    if model.dtype == object and model.map(type).isin([bool, type(None), float]).all():
        model = model.astype(float)
    is_gap, is_none = recorded.isna().to_numpy(), model.isna().to_numpy()
    differs = (recorded.to_numpy() != model.to_numpy()) & ~is_gap
    if null_counts:
        differs |= is_gap & ~is_none
    return np.asarray(differs | (~is_gap & is_none), bool)


def _plain(value: Any) -> Any:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value.item() if isinstance(value, np.generic) else value


def _compare(kind: str, expected: pd.DataFrame, model: pd.DataFrame) -> dict[str, np.ndarray]:
    """By field, where the model's decision differs; `made` where it made none."""
    found: dict[str, np.ndarray] = {"made": model["kind"].isna().to_numpy()}
    made = ~found["made"]
    for name in expected.columns:
        if name == "timeout_ms":
            least, most = model["timeout_least_ms"].to_numpy(float), model["timeout_most_ms"].to_numpy(float)
            given = expected[name].to_numpy(float)
            found[name] = made & ((given < least) | (given > most))
        else:
            found[name] = made & _disagree(expected[name], model[name], name in NULL_COUNTS.get(kind, ()))
    return found


def _difference(
    kind: str, row: int, recorded: pd.Series, wrong: Iterable[str], expected: pd.Series, model: pd.Series
) -> Difference:
    fields: dict[str, tuple[Any, Any]] = {}
    for name in wrong:
        if name == "made":
            fields["decision"] = ("made", "none")
        elif name == "timeout_ms":
            span = f"{_plain(model['timeout_least_ms'])}..{_plain(model['timeout_most_ms'])}"
            fields[name] = (_plain(expected[name]), span)
        else:
            fields[name] = (_plain(expected[name]), _plain(model[name]))
    return Difference(row, kind, {name: _plain(v) for name, v in recorded.items() if _plain(v) is not None}, fields)


def compare(
    recording: Recording, decisions: pa.Table, refused: Iterable[int], shown: int = SHOWN_DIFFERENCES
) -> Agreement:
    """Compare what the recording determines; `refused`: rows that went to the rejects, which determine nothing."""
    rows = recording.rows
    usable = rows.column("problem").is_null().to_numpy()
    frame = rows.select(COLUMNS).to_pandas().set_index(rows.column("row").to_numpy())
    frame = frame[usable & ~frame.index.isin(list(refused))]
    made = decisions.to_pandas()
    for name in made.columns:
        if isinstance(made[name].dtype, pd.CategoricalDtype):
            made[name] = made[name].astype(object)
    lines, differences, different, exact = [], [], 0, 0
    for kind, expected in _recorded_of(frame, recording).items():
        model = made[made["kind"] == kind].set_index("row").reindex(expected.index)
        if kind == "timeout":
            exact = int((model["timeout_least_ms"] == model["timeout_most_ms"]).sum())
        found = _compare(kind, expected, model)
        wrong = np.logical_or.reduce(list(found.values()))
        is_open = model["is_open"].eq(True).to_numpy()
        producer = frame.loc[expected.index, "producer"].to_numpy().astype(int)
        for number in np.unique(producer):
            of = producer == number
            decided = of & ~is_open
            counts = (int(decided.sum()), int((decided & ~wrong).sum()), int((of & is_open).sum()))
            lines.append(Line(int(number), kind, *counts))
        places = np.flatnonzero(wrong & ~is_open)
        different += len(places)
        for place in places[:shown]:
            row = int(expected.index[place])
            names = [name for name, bad in found.items() if bad[place]]
            differences.append(_difference(kind, row, frame.loc[row], names, expected.iloc[place], model.iloc[place]))
    lines.sort(key=lambda line: (line.producer, KINDS.index(line.kind)))
    differences.sort(key=lambda difference: difference.row)
    return Agreement(lines, differences[:shown], different, exact)
