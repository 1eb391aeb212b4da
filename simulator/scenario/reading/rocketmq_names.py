"""RocketMQ's own names for what a scenario says in its own: keys of broker.conf, properties of the producer, and more.

Source: BrokerConfig, MessageStoreConfig, NamesrvConfig and DefaultMQProducer of rocketmq 5.3.3. What is a bare number
of milliseconds, seconds or bytes there is one here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from simulator.scenario.reading.keda_names import OF_SCALING, is_scaling, scaling_places
from simulator.scenario.reading.scenario_error import Path, Problem


def _same(value: Any) -> Any:
    return value


def _unit(unit: str) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        is_bare = (isinstance(value, int) and not isinstance(value, bool)) or str(value).isdigit()
        return f"{value}{unit}" if is_bare else value

    return read


def _milliseconds(value: Any) -> Any:
    return [_unit("ms")(one) for one in value] if isinstance(value, list) else _unit("ms")(value)


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdigit() else value


def _flag(value: Any) -> Any:
    return {"true": True, "false": False}.get(str(value).lower(), value)


def _flush(value: Any) -> Any:
    return {"ASYNC_FLUSH": "async", "SYNC_FLUSH": "sync"}.get(value, value)


def _role(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


Names = dict[str, tuple[str, Callable[[Any], Any]]]

OF_BROKERS: Names = {
    "sendMessageThreadPoolNums": ("send_threads", _number),
    "sendThreadPoolQueueCapacity": ("send_queue", _number),
    "brokerFastFailureEnable": ("fast_failure", _flag),
    "waitTimeMillsInSendQueue": ("wait_time_in_send_queue", _milliseconds),
    "osPageCacheBusyTimeOutMills": ("page_cache_busy", _milliseconds),
    "flushDiskType": ("flush", _flush),
    "syncFlushTimeout": ("sync_flush_timeout", _milliseconds),
    "transientStorePoolEnable": ("transient_store_pool", _flag),
    "brokerRole": ("role", _role),
    "slaveTimeout": ("slave_timeout", _milliseconds),
    "inSyncReplicas": ("in_sync_replicas", _number),
    "enableSlaveActingMaster": ("slave_acting_master", _flag),
    "messageDelayLevel": ("message_delay_level", _same),
    "fileReservedTime": ("file_reserved_time", _unit("h")),
    "deleteWhen": ("delete_when", _same),
    "mappedFileSizeCommitLog": ("mapped_file_size_commit_log", _unit("B")),
    "mapedFileSizeCommitLog": ("mapped_file_size_commit_log", _unit("B")),  # up to 4.7.1
    "diskMaxUsedSpaceRatio": ("disk_max_used_space_ratio", _number),
    "accessMessageInMemoryMaxRatio": ("access_message_in_memory_max_ratio", _number),
    "pullMessageThreadPoolNums": ("pull_message_thread_pool_nums", _number),
    "slaveReadEnable": ("slave_read_enable", _flag),
    "timerWheelEnable": ("timer_wheel_enable", _flag),
    "timerPrecisionMs": ("timer_precision", _milliseconds),
    "timerMaxDelaySec": ("timer_max_delay", _unit("s")),
}
OF_CLIENTS: Names = {
    "sendLatencyFaultEnable": ("send_latency_fault_enable", _flag),
    "latencyMax": ("latency_max", _milliseconds),
    "notAvailableDuration": ("not_available_duration", _milliseconds),
    "retryTimesWhenSendFailed": ("retry_times_when_send_failed", _number),
    "retryTimesWhenSendAsyncFailed": ("retry_times_when_send_async_failed", _number),
    "retryAnotherBrokerWhenNotStoreOK": ("retry_another_broker_when_not_store_ok", _flag),
    "sendMsgTimeout": ("send_msg_timeout", _milliseconds),
    "sendMsgMaxTimeoutPerRequest": ("send_msg_max_timeout_per_request", _milliseconds),
    "startDetectorEnable": ("start_detector_enable", _flag),
    "retryResponseCodes": ("retry_response_codes", _same),
    "pollNameServerInterval": ("poll_name_server_interval", _milliseconds),
    "maxMessageSize": ("max_message_size", _unit("B")),
    "compressMsgBodyOverHowmuch": ("compress_msg_body_over_howmuch", _unit("B")),
    "enableBackpressureForAsyncMode": ("enable_backpressure_for_async_mode", _flag),
    "backPressureForAsyncSendNum": ("back_pressure_for_async_send_num", _number),
    "backPressureForAsyncSendSize": ("back_pressure_for_async_send_size", _unit("B")),
    "autoBatch": ("auto_batch", _flag),
}
OF_NAME_SERVERS: Names = {
    "enableSlaveActingMaster": ("enable_slave_acting_master", _flag),
    "needWaitForService": ("need_wait_for_service", _flag),
    "waitSecondsForService": ("wait_for_service", _unit("s")),
}


@dataclass(frozen=True)
class Renamed:
    """A key that was written with RocketMQ's name: where, and the path that it has here."""

    written: Path
    path: Path


def rename(data: dict[str, Any]) -> tuple[list[Renamed], list[Problem]]:
    """Give the brokers' and the client's keys the names that they have here, in place; and what is wrong."""
    renamed: list[Renamed] = []
    problems: list[Problem] = []
    for path, mapping, names in _places(data):
        for key in [key for key in mapping if key in names]:
            own, read = names[key]
            if own in mapping:
                problems.append(Problem((*path, key), f"is {own} here, which is there as well; keep one of them"))
                del mapping[key]
                continue
            mapping[own] = read(mapping.pop(key))
            renamed.append(Renamed((*path, key), (*path, own)))
    return renamed, problems


def _places(data: dict[str, Any]) -> Iterator[tuple[Path, dict[str, Any], Names]]:
    brokers = data.get("brokers")
    for name, broker in (brokers if isinstance(brokers, dict) else {}).items():
        if isinstance(broker, dict):
            yield ("brokers", name), broker, OF_BROKERS
    if isinstance(data.get("client"), dict):
        yield ("client",), data["client"], OF_CLIENTS
    if isinstance(data.get("name_servers"), dict):
        yield ("name_servers",), data["name_servers"], OF_NAME_SERVERS
    producers = data.get("producers")
    for i, group in enumerate(producers if isinstance(producers, list) else [producers]):
        if isinstance(group, dict) and isinstance(group.get("client"), dict):
            path: Path = ("producers", i) if isinstance(producers, list) else ("producers",)
            yield (*path, "client"), group["client"], OF_CLIENTS
    for path, scaling in scaling_places(data):
        yield path, scaling, OF_SCALING


def spellings(path: Path) -> list[str]:
    """Other names of the key at a path: RocketMQ's for one of here, and the one here for RocketMQ's."""
    names = OF_CLIENTS if path[-2:-1] == ("client",) else {}
    names = OF_BROKERS if path[:1] == ("brokers",) and len(path) == 3 else names
    names = OF_NAME_SERVERS if path[:1] == ("name_servers",) and len(path) == 2 else names
    names = OF_SCALING if is_scaling(path) else names
    own = names[str(path[-1])][0] if path[-1] in names else path[-1]
    return [name for name in (*(key for key, (here, _) in names.items() if here == own), str(own)) if name != path[-1]]


def hints(data: dict[str, Any]) -> list[str]:
    """What the keys with RocketMQ's names are called here, a sentence each; changes nothing."""
    return [
        f"{'.'.join(map(str, (*path, key)))} is {names[key][0]} here"
        for path, mapping, names in _places(data)
        for key in mapping
        if key in names
    ]
