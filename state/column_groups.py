"""Columns that several tables have beside those of their keys."""

from __future__ import annotations

import pyarrow as pa

from state.table import CELL, NAME, PRODUCER, PRODUCER_GROUP, SEND_SEQ, THREAD, TOPIC, Column

# a message, one attempt for it, and how that ended
MESSAGE = (CELL, PRODUCER, THREAD, TOPIC, SEND_SEQ, PRODUCER_GROUP)
ATTEMPT = Column("attempt", pa.int32(), "", "1 for the first attempt")
ATTEMPT_TIMES = (
    Column("begin_us", pa.int64(), "us", "virtual time at which the attempt began"),
    Column("end_us", pa.int64(), "us", "virtual time at which the client knew its outcome"),
)
ATTEMPT_OUTCOME = (
    Column("outcome", NAME, "", "SEND_OK, another SendStatus, or the exception"),
    Column("response_code", pa.int32(), "", "response code of the broker, null where there was no response"),
)

# a stored message
SENDER = Column("sender", pa.int32(), "", "sender thread in the cell that sent it")
ARRIVAL_US = Column("arrival_us", pa.int64(), "us", "virtual time at which the application wanted to send the message")

# what a window counts
WINDOW_START_US = Column("window_start_us", pa.int64(), "us", "virtual time at which the window begins")
WINDOW = (WINDOW_START_US, Column("window_us", pa.int64(), "us", "length of the window"))

# a consumer group: one instance of it, and what it never consumes
INSTANCE = Column("instance", NAME, "", "the group's instance: its client id")
NOT_CONSUMED = (
    Column("missed", pa.int64(), "", "messages that were deleted before the group had consumed them, so far"),
    Column("skipped", pa.int64(), "", "messages that the group went past without consuming them, so far: no lag"),
    Column("skipped_since_start", pa.int64(), "", "of those, the ones stored since the instance was started that did"),
)
