"""Whose code the audit compares: the send path, and what it leans on."""

from __future__ import annotations

import re
from dataclasses import dataclass

ALL = re.compile(r".*")
PLAIN = re.compile(r"(toString|hashCode|equals|values|valueOf|access)\(.*")  # decides nothing that is sent


def _methods(*names: str) -> re.Pattern[str]:
    return re.compile(rf"(?:lambda\$)?(?:{'|'.join(names)})\(.*")


def _fields(*names: str) -> re.Pattern[str]:
    return re.compile("|".join(names))


@dataclass(frozen=True)
class Scope:
    """The methods of some classes; a class without a pattern of its own counts whole."""

    name: str
    artifacts: tuple[str, ...]
    classes: dict[str, re.Pattern[str]]

    def holds(self, owner: str, method: str) -> bool:
        """Whether a method is compared; of an inner class the outer one decides, unless the inner one is named."""
        pattern = self.classes.get(owner) or self.classes.get(owner.split("$")[0])
        if pattern is None or PLAIN.fullmatch(method):
            return False
        inner = owner.partition("$")[2]
        return bool(pattern.fullmatch(method)) or (bool(inner) and bool(pattern.fullmatch(f"{inner}()")))


SENDING = _methods(
    "send", "sendOneway", "batch", "initProduceAccumulator", "sendByAccumulator", "sendDirect", "canBatch"
)

SCOPES = (
    Scope(
        "client",
        ("client", "common", "remoting"),
        {
            "DefaultMQProducer": SENDING,
            "DefaultMQProducerImpl": _methods(
                *("<init>", "start", "send", "sendOneway", "sendDefaultImpl", "sendKernelImpl", "sendSelectImpl"),
                *("invokeMessageQueueSelector", "executeAsyncMessageSend", "tryToCompressMessage"),
                *("tryToFindTopicPublishInfo", "selectOneMessageQueue", "updateFaultItem", "updateTopicPublishInfo"),
                *("initTopicRoute", "isPublishTopicNeedUpdate", "validateNameServerSetting"),
                *("semaphoreProcessor", "DefaultMQProducerImpl", "BackpressureSendCallBack"),
            ),
            "MQFaultStrategy": ALL,
            "LatencyFaultToleranceImpl": ALL,
            "LatencyFaultToleranceImpl$FaultItem": ALL,
            "TopicPublishInfo": ALL,
            "ThreadLocalIndex": ALL,
            "SelectMessageQueueByHash": ALL,
            "SelectMessageQueueByRandom": ALL,
            "SelectMessageQueueByMachineRoom": ALL,
            "Validators": _methods("checkMessage", "checkTopic", "isNotAllowedSendTopic", "isSystemTopic", "<clinit>"),
            "TopicValidator": ALL,
            "MQClientAPIImpl": _methods(
                *("sendMessage", "sendMessageSync", "sendMessageAsync", "onExceptionImpl", "processSendResponse"),
                *("getTopicRouteInfoFromNameServer", "getDefaultTopicRouteInfoFromNameServer", "sendHearbeat"),
                *("sendHeartbeat", "sendHeartbeatV2"),
            ),
            "MQClientInstance": _methods(
                *("topicRouteData2TopicPublishInfo", "updateTopicRouteInfoFromNameServer", "startScheduledTask"),
                *("cleanOfflineBroker", "isBrokerAddrExistInTopicRouteTable", "findBrokerAddressInPublish"),
                *("sendHeartbeatToAllBroker", "sendHeartbeatToAllBrokerWithLock", "sendHeartbeatToAllBrokerV2"),
                *("sendHeartbeatToBroker", "isNeedUpdateTopicRouteInfo", "topicRouteDataIsChange"),
                *("topicEndPointsForStaticTopic", "sendHeartbeatToBrokerV2", "sendHeartbeatToBrokerInner"),
            ),
            "TopicRouteData": _methods(
                "<init>", "topicRouteDataChanged", "cloneTopicRouteData", "deepCloneTopicRouteData"
            ),
            "QueueData": _methods("<init>", "compareTo"),
            "BrokerData": _methods("<init>", "compareTo", "selectBrokerAddr"),
            "NettyRemotingAbstract": _methods(
                *("processMessageReceived", "processResponseCommand", "executeInvokeCallback", "scanResponseTable"),
                *("invokeSyncImpl", "invokeAsyncImpl", "invokeOnewayImpl", "invokeImpl", "invoke0", "requestFail"),
                *("failFast", "markChannelInactive", "isChannelInactive"),
            ),
            "NettyRemotingClient": _methods(
                *("<init>", "start", "closeChannel", "closeChannels", "createChannel", "createChannelAsync"),
                *("getAndCreateChannel", "getAndCreateChannelAsync", "getAndCreateNameserverChannel"),
                *("getAndCreateNameserverChannelAsync", "invokeSync", "invokeAsync", "invokeOneway", "invoke"),
                *("invokeImpl", "scanAvailableNameSrv", "scanChannelTablesOfNameServer", "updateNameServerAddressList"),
                *("interceptHandler", r"NettyConnectManageHandler", r"ChannelWrapper", r"InvokeCallbackWrapper"),
            ),
            "ResponseFuture": ALL,
            "SemaphoreReleaseOnlyOnce": ALL,
            "MessageDecoder": _methods("encodeMessage", "encodeMessages", "messageProperties2String"),
            "MessageBatch": ALL,
            "ProduceAccumulator": ALL,
            "RequestFutureHolder": _methods("scanExpiredRequest"),
        },
    ),
    Scope(
        "broker",
        ("broker", "store", "common", "remoting"),
        {
            "BrokerFastFailure": ALL,
            "SendMessageProcessor": _methods("rejectRequest", "handlePutMessageResult"),
            "AbstractSendMessageProcessor": _methods("msgCheck", "msgContentCheck"),
            "TopicConfigManager": _methods("createTopicInSendMessageMethod"),
            "BrokerController": _methods("start", "registerBrokerAll", "scheduleSendHeartbeat"),
            "BrokerOuterAPI": _methods("registerBrokerAll"),
            "DefaultMessageStore": _methods("isOSPageCacheBusy", "checkStoreStatus", "isTransientStorePoolDeficient"),
            "CommitLog": _methods(
                *("handleDiskFlush", "handleHA", "submitFlushRequest", "submitReplicaRequest", "handleDiskFlushAndHA"),
                *("lockTimeMills", "GroupCommitService", "FlushRealTimeService", "CommitRealTimeService"),
                *("needHandleHA", "calcNeedAckNums", "DefaultFlushManager"),
            ),
            "HAService": _methods("isSlaveOK", "inSyncSlaveNums", "GroupTransferService"),
            "DefaultHAService": _methods("isSlaveOK", "inSyncReplicasNums"),
            "GroupTransferService": ALL,
        },
    ),
    Scope(
        "name server",
        ("namesrv", "common"),
        {
            "RouteInfoManager": _methods(
                *(
                    "registerBroker",
                    "unregisterBroker",
                    "scanNotActiveBroker",
                    "onChannelDestroy",
                    "pickupTopicRouteData",
                ),
                *("updateBrokerInfoUpdateTimestamp", "BrokerLiveInfo"),
            ),
            "BrokerHousekeepingService": ALL,
            "NamesrvController": _methods("initialize", "startScheduleService", "NamesrvController"),
            "DefaultRequestProcessor": _methods(
                "getRouteInfoByTopic", "registerBroker", "registerBrokerWithFilterServer"
            ),
            "ClientRequestProcessor": _methods("getRouteInfoByTopic", "processRequest"),
        },
    ),
)

CODES = _fields(
    *("SUCCESS", "SYSTEM_ERROR", "SYSTEM_BUSY", "REQUEST_CODE_NOT_SUPPORTED", "FLUSH_DISK_TIMEOUT"),
    *("SLAVE_NOT_AVAILABLE", "FLUSH_SLAVE_TIMEOUT", "MESSAGE_ILLEGAL", "SERVICE_NOT_AVAILABLE"),
    *("VERSION_NOT_SUPPORTED", "NO_PERMISSION", "TOPIC_NOT_EXIST", "INVALID_PARAMETER", "NO_BUYER_ID"),
    *("NOT_IN_CURRENT_UNIT", "GO_AWAY"),
)

# Fields whose first value the model leans on, by scope and class.
DEFAULTS = {
    "client": {
        "ClientConfig": _fields(
            "pollNameServerInterval",
            "heartbeatBrokerInterval",
            "clientCallbackExecutorThreads",
            "vipChannelEnabled",
            "mqClientApiTimeout",
            "detectTimeout",
            "detectInterval",
            "sendLatencyEnable",
            "startDetectorEnable",
            "sendLatencyFaultEnable",
            "useHeartbeatV2",
            "enableHeartbeatChannelEventListener",
            "enableConcurrentHeartbeat",
            "maxPageSizeInGetMetadata",
        ),
        "DefaultMQProducer": _fields(
            "createTopicKey",
            "defaultTopicQueueNums",
            "sendMsgTimeout",
            "sendMsgMaxTimeoutPerRequest",
            "compressMsgBodyOverHowmuch",
            "retryTimesWhenSend(Async)?Failed",
            "retryAnotherBrokerWhenNotStoreOK",
            "maxMessageSize",
            "retryResponseCodes",
            "autoBatch",
            "batchMaxBytes",
            "batchMaxDelayMs",
            "totalBatchMaxBytes",
            "enableBackpressureForAsyncMode",
            "backPressureForAsyncSendNum",
            "backPressureForAsyncSendSize",
        ),
        "MQFaultStrategy": _fields(
            "latencyMax", "notAvailableDuration", "sendLatencyFaultEnable", "startDetectorEnable"
        ),
        "LatencyFaultToleranceImpl": _fields("detectTimeout", "detectInterval", "startDetectorEnable"),
        "ProduceAccumulator": _fields("totalHoldSize", "totalBatchMaxBytes", "holdSize", "holdMs"),
        "NettyClientConfig": _fields(
            "clientWorkerThreads",
            "clientCallbackExecutorThreads",
            "client(Oneway|Async)SemaphoreValue",
            "connectTimeoutMillis",
            "channelNotActiveInterval",
            "clientChannelMaxIdleTimeSeconds",
            "clientCloseSocketIfTimeout",
            "enableReconnectForGoAway",
            "maxReconnectIntervalTimeSeconds",
            "scanAvailableNameSrv",
        ),
        "NettySystemConfig": _fields(
            "CLIENT_\\w+SEMAPHORE_VALUE",
            "connectTimeoutMillis",
            "clientChannelMaxIdleTimeSeconds",
            "clientWorkerSize",
            "clientCloseSocketIfTimeout",
        ),
        "NettyRemotingClient": _fields("LOCK_TIMEOUT_MILLIS", "MIN_CLOSE_TIMEOUT_MILLIS"),
        "MQClientInstance": _fields("LOCK_TIMEOUT_MILLIS"),
        "Validators": _fields("\\w*MAX_LENGTH", "VALID_PATTERN_STR"),
        "TopicValidator": _fields("\\w*MAX_LENGTH", "VALID_PATTERN_STR", "(RMQ_)?SYS\\w*|AUTO_CREATE\\w*"),
        "MessageDecoder": _fields("CHARSET_UTF8", "NAME_VALUE_SEPARATOR", "PROPERTY_SEPARATOR"),
        "MixAll": _fields("DEFAULT_TOPIC", "AUTO_CREATE_TOPIC_KEY_TOPIC", "MASTER_ID"),
        "ResponseCode": CODES,
        "RemotingSysResponseCode": CODES,
    },
    "broker": {
        "BrokerConfig": _fields(
            "sendMessageThreadPoolNums",
            "sendThreadPoolQueueCapacity",
            "waitTimeMillsInSendQueue",
            "brokerFastFailureEnable",
            "fastFailureIfNoBufferInStorePool",
            "registerNameServerPeriod",
            "brokerHeartbeatInterval",
            "brokerNotActiveTimeoutMillis",
            "defaultTopicQueueNums",
            "autoCreateTopicEnable",
            "brokerPermission",
            "enableSlaveActingMaster",
            "asyncSendEnable",
            "registerBrokerTimeoutMills",
        ),
        "MessageStoreConfig": _fields(
            "osPageCacheBusyTimeOutMills",
            "flushDiskType",
            "brokerRole",
            "syncFlushTimeout",
            "slaveTimeout",
            "flushCommitLogTimed",
            "flushIntervalCommitLog",
            "commitIntervalCommitLog",
            "flushCommitLogLeastPages",
            "flushCommitLogThoroughInterval",
            "commitCommitLogLeastPages",
            "commitCommitLogThoroughInterval",
            "transientStorePoolEnable",
            "transientStorePoolSize",
            "haSlaveFallbehindMax",
            "haMaxGapNotInSync",
            "maxMessageSize",
            "inSyncReplicas",
            "minInSyncReplicas",
            "allAckInSyncStateSet",
            "enableAutoInSyncReplicas",
            "diskMaxUsedSpaceRatio",
            "mappedFileSizeCommitLog",
            "putMsgFutureThreadPoolNums",
            "totalReplicas",
            "useReentrantLockWhenPutMessage",
        ),
        "MessageDecoder": _fields("\\w*MAGIC_CODE\\w*"),
    },
    "name server": {
        "NamesrvConfig": _fields("scanNotActiveBrokerInterval", "supportActingMaster", "enableTopicList"),
        "RouteInfoManager": _fields("BROKER_CHANNEL_EXPIRED_TIME", "DEFAULT_BROKER_CHANNEL_EXPIRED_TIME"),
    },
}
