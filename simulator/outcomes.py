"""How an attempt or a message ended, in the names that tables and reports use."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from simulator import codes
from state.columns import named

Ints = npt.NDArray[np.int64]

# Outcomes by number, then the SendStatus values other than SEND_OK by response code.
OUTCOME_LABELS = (*codes.OUTCOME_NAMES, *codes.SEND_STATUS_CODES)
# Results of a successful send.
WELL = tuple(codes.OUTCOME_NAMES[outcome] for outcome in codes.WELL)


def labelled(outcome: Ints, code: Ints) -> pa.Array:
    """Dictionary column of the names of outcomes [n] with their response codes [n]; null where there is none."""
    number = code - codes.FLUSH_DISK_TIMEOUT
    is_status = (outcome == codes.SEND_STATUS) & (number >= 0) & (number < len(codes.SEND_STATUS_CODES))
    return named(np.where(is_status, len(codes.OUTCOME_NAMES) + number, outcome), OUTCOME_LABELS)
