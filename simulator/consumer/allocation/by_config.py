"""CONFIG: the configured queues of the process, whoever asks and whatever exists.

Source: rocketmq 4.2.0-5.3.3, AllocateMessageQueueByConfig.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells
from simulator.consumer.allocation.sharing import NULL, Sharing


@rule()
def allocate_by_config(sharing: Sharing, me: int, result: Cells) -> int:
    """Number of the configured queues, which are written to `result`, or NULL where none were configured."""
    if sharing.config_count == NULL:
        return NULL
    begin, end = 0, sharing.config_count
    if sharing.configured_apart == 1:
        begin, end = 0 if me == 0 else sharing.config_ends[me - 1], sharing.config_ends[me]
    for i in range(begin, end):
        result[i - begin] = sharing.config[i]
    return end - begin
