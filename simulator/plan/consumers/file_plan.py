"""The commit logs of brokers as the consumer machine reads them."""

from __future__ import annotations

from simulator.compiled.records import Array
from simulator.compiled.region_store import filled
from simulator.consumer.queue_log.queue_log import FileRules
from simulator.scenario import Scenario

# an entry of the commit log without body and topic: 91 bytes of fields, and the properties UNIQ_KEY and WAIT
ENTRY_BYTES = 91 + 42 + 10


def file_rules(scenario: Scenario) -> Array:
    """Region `file_rules`: what each broker's settings say about its files."""
    brokers = scenario.brokers.values()
    return filled(
        FileRules, len(brokers),
        file_bytes=[broker.mapped_file_size_commit_log_bytes for broker in brokers],
        reserved_us=[broker.file_reserved_time_us for broker in brokers],
        hours=[broker.hours for broker in brokers],
        disk_bytes=[broker.disk_bytes or 0 for broker in brokers],
        disk_percent=[broker.disk_max_used_space_ratio for broker in brokers],
    )  # fmt: skip
