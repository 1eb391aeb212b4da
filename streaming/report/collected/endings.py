"""How attempts and messages ended, in one name: the outcome or result, with the name of its code where it has one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from simulator import codes
from streaming.outputs.dataset import numbers
from streaming.outputs.fates import is_refused

CODES = {code: name for name, code in codes.RESPONSE_CODES.items() if code} | {
    codes.CONNECT_BROKER_EXCEPTION: "CONNECT_BROKER_EXCEPTION",
    codes.ACCESS_BROKER_TIMEOUT: "ACCESS_BROKER_TIMEOUT",
    codes.BROKER_NOT_EXIST_EXCEPTION: "BROKER_NOT_EXIST_EXCEPTION",
    codes.NO_NAME_SERVER_EXCEPTION: "NO_NAME_SERVER_EXCEPTION",
    codes.NOT_FOUND_TOPIC_EXCEPTION: "NOT_FOUND_TOPIC_EXCEPTION",
}


def ending(name: str, code: int) -> str:
    """One name for an outcome or result and its code: `MQBrokerException SYSTEM_BUSY`; a SendStatus is its own."""
    if not name.endswith("Exception") or code in (0, codes.NO_CODE):
        return name
    return f"{name} {CODES.get(code, code)}"


def endings(name: pa.Array, code: pa.Array, chosen: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """The endings of the chosen rows, and which rows each has."""
    where = np.flatnonzero(chosen)
    if not len(where):
        return
    names = name if pa.types.is_dictionary(name.type) else pc.dictionary_encode(name)
    texts = names.dictionary.to_pylist()
    index = pc.fill_null(names.indices, 0).to_numpy(zero_copy_only=False)[where].astype(np.int64)
    number = numbers(code)[where].astype(np.int64)
    # One number for both, because pairs are slow to sort; codes are small, and -1 is the smallest.
    pairs, which = np.unique(index << 32 | number + 1, return_inverse=True)
    for position, pair in enumerate(pairs.tolist()):
        yield ending(texts[pair >> 32], (pair & 0xFFFFFFFF) - 1), where[which == position]


class ResultTotals:
    """Reader of `sends`: messages by result, and how many of them made no attempt."""

    columns = ("result", "response_code", "attempts", "broker", "messages")

    def __init__(self) -> None:
        self.messages: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    def add(self, batch: pa.RecordBatch) -> None:
        """Take the next messages."""
        messages, none = numbers(batch.column("messages")), is_refused(batch)
        every = np.ones(len(messages), dtype=bool)
        for text, rows in endings(batch.column("result"), batch.column("response_code"), every):
            self.messages[text] += int(messages[rows].sum())
            self.refused[text] += int(messages[rows][none[rows]].sum())
