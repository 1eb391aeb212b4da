"""RocketMQ's own names for what a scenario says in its own: keys of broker.conf, properties of producers and consumers.

Source: BrokerConfig, MessageStoreConfig, NamesrvConfig, TopicConfig, DefaultMQProducer and DefaultMQPushConsumer of
rocketmq 5.3.3. What is a bare number of a unit there is one here, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from simulator.scenario.texts.reading_texts import ReadingTexts


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


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, str) and re.fullmatch(r"-?\d+", value, re.ASCII) else value


def _flag(value: Any) -> Any:
    return {"true": True, "false": False}.get(str(value).lower(), value)


def _flush(value: Any) -> Any:
    return {"ASYNC_FLUSH": "async", "SYNC_FLUSH": "sync"}.get(value, value)


def _role(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


def _constant(value: Any) -> Any:
    """One of an enum, without the enum's own name before it."""
    return value.rpartition(".")[2].upper() if isinstance(value, str) else value


def _one_of(names: Mapping[str, str]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        return names.get(value, value) if isinstance(value, str) else value

    return read


def _moment(value: Any) -> Any:
    if re.fullmatch(r"\d{14}", str(value)):
        raise ValueError(ReadingTexts.TIME_WITHOUT_DATE(value=value))
    return value


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
    "enableRemoteEscape": ("enable_remote_escape", _flag),
    "haMaxTimeSlaveNotCatchup": ("ha_max_time_slave_not_catchup", _milliseconds),
    "haFlowControlEnable": ("ha_flow_control_enable", _flag),
    "maxHaTransferByteInSecond": ("max_ha_transfer_byte_in_second", _unit("B")),
    "brokerHeartbeatInterval": ("broker_heartbeat_interval", _milliseconds),
    "controllerHeartBeatTimeoutMills": ("controller_heart_beat_timeout", _milliseconds),
    "checkSyncStateSetPeriod": ("check_sync_state_set_period", _milliseconds),
    "messageDelayLevel": ("message_delay_level", _same),
    "fileReservedTime": ("file_reserved_time", _unit("h")),
    "deleteWhen": ("delete_when", _same),
    "mappedFileSizeCommitLog": ("mapped_file_size_commit_log", _unit("B")),
    "mapedFileSizeCommitLog": ("mapped_file_size_commit_log", _unit("B")),  # up to 4.7.1
    "diskMaxUsedSpaceRatio": ("disk_max_used_space_ratio", _number),
    "accessMessageInMemoryMaxRatio": ("access_message_in_memory_max_ratio", _number),
    "pullMessageThreadPoolNums": ("pull_message_thread_pool_nums", _number),
    "slaveReadEnable": ("slave_read_enable", _flag),
    "enablePropertyFilter": ("enable_property_filter", _flag),
    "enableCalcFilterBitMap": ("enable_calc_filter_bit_map", _flag),
    "enableConsumeQueueExt": ("enable_consume_queue_ext", _flag),
    "enablePopMessageThreshold": ("enable_pop_message_threshold", _flag),
    "popInflightMessageThreshold": ("pop_inflight_message_threshold", _number),
    "enablePopBufferMerge": ("enable_pop_buffer_merge", _flag),
    "reviveInterval": ("revive_interval", _milliseconds),
    "reviveMaxSlow": ("revive_max_slow", _number),
    "timerWheelEnable": ("timer_wheel_enable", _flag),
    "timerPrecisionMs": ("timer_precision", _milliseconds),
    "timerMaxDelaySec": ("timer_max_delay", _unit("s")),
}
OF_CLIENTS: Names = {
    "sendLatencyFaultEnable": ("send_latency_fault_enable", _flag),
    "sendLatencyEnable": ("send_latency_fault_enable", _flag),  # ClientConfig, 5.1.4 and later
    "connectTimeoutMillis": ("connect_timeout", _milliseconds),  # NettyClientConfig
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
    "batchMaxDelayMs": ("batch_max_delay", _milliseconds),
    "batchMaxBytes": ("batch_max_bytes", _unit("B")),
    "totalBatchMaxBytes": ("total_batch_max_bytes", _unit("B")),
}
STRATEGIES = {
    "AllocateMessageQueueAveragely": "AVG",
    "AllocateMessageQueueAveragelyByCircle": "AVG_BY_CIRCLE",
    "AllocateMessageQueueByConfig": "CONFIG",
    "AllocateMessageQueueByMachineRoom": "MACHINE_ROOM",
    "AllocateMessageQueueConsistentHash": "CONSISTENT_HASH",
    "AllocateMachineRoomNearby": "MACHINE_ROOM_NEARBY",
}
LISTENERS = {"MessageListenerConcurrently": "CONCURRENTLY", "MessageListenerOrderly": "ORDERLY"}
OF_CONSUMERS: Names = {
    "consumeThreadMin": ("threads", _number),
    "consumeThreadNumber": ("threads", _number),  # rocketmq-spring
    "consumeFromWhere": ("consume_from_where", _constant),
    "consumeTimestamp": ("consume_timestamp", _moment),
    "allocateMessageQueueStrategy": ("strategy", _one_of(STRATEGIES)),
    "messageModel": ("message_model", _constant),
    "messageListener": ("consume_mode", _one_of(LISTENERS)),
    "consumeMode": ("consume_mode", _constant),  # rocketmq-spring
    "consumeMessageBatchMaxSize": ("consume_message_batch_max_size", _number),
    "consumeConcurrentlyMaxSpan": ("consume_concurrently_max_span", _number),
    "consumeTimeout": ("consume_timeout", _unit("m")),
    "maxReconsumeTimes": ("max_reconsume_times", _whole),
    "delayLevelWhenNextConsume": ("delay_level_when_next_consume", _whole),
    "pullBatchSize": ("pull_batch_size", _number),
    "pullInterval": ("pull_interval", _milliseconds),
    "pullThresholdForQueue": ("pull_threshold_for_queue", _number),
    "pullThresholdSizeForQueue": ("pull_threshold_size_for_queue", _number),
    "suspendCurrentQueueTimeMillis": ("suspend_current_queue_time", _milliseconds),
    "popInvisibleTime": ("pop_invisible_time", _milliseconds),
    "popBatchNums": ("pop_batch_nums", _number),
    "popThresholdForQueue": ("pop_threshold_for_queue", _number),
}
OF_TOPICS: Names = {"orderTopicConf": ("order_topic_conf", _same)}
OF_NAME_SERVERS: Names = {
    "enableSlaveActingMaster": ("enable_slave_acting_master", _flag),
    "supportActingMaster": ("support_acting_master", _flag),
    "needWaitForService": ("need_wait_for_service", _flag),
    "waitSecondsForService": ("wait_for_service", _unit("s")),
}

# Accepted, and without an effect in RocketMQ: why.
WITHOUT_EFFECT: Mapping[str, str] = {
    "consumeThreadMax": "the queue before the consume threads has no bound, so that no thread beyond consumeThreadMin "
    "ever starts",
    "adjustThreadPoolNumsThreshold": "no release since 4.2.0 adjusts the number of consume threads by it",
}
# What else a scenario says in another place.
INSTEAD: Mapping[str, str] = {
    "consumerGroup": "the name of the group is its key under consumers",
    "brokerName": "the name of the broker is its key under brokers",
    "brokerElectionPriority": "the priorities of a set's machines are broker_election_priority, such as [1, 2, 3]",
    "brokerId": "a slave is no broker of its own here: give its master slaves: 1",
    "enableControllerMode": "a controller elects the master with mode: controller and the machines in replicas",
    "enableDLegerCommitLog": "DLedger elects the master with mode: dledger and the machines in replicas",
    "producerGroup": "the name of the group is group of producers",
    "subscription": "what the group reads is topic or topics",
    "instanceName": "client ids of the instances of a consumer group are its client_ids",
    "writeQueueNums": "the queues of a topic are queues, or write_queues of each broker in route",
    "readQueueNums": "the queues of a topic are queues, or read_queues of each broker in route",
    "perm": "what a topic allows is permission of each broker in route",
}
