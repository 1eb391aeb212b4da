"""What the cards of a report say: titles, notes, and why a picture is not there."""

from __future__ import annotations

from state.texts import Text


class CardTexts:
    """What the cards of a report say: titles, notes, and why a picture is not there."""

    BACKLOG = Text("Backlog of consumer groups, messages")
    BACKLOG_MOST = Text("{group}: at most {most:,} at {at}{twice}")
    BACKLOG_NOTE = Text("Stored messages that a group has not consumed yet{broadcasting}. {most}")
    BACKLOG_OF_INSTANCES = Text(", of a broadcasting one the sum of its instances")
    BACKLOG_TWICE = Text(", {again:,} {again:delivery|deliveries} of messages consumed before")
    BUSIEST = Text("Busiest: queue {queue} of {broker}, {percent} % of the attempts of {topic}.")
    BUSY_THREADS = Text("Consume threads at work, per cent")
    BUSY_THREADS_NOTE = Text("Of the threads of all instances that run; the busiest window of a point.")
    CHECK_BACKS = Text("Check-backs, by broker")
    CHECK_BACKS_NOTE = Text("{count:,} in all; a broker asks in rounds. Open: half messages that nothing has ended.")
    CHECK_BACKS_PER_SECOND = Text("Check-backs per second")
    COME_AGAIN_PER_SECOND = Text("Come again per second")
    DEAD_LETTERS = Text(", {dead:,} dead {dead:letter|letters}")
    DELAYED = Text("Delayed messages: how late, and how many wait")
    DELAYED_NOTE = Text(
        "From the time at which a message was due until it became readable, the highest percentile of the windows in a "
        "point; messages that wait for their time, of all brokers."
    )
    DELIVERIES_FAILED = Text("Retries and dead letters per second: {group}")
    DELIVERIES_FAILED_NOTE = Text(
        "Deliveries that the group failed to handle or that took longer than consumeTimeout, by when that was, and "
        "when the message comes again. {retries:,} {retries:retry|retries}{letters}."
    )
    END_TO_END = Text("From the intended send time until consumed, ms")
    END_TO_END_NOTE = Text(
        "Each message when it is consumed for the first time; the highest percentile of the windows in a point; "
        "logarithmic."
    )
    EVENLY_SPACED = Text("{sample} of {total:,}, evenly spaced")
    FAILED = Text("Failed attempts per second")
    FAILED_NOTE = Text("Attempts with any outcome but SEND_OK (one-way: SENT_ONEWAY): {brokers}.")
    FAILED_UNREACHED = Text(
        "No attempt failed at a broker; {count:,} {count:attempt|attempts} failed at a proxy or before one."
    )
    FATES = Text("Failed, lost or duplicated messages, per second")
    FATES_NOTE = Text("Every message that was not acknowledged and stored exactly once, by intended send time.")
    FATES_BY_GROUP = Text("Failed, by producer group")
    FATES_BY_RESULT = Text("By what became of them")
    FILTERED = Text("Messages that brokers looked at per second: {group}")
    FILTERED_NOTE = Text("{expressions}. Of {looked:,} the group was given {given:,} ({percent:.3g} %).")
    FIRST_INSTANCES = Text(" The first {most} instances.")
    FIRST_QUEUES = Text(" The first of its queues.")
    FIRST_ROWS = Text(" The first {most} of {rows} rows.")
    FIRST_SETS = Text(" The first {most} sets with a fault.")
    GIVEN = Text("given to the group")
    HALVES = Text("Half messages by fate, per second")
    HALVES_NOTE = Text("Copies of messages sent in transactions, by the time at which the broker ended them.")
    INSTANCES = Text("Instances that run")
    INSTANCES_NOTE = Text("Of each group, the most of a point.")
    ISOLATED = Text("Brokers isolated by producers")
    ISOLATED_LONGEST = Text(" The {most} isolated longest are shown.")
    ISOLATED_NEVER = Text(" {brokers} {were} never isolated.")
    ISOLATED_NOTE = Text("How many producers see a broker as not available.{never}{longest}")
    LATENCY = Text("Latency of attempts by broker, ms")
    LATENCY_NOTE = Text("From the begin of an attempt until the client knew its outcome; logarithmic.{merged}")
    LEFT_OUT = Text("left out without a look at its properties")
    LEFT_OUT_READ = Text("left out by its properties, which were read")
    LOAD = Text("Load by broker")
    LOAD_NOTE = Text("Attempts by the time they ended, a point every {every}; blank where none ended.")
    MASTERS = Text("Who is master")
    MASTER_ALL_THE_TIME = Text("Every set has a master all the time.{more}")
    MASTER_ELECTED = Text("{when}: {who}, after {without_s:,.3g} s without a master: {reason}")
    MASTER_MACHINE = Text("machine {machine} is elected, epoch {epoch}")
    MASTER_MISSING = Text("Longest without a master: {broker}, {seconds:,.3g} s from {begin} on.{more}")
    MASTER_NOBODY = Text("nobody can be elected")
    MASTER_ONLY = Text("Messages that only the master has")
    MASTER_ONLY_NOTE = Text(
        "Acknowledged since its slaves lag or are away: lost if another takes over now. From zero with each new master."
    )
    MERGED = Text(" From the windows table: the highest percentile of the windows in a point.")
    NO_ATTEMPTS = Text("No attempts.")
    NO_ATTEMPTS_TABLE = Text("No table of attempts was written.")
    NO_ATTEMPT_FAILED = Text("No attempt failed.")
    NO_ATTEMPT_TOOK_TIME = Text("No attempt took any time: nobody waits for the answer to a one-way send.")
    NO_FAULT_ITEMS_TABLE = Text("The table fault_items was not written, so isolation is not known.")
    NO_FAULT_ITEM_CHANGED = Text("No fault item changed.")
    NO_ISOLATION = Text("No producer isolated a broker in {changes} of fault items.")
    NO_MESSAGE_FAILED = Text("No message failed, and each is stored once.")
    NO_RETRY = Text("No attempt was a retry.")
    OUT_OF_ORDER = Text("Stored out of order, copies per second")
    OUT_OF_ORDER_NOTE = Text("Copies stored after a later message of their thread and key, by broker.")
    OWNERS = Text("Who owns which queue: {group}")
    OWNERS_NOTE = Text("A row a queue, a colour an instance, as each instance sees it.{more}")
    POPPED = Text("Messages of a POP group: {group}")
    POPPED_OVER_PROXIES = Text("Messages of a gRPC group: {group}")
    POPPED_NOTE = Text(
        "{count:,} came again, by when they were stored in the retry topic and why. Invisible: popped, not "
        "acknowledged and not due yet; at most {invisible:,}."
    )
    POPPERS = Text("Who pops where: {group}")
    POPPERS_NOTE = Text("A row for each instance and broker, a colour an instance. Nobody owns a queue.{more}")
    PROXIES = Text("Proxies")
    PROXIES_NOTE = Text("A row a proxy: when it is away or stands still.{instances}")
    PROXIES_OF_CONSUMERS = Text(" A row an instance: the proxy that it hangs on.{more}")
    PROXY_AWAY = Text("away")
    PROXY_LATENCY = Text("Latency of attempts by proxy, ms")
    PROXY_LATENCY_NOTE = Text("Attempts of gRPC producers, also those that reached no broker; logarithmic.")
    PROXY_LOAD = Text("Load by proxy")
    PROXY_LOAD_NOTE = Text(
        "Attempts of gRPC producers by the proxy that they were sent to, also those that reached no broker."
    )
    PROXY_NONE = Text("no connection")
    PROXY_RUNS = Text("runs")
    PROXY_STILL = Text("stands still")
    QUEUES_LEFT_OUT = Text(" Queues from {first} on are left out.")
    READABLE = Text("From the intended send time until readable, ms")
    READABLE_NOTE = Text("Messages sent in transactions that were committed, by intended send time; logarithmic.")
    RETRIES = Text("Retries per second")
    RETRIES_NOTE = Text("Second and later attempts, by the broker they went to.")
    RETRY_AFTER = Text("again after {delay}")
    RETRY_OF_LEVEL = Text("again with delay level {level}")
    STRATEGY_OFF = Text("No producer has sendLatencyFaultEnable on, so none keeps fault items.")
    VERDICTS = Text("Verdict on the lag")
    VERDICTS_NOTE = Text("What a monitor with Burrow's rules says of each group: the worst of its queues.")
    WAITS = Text("What callers waited, by producer group, ms")
    WAITS_NOTE = Text(
        "From the intended send time until the answer, with retries and waiting for a free thread; logarithmic."
    )
