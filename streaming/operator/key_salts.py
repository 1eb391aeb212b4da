"""Salts of the operator's keys, which spread cells evenly over Spark's state partitions.

Spark puts a key in the partition that the hash of its columns names, whatever lies there already: two cells meet in one
of two partitions every other time, and then one of two cores waits. So a key has a salt beside run and cell, a number
for which the hash names the next partition in turn. Salts depend on the names of the runs, their cells and the number
of partitions alone, and a checkpoint keeps all of these.

Source: Spark 4.3, HashPartitioning.partitionIdExpression and Murmur3_x86_32 (hashInt, hashUnsafeBytes).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SALT = "salt"
SEED = 42  # of Spark's hash of a key's first column
WORD = 0xFFFFFFFF
Salts = Mapping[str, Sequence[int]]  # of each run's cells, by the run's name


def _turned(value: int, bits: int) -> int:
    return (value << bits | value >> (32 - bits)) & WORD


def _mixed(seed: int, value: int) -> int:
    mixed = _turned((value & WORD) * 0xCC9E2D51 & WORD, 15) * 0x1B873593 & WORD
    return _turned(seed ^ mixed, 13) * 5 + 0xE6546B64 & WORD


def _ended(mixed: int, length: int) -> int:
    mixed ^= length
    mixed = (mixed ^ mixed >> 16) * 0x85EBCA6B & WORD
    mixed = (mixed ^ mixed >> 13) * 0xC2B2AE35 & WORD
    return mixed ^ mixed >> 16


def hash_of_int(value: int, seed: int) -> int:
    """Spark's hash of an int column, 0 to 2^32 - 1; `seed`: the hash of the columns before it."""
    return _ended(_mixed(seed, value), 4)


def hash_of_text(text: str, seed: int = SEED) -> int:
    """The same of a string column. Of what is left after whole words Spark mixes in each byte, with its sign."""
    found = text.encode()
    whole = len(found) // 4 * 4
    for at in range(0, whole, 4):
        seed = _mixed(seed, int.from_bytes(found[at : at + 4], "little"))
    for byte in found[whole:]:
        seed = _mixed(seed, byte - 256 if byte > 127 else byte)
    return _ended(seed, len(found))


def partition_of(hashed: int, partitions: int) -> int:
    """The partition that a hash names."""
    return (hashed - (1 << 32) if hashed >> 31 else hashed) % partitions


def salts_of(cells: Mapping[str, int], partitions: int) -> Salts:
    """The salts of every run's cells. `cells`: how many a run has, by its name, in the order of the runs."""
    found: dict[str, list[int]] = {}
    turn = count()
    for run, number in cells.items():
        named = hash_of_text(run)
        found[run] = [_salt(hash_of_int(cell, named), next(turn) % partitions, partitions) for cell in range(number)]
    return found


def _salt(seed: int, wanted: int, partitions: int) -> int:
    return next(salt for salt in count() if partition_of(hash_of_int(salt, seed), partitions) == wanted)


def salted(blocks: DataFrame, salts: Salts) -> DataFrame:
    """Blocks with the salt of their cell; 0 where no run has it, which the operator refuses."""
    from pyspark.sql import functions as sql

    column = sql.lit(None).cast("int")
    for run, own in salts.items():
        of_cell = sql.get(sql.array(*map(sql.lit, own)), sql.col("cell"))
        column = sql.when(sql.col("run") == run, of_cell).otherwise(column)
    return blocks.withColumn(SALT, sql.coalesce(column, sql.lit(0)))
