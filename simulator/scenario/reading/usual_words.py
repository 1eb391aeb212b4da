"""Words that operators and other clients use for keys and kinds that have another name here."""

from __future__ import annotations

from collections.abc import Mapping

# by the place, as SettingsPlace calls it; compared in snake_case
OF_KEYS: Mapping[str, Mapping[str, str]] = {
    "client": {
        "retries": "retry_times_when_send_failed", "retry_times": "retry_times_when_send_failed",
        "timeout": "send_msg_timeout", "version": "release",
    },
    "producers": {
        "rps": "rate", "tps": "rate", "qps": "rate", "instances": "count", "replicas": "count",
        "hash_key": "selector", "sharding_key": "selector", "delay_level": "delay", "delay_time_level": "delay",
    },
    "topics.NAME": {"partitions": "queues", "size": "message_bytes", "message_size": "message_bytes"},
    "brokers.NAME": {"version": "release", "threads": "send_threads", "service": "latency"},
    "consumers.NAME": {
        "mode": "consume_mode", "orderly": "consume_mode", "pop": "consume_mode", "broadcasting": "message_model",
        "instances": "count", "replicas": "count", "concurrency": "threads", "workers": "threads",
        "consumption_thread_count": "threads", "tag": "topics", "filter": "topics", "selector_expression": "topics",
        "offset": "consume_from_where", "auto_offset_reset": "consume_from_where", "lag": "backlog", "client": "grpc",
        "retry_max_times": "max_reconsume_times", "max_attempts": "max_reconsume_times", "version": "release",
        "max_cache_message_count": "grpc", "await_duration": "grpc", "latency": "service",
    },
}  # fmt: skip
OF_FAULTS: Mapping[str, str] = {
    "crash": "kill", "oom": "kill", "down": "kill", "reboot": "restart", "gc": "pause", "freeze": "hang",
    "network_partition": "partition", "power_off": "power_loss", "machine_loss": "silent_death",
}  # fmt: skip
