"""Words that operators and other clients use for keys, kinds and values that have another name here."""

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
        "sql": "topics", "sql92": "topics", "expression": "topics", "filter_expression": "topics",
    },
    "producers.grpc": {
        "language": "client", "lang": "client", "version": "release", "endpoints": "proxy", "endpoint": "proxy",
        "retries": "max_attempts", "timeout": "request_timeout",
    },
    "consumers.NAME.grpc": {
        "type": "kind", "version": "release", "endpoints": "proxy", "endpoint": "proxy", "timeout": "request_timeout",
        "await": "await_duration", "await_time": "await_duration", "polling_time": "await_duration",
        "invisible_time": "invisible_duration", "pop_invisible_time": "invisible_duration",
        "batch": "max_message_num", "batch_size": "max_message_num", "pop_batch_nums": "max_message_num",
    },
    "proxies": {"version": "release", "replicas": "count", "instances": "count"},
}  # fmt: skip
OF_VALUES: Mapping[str, str] = {
    "golang": "go", "c++": "cpp", "c#": "csharp", ".net": "csharp", "dotnet": "csharp", "py": "python",
    "node": "nodejs", "node.js": "nodejs", "javascript": "nodejs", "js": "nodejs", "typescript": "nodejs",
    "push_consumer": "push", "simple_consumer": "simple", "pull": "CONCURRENTLY", "push": "CONCURRENTLY",
    "fifo": "ORDERLY", "broadcast": "BROADCASTING", "cluster": "CLUSTERING", "embedded": "local", "sidecar": "local",
}  # fmt: skip
OF_FAULTS: Mapping[str, str] = {
    "crash": "kill", "oom": "kill", "down": "kill", "reboot": "restart", "gc": "pause", "freeze": "hang",
    "network_partition": "partition", "power_off": "power_loss", "machine_loss": "silent_death",
}  # fmt: skip
