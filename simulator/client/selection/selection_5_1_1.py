"""Selection of 5.1.1-5.1.3: pass 1 wants an available broker other than the last.

Source: rocketmq 5.1.3, MQFaultStrategy.selectOneMessageQueue.
"""

from __future__ import annotations

from simulator.client.selection.selection_5_1_0 import select_on_but
from simulator.client.view import View
from simulator.compiled.jit import entry
from simulator.compiled.records import Ms


@entry
def select_on(view: View, now_ms: Ms, last_broker: int, reset_index: int) -> int:
    """Strategy on: an available broker other than the last; else the fault table."""
    return select_on_but(view, now_ms, last_broker)
