"""Find and read golden files: one JSON case a line, gzipped or not."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from streaming.errors import InputError
from streaming.proof.golden.consumer.needed_keys import NEEDED_BY_CONSUMERS
from streaming.proof.texts.proof_texts import ProofTexts

Case = dict[str, Any]

LIVE = "-live-"
SUFFIXES = (".jsonl.gz", ".jsonl")
NEEDED: Mapping[str, tuple[str, ...]] = {
    **NEEDED_BY_CONSUMERS,
    "select": ("id", "v", "t0", "en", "lm", "nd", "names", "w0", "topics", "ops"),
    "send": ("id", "v", "t0", "en", "to", "rt", "names", "script", "routes", "msgs", "w0"),
    "async": ("id", "v", "t0", "en", "to", "rt", "names", "script", "routes", "msgs", "w0"),
    "rules": ("k", "v"),
    "botocore_adaptive": ("id", "t0", "ops"),
    "botocore_standard": ("id", "max_attempts", "capacity", "max_backoff", "service", "costs", "ops"),
    "finagle_backoff": ("id", "kind", "startMs", "maxMs", "ops", "exhausted"),
    "finagle_failureaccrual": ("id", "t0", "policies", "ops"),
    "finagle_p2c_peakewma": ("id", "t0", "decayNs", "nodes", "ops"),
    "finagle_retrybudget": ("id", "t0", "ttlMs", "minPerSec", "percent", "ops"),
    "grpc_outlier": ("id", "base", "maxTime", "maxPercent", "sr", "fp", "ops"),
    "grpc_retry": ("id", "hedging", "throttle", "codes", "ops"),
    "kafka_accumulator": ("id", "np", "nodes", "batch", "linger", "adaptive", "avail", "leaders", "ops"),
    "kafka_partitioner": ("id", "np", "batch", "leaders", "ops"),
    "netflix_aimd": ("id", "init", "min", "max", "backoff", "timeoutNs", "ops"),
    "netflix_gradient2": ("id", "init", "min", "max", "queue", "longWindow", "smoothing", "tolerance", "ops"),
    "netflix_vegas": ("id", "init", "max", "probe", "smoothing", "jitter0", "ops"),
    "netflix_windowed_aimd": ("id", "init", "min", "max", "backoff", "timeoutNs", "windowSize", "minRttNs", "ops"),
    "resilience4j_circuitbreaker": ("id", "t0", "type", "window", "min", "half", "fail", "slow", "wait", "ops"),
    "resilience4j_retry": ("id", "kind", "init", "mult", "rf", "cap", "max", "failAfterMax", "intervals", "calls"),
}


def golden_files(paths: Sequence[str | Path]) -> list[Path]:
    """The files themselves and, of folders, every golden file below them, by name.

    Raises InputError if a path does not exist or a folder holds no such file.
    """
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            below = sorted(file for file in path.rglob("*") if file.is_file() and file.name.endswith(SUFFIXES))
            if not below:
                raise InputError(ProofTexts.NO_GOLDEN_FILE().at(path))
            found += below
        elif path.is_file():
            found.append(path)
        else:
            raise InputError(ProofTexts.NO_SUCH_FILE().at(path))
    if not found:
        raise InputError(ProofTexts.NO_FILE_NAMED())
    return list(dict.fromkeys(found))


def is_live(path: Path) -> bool:
    """Whether a file says when something happened in a running cluster instead of what a class answered."""
    return LIVE in path.name


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    number = 0
    try:
        with path.open("rb") as start:
            is_gzip = start.read(2) == b"\x1f\x8b"
        if path.name.endswith(".gz") and not is_gzip:
            raise InputError(ProofTexts.NOT_GZIP().at(f"{path}: line 1"))
        with gzip.open(path, "rb") if is_gzip else path.open("rb") as file:
            for number, line in enumerate(file, 1):
                yield number, line
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(ProofTexts.FILE_UNREADABLE(why=error).at(f"{path}: line {number + 1}")) from error


def kind_of(path: Path, case: Case) -> str | None:
    """The kind of recording: by the file's name, else one of the RocketMQ clients' by its first case; or None."""
    for kind in NEEDED:
        if path.name.startswith(f"{kind}-"):
            return kind
    if "k" in case and "rows" in case:
        return "rules"
    if "ops" in case:
        return "select"
    if "msgs" in case:
        results = [message[5] for message in case["msgs"][:1]]
        return "async" if any(not result or isinstance(result[0], list) for result in results) else "send"
    return None


def version_of(path: Path) -> str:
    """The version that follows the kind in the name of a file ("grpc_retry-1.76.0.jsonl.gz"), "" for none."""
    name = path.name
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return name.partition("-")[2]


def cases(path: Path) -> Iterator[tuple[str, int, Case]]:
    """(kind, line, case) of every line. Raises InputError naming file and line, and for a file without a case."""
    kind: str | None = None
    for number, line in _lines(path):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
        except (ValueError, RecursionError) as error:
            if number == 1 and line.lstrip().startswith(b"["):
                raise InputError(ProofTexts.ANSWERS_OF_POP().at(path)) from error
            raise InputError(ProofTexts.NOT_JSON(why=error).at(f"{path}: line {number}")) from error
        if not isinstance(case, dict):
            raise InputError(ProofTexts.CASE_IS_NO_OBJECT().at(f"{path}: line {number}"))
        try:
            kind = kind or kind_of(path, case)
        except (LookupError, TypeError):
            kind = None
        if kind is None:
            raise InputError(ProofTexts.NO_KIND_OF_CASE().at(f"{path}: line {number}"))
        missing = [key for key in NEEDED[kind] if key not in case]
        if missing:
            raise InputError(ProofTexts.CASE_LACKS(kind=kind, key=missing[0]).at(f"{path}: line {number}"))
        yield kind, number, case
    if kind is None:
        raise InputError(ProofTexts.NO_CASE().at(path))
