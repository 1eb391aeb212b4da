"""Fuzzed records of the topics that a job reads, through parser and packer, without a broker."""

from __future__ import annotations

import json
import random
from typing import Any

import pyarrow as pa

from streaming.flow.blocks import decode
from streaming.kafka.intake.judging import Vocabulary, judge
from streaming.kafka.intake.record_blocks import ARRIVALS, OBSERVATIONS, REJECTS, blocks_of
from tests.endurance.fuzzing.drawing import EVIL, check_sentence, spoiled

NAMES = Vocabulary("fuzzed", 2, ("orders", "clicks"), ("a", "b", "c"), ("producers",))
BATCH = 2_000
ALONE = 20  # of a batch, judged without their neighbours
WHOLE = (-(2**70), -(2**63), -1, 0, 1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 10**40, 1.0, 1.5, 1e300, float("nan"))


def sound(draw: random.Random) -> dict[str, Any]:
    """A record that can be used."""
    at_us = draw.randrange(10**9)
    kind = draw.choice(("arrival", "arrival", "arrival", "observation", "time", "end"))
    said: dict[str, Any] = {"v": 1, "kind": kind, "run": "fuzzed"}
    if kind != "end":
        said["at_us"] = at_us
    if kind == "arrival":
        said |= {
            "cell": draw.randrange(2),
            "producer": draw.randrange(9),
            "thread": draw.randrange(4),
            "topic": "orders",
        }
        said |= {"seq": draw.randrange(10**6)} | ({"draw": draw.getrandbits(63)} if draw.random() < 0.5 else {})
    elif kind == "observation":
        table = draw.choice(("speed", "answer", "link", "loss"))
        said |= {"cell": draw.randrange(2), "until_us": at_us + 10**6, "broker": "b", "table": table, "value": 1}
        said |= {"group": "producers"} if table in ("link", "loss") else {}
    return said


def fuzzed(draw: random.Random) -> bytes | None:
    """A record, one in three of them sound."""
    said = sound(draw)
    match draw.randrange(9):
        case 0 | 1 | 2:
            return json.dumps(said).encode()
        case 3:
            del said[draw.choice(list(said))]
        case 4:
            said[draw.choice(list(said))] = draw.choice(WHOLE)
        case 5:
            said[draw.choice(list(said))] = draw.choice((None, True, [], {}, [1], {"a": 1}, "1", *EVIL))
        case 6:
            said[draw.choice(("extra", "v ", "", "at_us\x00"))] = draw.choice(EVIL)
        case 7:
            return draw.choice((None, b"", b"null", b"[]", b"1", b'"a"', b"{}", b"{}\n{}", b"[" * 9_000, b"\xff\xfe{}"))
        case _:
            return spoiled(json.dumps(said).encode(), draw)
    return json.dumps(said).encode("utf-16" if draw.random() < 0.05 else "utf-8", "surrogatepass")


def fuzz_records(seed: int, count: int) -> str:
    """Judge and pack that many: each is used or refused, with a reason, and never both."""
    draw, used, refused = random.Random(f"records {seed}"), 0, 0
    for first in range(0, count, BATCH):
        values = [fuzzed(draw) for _ in range(min(BATCH, count - first))]
        judged = judge(pa.array(values, pa.binary()), NAMES)
        usable = [judged.arrivals, judged.observations, judged.times, judged.ends]
        numbers = sorted([int(n) for kind in usable for n in kind] + [number for number, _ in judged.rejected])
        assert numbers == list(range(len(values))), f"used and refused do not add up among {values!r}"
        for number, reason in judged.rejected:
            check_sentence(reason, values[number])
        _check_blocks(values, len(judged.arrivals), len(judged.observations), len(judged.rejected))
        reasons = dict(judged.rejected)
        for number in draw.sample(range(len(values)), min(ALONE, len(values))):
            alone = dict(judge(pa.array([values[number]], pa.binary()), NAMES).rejected)
            assert alone.get(0) == reasons.get(number), f"judged otherwise alone: {values[number]!r}"
        refused += len(judged.rejected)
        used += len(values) - len(judged.rejected)
    return f"{count:,} = {used:,} used + {refused:,} refused"


def _check_blocks(values: list[bytes | None], arrivals: int, observations: int, rejected: int) -> None:
    """What is packed has as many rows of each kind as were judged to be of it."""
    count = len(values)
    columns = {
        "value": pa.array(values, pa.binary()), "topic": pa.array(["fuzzed"] * count),
        "partition": pa.array([0] * count, pa.int32()), "offset": pa.array(range(count), pa.int64()),
    }  # fmt: skip
    rows = {ARRIVALS: 0, OBSERVATIONS: 0, REJECTS: 0}
    for block in blocks_of(pa.RecordBatch.from_pydict(columns), NAMES):
        if block.table in rows:
            rows[block.table] += decode(block.payload).num_rows
    assert rows == {ARRIVALS: arrivals, OBSERVATIONS: observations, REJECTS: rejected}, f"packed otherwise: {values!r}"
