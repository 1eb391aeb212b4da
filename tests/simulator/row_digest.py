"""The digest of all decisions of a run, from its rows: the same that a tally counts as the run goes."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
import pyarrow as pa

from simulator import codes
from simulator.compiled.jit import rule
from simulator.compiled.records import Array
from simulator.engine.memory.tally import EndedFacts, TriedFacts, attempt_hash, send_hash
from simulator.outcomes import OUTCOME_LABELS
from simulator.scenario import Scenario
from state.columns import places


@rule()
def _attempts(rows: Any, number: Any) -> Any:
    found = np.int64(0)
    for i in range(number):
        facts = TriedFacts(
            rows[0, i], rows[1, i], rows[2, i], rows[3, i], rows[4, i], rows[5, i], rows[6, i], rows[7, i],
            rows[8, i], rows[9, i], rows[10, i], rows[11, i],
        )  # fmt: skip
        found ^= attempt_hash(facts)
    return found


@rule()
def _sends(rows: Any, number: Any) -> Any:
    found = np.int64(0)
    for i in range(number):
        facts = EndedFacts(
            rows[0, i], rows[1, i], rows[2, i], rows[3, i], rows[3, i], rows[4, i], rows[5, i], rows[6, i],
            rows[7, i], rows[8, i],
        )  # fmt: skip
        found ^= send_hash(0, facts)
    return found


def _whole(table: pa.Table, name: str) -> Array:
    values = table.column(name).combine_chunks()
    filled = values.fill_null(-1) if values.null_count else values
    return np.asarray(filled.cast(pa.int64()).to_numpy(zero_copy_only=False), np.int64)


def _key(scenario: Scenario, table: pa.Table) -> list[Array]:
    """Number of the thread in the run, number of the topic, sequence number."""
    threads = [group.threads for group in scenario.producers for _ in range(group.count)]
    first = np.array([0, *accumulate(threads)], np.int64)
    thread = first[_whole(table, "producer")] + _whole(table, "thread")
    return [thread, places(table.column("topic"), tuple(scenario.topics)), _whole(table, "send_seq")]


def _outcomes(table: pa.Table, name: str) -> Array:
    found = places(table.column(name), OUTCOME_LABELS)
    return np.where(found >= len(codes.OUTCOME_NAMES), codes.SEND_STATUS, found)


def digest_of(scenario: Scenario, attempts: pa.Table, sends: pa.Table) -> int:
    """The digest of the tables `attempts` and `sends` of a run, whole and in any order: an int64."""
    whole = ("attempt", "queue_id", "begin_us", "end_us", "response_code", "will_retry")
    of = {name: _whole(attempts, name) for name in whole}
    tried = [
        *_key(scenario, attempts), of["attempt"], places(attempts.column("broker"), tuple(scenario.brokers)),
        of["queue_id"], of["begin_us"], of["end_us"], _outcomes(attempts, "outcome"), of["response_code"],
        places(attempts.column("pick_reason"), codes.PICK_REASON_NAMES), of["will_retry"],
    ]  # fmt: skip
    names = ("end_us", "response_code", "attempts", "copies_stored", "copies_kept")
    end, code, made, copies, kept = (_whole(sends, name) for name in names)
    ended = [*_key(scenario, sends), end, _outcomes(sends, "result"), code, made, copies, kept]
    return int(_attempts(np.stack(tried), attempts.num_rows) ^ _sends(np.stack(ended), sends.num_rows))
