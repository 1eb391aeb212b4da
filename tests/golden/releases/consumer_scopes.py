"""Whose code the audit of the consumer's side compares: shares of queues, pulls, caches, order, offsets, tags."""

from __future__ import annotations

import re

from scopes import ALL, Scope, _fields, _methods

SCOPES = (
    Scope(
        "consumer",
        ("client", "common", "remoting"),
        {
            "AbstractAllocateMessageQueueStrategy": ALL,
            "AllocateMessageQueueAveragely": ALL,
            "AllocateMessageQueueAveragelyByCircle": ALL,
            "AllocateMessageQueueByConfig": ALL,
            "AllocateMessageQueueByMachineRoom": ALL,
            "AllocateMachineRoomNearby": ALL,
            "AllocateMessageQueueConsistentHash": ALL,
            "ConsistentHashRouter": ALL,
            "VirtualNode": ALL,
            "MessageQueue": _methods("compareTo", "<init>"),
            "MixAll": _methods("getRetryTopic", "getDLQTopic"),
            "FilterAPI": ALL,
            "ProcessQueue": _methods(
                *("<init>", "<clinit>", "isLockExpired", "isPullExpired", "cleanExpiredMsg", "putMessage"),
                *("getMaxSpan", "removeMessage", "rollback", "commit", "makeMessageToCosumeAgain"),
                *("makeMessageToConsumeAgain", "takeMessags", "takeMessages", "hasTempMessage", "clear"),
                "containsMessage",
            ),
            "RebalanceImpl": _methods(
                *("unlock", "unlockAll", "lock", "lockAll", "doRebalance", "rebalanceByTopic"),
                *("updateProcessQueueTableInRebalance", "truncateMessageQueueNotMyTopic"),
                *("buildProcessQueueTableByBrokerName", "getWorkingMessageQueue", "removeProcessQueue", "destroy"),
            ),
            "RebalancePushImpl": _methods(
                *("messageQueueChanged", "removeUnnecessaryMessageQueue", "tryRemoveOrderMessageQueue"),
                *("unlockDelay", "computePullFromWhere", "computePullFromWhereWithException"),
                *("dispatchPullRequest", "<clinit>"),
            ),
            "RebalanceService": _methods("run", "<clinit>", "wakeup"),
            "PullMessageService": _methods(
                "run", "executePullRequestLater", "executePullRequestImmediately", "executeTaskLater", "pullMessage"
            ),
            "ConsumeMessageConcurrentlyService": _methods(
                *("<init>", "start", "submitConsumeRequest", "submitConsumeRequestLater", "processConsumeResult"),
                *("sendMessageBack", "cleanExpireMsg", "ConsumeRequest"),
            ),
            "ConsumeMessageOrderlyService": _methods(
                *("<init>", "<clinit>", "start", "submitConsumeRequest", "submitConsumeRequestLater"),
                *("processConsumeResult", "sendMessageBack", "tryLockLaterAndReconsume", "getMaxReconsumeTimes"),
                *("lockMQPeriodically", "lockOneMQ", "ConsumeRequest"),
            ),
            "RemoteBrokerOffsetStore": _methods(
                *("updateOffset", "readOffset", "persistAll", "persist", "removeOffset"),
                *("updateConsumeOffsetToBroker", "fetchConsumeOffsetFromBroker"),
            ),
            "LocalFileOffsetStore": _methods(
                *("load", "updateOffset", "readOffset", "persistAll", "persist", "removeOffset", "readLocalOffset")
            ),
            "DefaultMQPushConsumerImpl": _methods(
                *("pullMessage", "executePullRequestLater", "executePullRequestImmediately", "correctTagsOffset"),
                *("getMaxReconsumeTimes", "sendMessageBack", "sendMessageBackAsNormalMessage", "doRebalance"),
                "tryRebalance",
            ),
            "DefaultMQPushConsumerImpl$pullMessage": _methods("onSuccess", "onException", "run"),
            "MQClientInstance": _methods(
                *("findBrokerAddressInSubscribe", "findBrokerAddressInAdmin", "doRebalance", "rebalanceImmediately"),
                *("rebalanceLater", "findConsumerIdList", "persistAllConsumerOffset"),
            ),
        },
    ),
    Scope(
        "consumer's broker",
        ("broker", "store", "common", "remoting"),
        {
            "RebalanceLockManager": ALL,
            "PullRequestHoldService": ALL,
            "ManyPullRequest": ALL,
            "ConsumerManager": _methods("scanNotActiveChannel", "doChannelCloseEvent", "unregisterConsumer"),
            "ScheduleMessageService": _methods(
                "queueId2DelayLevel", "delayLevel2QueueId", "computeDeliverTimestamp", "parseDelayLevel"
            ),
        },
    ),
)

# Fields whose first value the model leans on, by scope and class.
DEFAULTS = {
    "consumer": {
        "DefaultMQPushConsumer": _fields(
            *("consumeFromWhere", "messageModel", "consumeThreadM(in|ax)", "pull\\w+"),
            "consume\\w*(Span|Size|Timeout)",
            *("maxReconsumeTimes", "suspendCurrentQueueTimeMillis", "adjustThreadPoolNumsThreshold"),
            *("awaitTerminationMillisWhenShutdown", "postSubscriptionWhenPull", "unitMode", "clientRebalance"),
            "pop\\w+",
        ),
        "DefaultMQPushConsumerImpl": _fields(".*(DELAY|Delay|SUSPEND|TIMEOUT|POP_INVISIBLE).*"),
        "ClientConfig": _fields(
            *("pollNameServerInterval", "heartbeatBrokerInterval", "persistConsumerOffsetInterval"),
            *("vipChannelEnabled", "pullTimeDelayMillsWhenException", "enableHeartbeatChannelEventListener"),
        ),
        "ProcessQueue": _fields("[A-Z_]+"),
        "RebalanceService": _fields("waitInterval", "minInterval"),
        "RebalancePushImpl": _fields("UNLOCK_DELAY_TIME_MILLS"),
        "ConsumeMessageOrderlyService": _fields("MAX_TIME_CONSUME_CONTINUOUSLY"),
        "ConsumeConcurrentlyContext": _fields("delayLevelWhenNextConsume", "ackIndex"),
        "ConsumeOrderlyContext": _fields("suspendCurrentQueueTimeMillis"),
        "SubscriptionData": _fields("expressionType"),
    },
    "consumer's broker": {
        "BrokerConfig": _fields(
            *("longPollingEnable", "shortPollingTimeMills", "notifyConsumerIdsChangedEnable", "slaveReadEnable"),
            *("pullThreadPoolQueueCapacity", "waitTimeMillsInPullQueue", "flushConsumerOffsetInterval"),
            *("transaction(TimeOut|CheckMax|CheckInterval)", "channelExpiredTimeout"),
        ),
        "MessageStoreConfig": _fields(
            *("maxTransfer\\w+", "accessMessageInMemoryMaxRatio", "messageDelayLevel", "fileReservedTime"),
            "timer(WheelEnable|PrecisionMs|MaxDelaySec)",
        ),
        "SubscriptionGroupConfig": _fields("retry(MaxTimes|QueueNums)"),
        "RebalanceLockManager": _fields("REBALANCE_LOCK_MAX_LIVE_TIME"),
        "ConsumerManager": _fields("CHANNEL_EXPIRED_TIMEOUT"),
        "ScheduleMessageService": _fields("FIRST_DELAY_TIME", "DELAY_FOR_A_(WHILE|PERIOD)"),
    },
}


def settled(body: str) -> str:
    """A method's text without what compilers choose: how constants load, texts are joined and `finally` is caught."""
    lines: list[str] = []
    for line in body.replace("ldc_w", "ldc").splitlines():
        if "StringBuilder.append" in line or re.match(r"(L\d+: )*catch .* any ", line):
            continue
        if line.startswith("ldc String") and lines and lines[-1].startswith("ldc String"):
            lines[-1] += line.removeprefix("ldc String")
        else:
            lines.append(line)
    return "\n".join(lines)
