"""What `sendlab init` notes at the head of a scenario about the files that it was given."""

from __future__ import annotations

from state.texts import Text


class InitNoteTexts:
    """What `sendlab init` notes at the head of a scenario about the files that it was given."""

    AUTO_IN_SYNC = Text("the number of copies a put waits for follows the live brokers, which is not modelled.")
    BEYOND_THE_END = Text(
        "{place}: {metric} of {group} and {topic} is {count:,.0f}: offsets lie beyond the end of their queues, so it "
        "is left out of what the group is behind."
    )
    BROKER_PERMISSION = Text(
        "{place}: brokerPermission={value}: the broker does not take every request, which a topic's route shows and "
        "this file alone does not."
    )
    CONTAINER = Text("several brokers in one process, which is not modelled.")
    COUNTS_OF_EXPORTS = Text(
        "{file}: {metric} counts what came since the last export (metricsInDelta), so no load is from there."
    )
    COUNTS_SINCE_START = Text(
        "{file}: {metric} counts messages since a broker's start: one page has no load. A range query of it, or a "
        "second page with times, has."
    )
    DID_NOT_ANSWER = Text(
        "{place}: {broker} ({address}) did not answer mqadmin, so its load and its release are not from there."
    )
    DIFF_BELOW_ZERO = Text(
        "{place}: the #Diff Total of {group} is {count:,}: offsets of it lie beyond the end of their queues, so it "
        "does not show how far behind the group is; consumerProgress -g shows the queues."
    )
    DUPLICATION = Text("replication of its own, which is not modelled.")
    FAILED_ALONE = Text(
        "{file}: {count} failed {count:attempt|attempts} ({by_broker}); a client log has no others, so no rate or "
        "latency is from it."
    )
    FAULTS_SHOWN = Text("{source} shows {count} {count:fault|faults}: sendlab calibrate writes what it finds.")
    FILTERS_BY_PROPERTIES = Text(
        "{file}: {group} filters {topic} by {expression!r}: no file shows how often each value of a property is, so it "
        "takes all messages here; set sql of the group and properties of the topic."
    )
    FORMER_MASTERS = Text(
        "{file} has figures of {broker} from several masters ({addresses}). An exporter goes on printing those of a "
        "former one until it restarts, so the load may be too high."
    )
    IDLE_TOPICS = Text("Topics without a message or a consumer are left out: {topics}.")
    LOAD_IN_ALL = Text("{per_s} messages a second in all. {source}")
    NOT_ALL_IN_SYNC = Text(
        "{file}: of {broker} {addresses} is offline or outside of the sync set: here every replica is in it as a run "
        "begins."
    )
    NOT_A_SLAVE = Text("{place}: brokerId={number} with a master's brokerRole: RocketMQ takes 0, so this is a master.")
    NO_EFFECT = Text("{file}: keys without effect here: {keys}.")
    NO_PEERS = Text(
        "{place}: {broker} uses DLedger, but its {peers} name no three brokers: it is simulated as one master, without "
        "elections."
    )
    OFFSETS_BEYOND = Text(
        "{place}: the offsets that {group} has of {count} {count:queue|queues} lie beyond the end ({queues}{more}): "
        "these are left out of what it is behind."
    )
    OTHER_LANGUAGES = Text("{file}: clients of {group} in {languages}: they follow the Java client's rules here.")
    POOL_WITHOUT_EFFECT = Text("{place}: {key} has no effect under DLedger.")
    REJECTS_TRANSACTIONS = Text("the broker rejects transactional messages, which is not modelled.")
    SEVERAL_CLUSTERS = Text("{file} lists {count} clusters ({names}); all are one here.")
    STORED = Text("it stored {per_s} messages a second ({source})")
    STORED_NOTHING = Text("{broker} stored nothing ({source})")
    STORED_NOTHING_ROUTED = Text("{broker} stored nothing ({source}), though {topics} can be written there")
    SUM_OF_A_MINUTE = Text("{file}: {metrics} is {why}. Builds of the exporter from 2022-06 to 2024-01 print it so.")
    TAKEN_FOR_A_SLAVE = Text(
        "{file}: {address} stored nothing itself and its log ends where that of {other} does: it is taken for its "
        "slave; clusterList shows it for sure."
    )
    UNKNOWN_ADDRESSES = Text(
        "No file shows which of the brokers {brokers} is at {addresses}, or whether one is a slave (clusterList does): "
        "what these addresses report is taken for all brokers."
    )
    WITHOUT_MASTER = Text("Without a master, so nothing is sent to it, and left out here: {brokers} ({source}).")
    WITHOUT_TOTAL = Text(
        "{place}: no line with the total follows the last row: the output may be cut off, and queues may be missing."
    )
    WRITTEN_FROM = Text(
        "Written by sendlab init from {sources}. Behind each value is where it comes from. What no file shows is "
        'marked "assumed": change what you know better.'
    )
