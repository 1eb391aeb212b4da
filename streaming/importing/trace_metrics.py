"""The metrics of brokers in the folder of a trace: `metrics/metrics.parquet` (SAMPLES of exporter_format.py)."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from simulator.calibrate.broker_metrics import PUTS_OF_LAST_US, BrokerScrapes, Scrapes
from streaming.errors import InputError
from streaming.importing.exporter_format import CLASS_MS, LOAD_10, LOAD_60, PUT_99, PUT_CLASS
from streaming.importing.trace import NOT_IN_NAMES, REJECTS
from streaming.texts.output_texts import OutputTexts

METRICS, FILE = "metrics", "metrics.parquet"
LOADS = ((LOAD_10, 10_000_000), (LOAD_60, PUTS_OF_LAST_US))  # the sharper first, with what it is a mean of
PART = 0.99


def has_metrics(folder: Path) -> bool:
    """Whether the trace has metrics."""
    return (folder / METRICS / FILE).is_file()


def write_metrics(folder: Path, samples: pa.Table, rejected: pa.Table) -> None:
    """Put samples into the folder of a trace, in the place of those before."""
    for name, table, file in ((METRICS, samples, FILE), (REJECTS, rejected, FILE)):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / file).unlink(missing_ok=True)
        if len(table):
            spare = folder / name / f".{file}.part"
            pq.write_table(table, spare, compression="zstd")
            spare.replace(folder / name / file)


def read_scrapes(folder: Path, zero_us: int) -> Scrapes:
    """What each broker said, by its name as a scenario has it. Raises InputError."""
    if not has_metrics(folder):
        return {}
    try:
        frame = pq.read_table(folder / METRICS / FILE).to_pandas()
    except (OSError, pa.ArrowException) as error:
        raise InputError(OutputTexts.NOT_PARQUET(why=error).at(folder / METRICS / FILE)) from error
    frame["at_us"] -= zero_us
    return scrapes_of(frame)


def scrapes_of(frame: pd.DataFrame) -> Scrapes:
    """The same of a table with the columns of SAMPLES."""
    found = {}
    for broker, rows in frame.groupby("broker", sort=True):
        # A slave may bear its master's name.
        by = rows.groupby(["metric", "at_us"])["value"].max()
        has = set(by.index.get_level_values(0))
        metric, window_us = next((pair for pair in LOADS if pair[0] in has), LOADS[-1])
        load = by.loc[metric] if metric in has else pd.Series(dtype=float)
        put = by.loc[PUT_99] if PUT_99 in has and by.loc[PUT_99].max() > 0 else _by_class(by)
        found[re.sub(NOT_IN_NAMES, "-", str(broker))] = BrokerScrapes(
            load.index.to_numpy(np.int64), window_us, load.to_numpy(float), put.index.to_numpy(np.int64),
            put.to_numpy(float),
        )  # fmt: skip
    return found


def _by_class(by: pd.Series) -> pd.Series:
    """Of each scrape the longest put of the class in which the 99th percentile lies."""
    counts = by[[name.startswith(PUT_CLASS) for name in by.index.get_level_values(0)]].unstack(0)
    if counts.empty:
        return pd.Series(dtype=float)
    counts = counts.reindex(columns=[PUT_CLASS + name for name in CLASS_MS]).fillna(0.0)
    counts = counts[counts.sum(axis=1) > 0]
    reached = counts.cumsum(axis=1).ge(PART * counts.sum(axis=1), axis=0).to_numpy()
    return pd.Series(np.array(list(CLASS_MS.values()))[reached.argmax(axis=1)], index=counts.index)
