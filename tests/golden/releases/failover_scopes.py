"""Whose code the audit of failover compares: who notices a dead master, who is elected, how replicas follow.

Controllers are of 5.0.0 and later; what brokers do for them is compared from then on, too.
"""

from __future__ import annotations

from scopes import ALL, Scope, _fields, _methods

SCOPES = (
    Scope(
        "controller",
        ("controller", "common", "remoting"),
        {
            "DefaultElectPolicy": ALL,
            "DefaultBrokerHeartbeatManager": _methods(
                *("onBrokerHeartbeat", "registerBroker", "onBrokerChannelClose", "scanNotActiveBroker"),
                *("notifyBrokerInActive", "isBrokerActive", "start", "changeBrokerMetadata"),
            ),
            "ReplicasInfoManager": _methods(
                *(
                    "alterSyncStateSet",
                    "electMaster",
                    "registerBroker",
                    "scanNeedReelectBrokerSets",
                    "applyElectMaster",
                ),
                *("handleElectMaster", "handleAlterSyncStateSet", "getReplicaInfo", "isBrokerAlive"),
            ),
            "SyncStateInfo": _methods("updateMasterInfo", "updateSyncStateSetInfo", "removeFromSyncState", "<init>"),
            "DLedgerController": _methods(
                *("scanInactiveMasterAndTriggerReelect", "startScheduling", "stopScheduling", "electMaster"),
                *("registerBroker", "RoleChangeHandler", "EventScheduler"),
            ),
            "ControllerManager": _methods(
                *("onBrokerInactive", "triggerElectMaster", "triggerElectMaster0", "notifyBrokerRoleChanged"),
                "doNotifyBrokerRoleChanged",
            ),
        },
    ),
    Scope(
        "replica",
        ("controller", "broker", "store", "common", "remoting"),
        {
            "ReplicasManager": _methods(
                *("startBasicService", "changeBrokerRole", "changeToMaster", "changeToSlave", "brokerElect"),
                *("schedulingSyncBrokerMetadata", "checkSyncStateSetAndDoReport", "doReportSyncStateSetChanged"),
                *("schedulingCheckSyncStateSet", "sendHeartbeatToController", "handleSlaveSynchronize"),
                *("registerBrokerToController", "scanAvailableControllerAddresses", "updateControllerAddr"),
            ),
            "SlaveSynchronize": _methods("syncAll", "syncConsumerOffset", "syncDelayOffset", "syncTimerMetrics"),
            "AutoSwitchHAService": _methods(
                *("changeToMaster", "changeToSlave", "maybeExpandInSyncStateSet", "maybeShrinkSyncStateSet"),
                *("maybeShrinkInSyncStateSet", "updateConfirmOffset", "updateConfirmOffsetWhenSlaveAck"),
                *("computeConfirmOffset", "truncateInvalidMsg", "inSyncReplicasNums", "getLocalSyncStateSet"),
                *("setSyncStateSet", "removeConnection", "updateConnectionLastCaughtUpTime", "getSyncStateSet"),
            ),
            "AutoSwitchHAClient": _methods("doTruncate", "changeMaster", "updateHaMasterAddress", "transferFromMaster"),
            "BrokerController": _methods(
                *("startServiceWithoutCondition", "changeSpecialServiceStatus", "onMinBrokerChange", "onMasterOffline"),
                *("onMasterOnBoard", "updateMinBroker", "syncBrokerMemberGroup", "stopService", "startService"),
            ),
            "BrokerPreOnlineService": _methods(
                *("prepareForBrokerOnline", "prepareForMasterOnline", "prepareForSlaveOnline", "isMasterBroker"),
                *("syncMetadataReverse", "waitForHaHandshakeComplete", "futureWaitAction", "run"),
            ),
            "TopicRouteInfoManager": ALL,
            "DLedgerCommitLog": _methods(
                "asyncPutMessage", "asyncPutMessages", "handleDiskFlush", "isTransientStorePool"
            ),
            "DLedgerRoleChangeHandler": _methods("handle", "changeToMaster", "changeToSlave"),
        },
    ),
)

# Fields whose first value the model leans on, by scope and class.
DEFAULTS = {
    "controller": {
        "ControllerConfig": _fields(
            *("scanNotActiveBrokerInterval", "scanInactiveMasterInterval", "enableElectUncleanMaster"),
            *("notifyBrokerRoleChanged", "electMasterMaxRetryCount", "controllerType", "isProcessReadEvent"),
        ),
    },
    "replica": {
        "BrokerConfig": _fields(
            *("brokerHeartbeatInterval", "controllerHeartBeatTimeoutMills", "brokerNotActiveTimeoutMillis"),
            *("syncBrokerMetadataPeriod", "checkSyncStateSetPeriod", "syncControllerMetadataPeriod"),
            *("brokerElectionPriority", "registerNameServerPeriod", "enableControllerMode"),
        ),
        "MessageStoreConfig": _fields(
            *("allAckInSyncStateSet", "inSyncReplicas", "minInSyncReplicas", "haMaxTimeSlaveNotCatchup"),
            *("enableAutoInSyncReplicas", "asyncLearner"),
        ),
    },
}
