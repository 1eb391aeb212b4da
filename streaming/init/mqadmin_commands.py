"""Which command of mqadmin prints which columns: a table is what its command says.

Source: rocketmq 4.2.0, 4.6.0, 4.9.8, 5.0.0 and 5.3.3, tools.command: the column names that each command prints.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CommandColumns:
    """The columns that a command prints: always, and in some releases or with some options."""

    command: str
    always: tuple[str, ...]
    sometimes: tuple[str, ...] = ()

    def are(self, columns: tuple[str, ...]) -> bool:
        """Whether the command prints exactly these."""
        return set(self.always) <= set(columns) <= {*self.always, *self.sometimes}


QUEUE = ("#Broker Name", "#QID")
OFFSETS = ("#Broker Offset", "#Consumer Offset", "#Diff")
CLUSTER, GROUP_PLACE = ("#Cluster Name", "#Broker Name"), ("#brokerName", "#queueId")
CLUSTER_LIST = CommandColumns(
    "clusterList",
    (*CLUSTER, "#BID", "#Addr", "#Version", "#InTPS(LOAD)", "#OutTPS(LOAD)", "#PCWait(ms)", "#Hour", "#SPACE"),
    ("#Timer(Progress)", "#ACTIVATED"),
)
TOTALS = CommandColumns("clusterList", (*CLUSTER, "#InTotalYest", "#OutTotalYest", "#InTotalToday", "#OutTotalToday"))
ROUTE = CommandColumns(
    "topicRoute", ("#ClusterName", "#BrokerName", "#BrokerAddrs", "#ReadQueue", "#WriteQueue", "#Perm")
)
TOPIC_STATUS = CommandColumns("topicStatus", (*QUEUE, "#Min Offset", "#Max Offset"), ("#Last Updated",))
TOPIC_LIST = CommandColumns("topicList", ("#Cluster Name", "#Topic", "#Consumer Group"))
STATS_ALL = CommandColumns("statsAll", ("#Topic", "#Consumer Group", "#Accumulation", "#InTPS", "#OutTPS",
                                        "#InMsg24Hour", "#OutMsg24Hour"))  # fmt: skip
PROGRESS = CommandColumns(
    "consumerProgress", ("#Group", "#Count", "#Version", "#Type", "#Model", "#TPS", "#Diff Total")
)
GROUP_PROGRESS = CommandColumns(
    "consumerProgress", ("#Topic", *QUEUE, *OFFSETS), ("#Client IP", "#Inflight", "#LastTime")
)
CONSUMER_CONNECTION = CommandColumns("consumerConnection", ("#ClientId", "#ClientAddr", "#Language", "#Version"))
CONSUMER_STATUS = CommandColumns("consumerStatus", ("#Index", "#ClientId", "#Version", "#ConsumerRunningInfoFile"))
READ = (
    *(CLUSTER_LIST, TOTALS, ROUTE, TOPIC_STATUS, TOPIC_LIST, STATS_ALL, PROGRESS, GROUP_PROGRESS, CONSUMER_CONNECTION),
    CONSUMER_STATUS,
)
# Printed by commands that are not read, though some of their columns are those of commands that are.
NOT_READ = (
    CommandColumns("brokerConsumeStats", ("#Topic", "#Group", *QUEUE, *OFFSETS), ("#LastTime",)),
    CommandColumns("clusterRT", (*CLUSTER, "#RT", "#successCount", "#failCount")),
    CommandColumns("haStatus", ("#SlaveAddr", "#SlaveAckOffset", "#Diff", "#TransferSpeed(KB/s)", "#Status",
                                "#TransferFromWhere")),
    CommandColumns("checkMsgSendRT", (*QUEUE, "#Send Result", "#RT")),
    CommandColumns("sendMessage", (*QUEUE, "#Send Result", "#MsgId")),
    CommandColumns("queryMsgByKey", ("#Message ID", "#QID", "#Offset")),
    CommandColumns("resetOffsetByTime", (*GROUP_PLACE, "#offset")),
    CommandColumns("resetOffsetByTimeOld", (*GROUP_PLACE, "#brokerOffset", "#consumerOffset", "#timestampOffset"),
                   ("#resetOffset", "#rollbackOffset")),
    CommandColumns("getConsumerStatus", ("#clientId", *GROUP_PLACE, "#offset")),
    CommandColumns("queryMsgTraceById", ("#Type", "#ClientHost", "#CostTimes", "#Status"),
                   ("#ProducerGroup", "#ConsumerGroup", "#SendTime", "#ConsumerTime")),
)  # fmt: skip
OTHERS = ("brokerStatus", "getBrokerConfig", "producerConnection", "producer", "getSyncStateSet", "getBrokerEpoch")
COMMANDS = tuple(dict.fromkeys([*(own.command for own in READ), *OTHERS]))
UNREAD = frozenset({"getNamesrvConfig", "getControllerConfig", *(own.command for own in NOT_READ)})
KNOWN_COLUMNS = frozenset(name for own in (*READ, *NOT_READ) for name in (*own.always, *own.sometimes))
