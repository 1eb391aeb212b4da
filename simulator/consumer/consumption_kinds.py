"""The kinds of consumption, by the consumeMode of a scenario."""

from __future__ import annotations

from simulator.consumer.concurrent.concurrent_consumption import CONCURRENTLY
from simulator.consumer.orderly.orderly_consumption import ORDERLY

CONSUMPTION_KINDS = {"CONCURRENTLY": CONCURRENTLY, "ORDERLY": ORDERLY}
