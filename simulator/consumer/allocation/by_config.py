"""CONFIG: the configured queues, whoever asks and whatever exists.

Source: rocketmq 4.2.0-5.3.3, AllocateMessageQueueByConfig.
"""

from __future__ import annotations

from simulator.compiled.jit import rule
from simulator.compiled.records import Cells
from simulator.consumer.allocation.sharing import NULL, Sharing


@rule()
def allocate_by_config(sharing: Sharing, result: Cells) -> int:
    """Number of the configured queues, which are written to `result`, or NULL where none were configured."""
    if sharing.config_count == NULL:
        return NULL
    for i in range(sharing.config_count):
        result[i] = sharing.config[i]
    return sharing.config_count
