"""What is warned of in a scenario that can be run."""

from __future__ import annotations

from simulator.units import format_duration
from state.texts import Text


class WarningTexts:
    """What is warned of in a scenario that can be run."""

    ALL_INSTANCES = Text(", all instances together")
    AT_LEAST = Text("at least ")
    BEHIND_AT_END = Text(", about {at_end} at the end")
    BESIDES_THE_BACKLOG = Text(", besides the backlog that it starts with")
    ACTING_FOR_POPS = Text(
        "consumer group {group} pops in order from {brokers}, whose slave acts for its master: on a real cluster that "
        "slave serves it, and here its pops fail until the master is back"
    )
    BROKER_LOAD = Text(
        "utilisation {utilisation}{when}, {rate} requests/s for {threads} send {threads:thread|threads} that serve "
        "{served}/s"
    )
    CANNOT_KEEP_UP = Text(
        "consumer group {group} cannot keep up{when}: {figures}; {least}about {at_end} {at_end:message|messages} "
        "behind at the end of "
        "the run{besides}{deletion}"
    )
    DELAY_LEVEL = Text("delay level {level} ({delay})")
    DELETED_UNREAD = Text("; at that load brokers delete what it has not read after {after} ({why})")
    DISK_FULL = Text("disk of {broker}, {disk}, used to {percent} %")
    EACH_WITH_THREADS = Text(
        "{instances} {instances:instance|instances} each with {threads} {threads:thread|threads}{ordered}{keyed}"
    )
    EFFORT = Text("takes about {time} and {gib} GiB")
    EXPRESSION_THROWS = Text(
        "consumer group {group}, topic {topic}: the expression throws for {share} of the messages of a group of "
        "producers, such as a text that is no number; brokers log it and do not deliver them"
    )
    FALLS_BEHIND = Text(
        "consumer group {group} falls behind{when}: {figures}; about {most} {most:message|messages} behind at "
        "{at}{besides}{left}"
    )
    FAULT_AFTER_END = Text("never happens: {fault} at {at}, the run ends at {end}")
    ESCAPING_POPS = Text(
        "consumer group {group} pops from {brokers} with enable_remote_escape: on a real cluster a slave that acts "
        "there brings back messages that were acknowledged, and here it does not; set enable_remote_escape to false"
    )
    FROM_ON = Text(" from {since} on")
    GROUP_LOAD = Text("load {load}, capacity {capacity} ({threads})")
    HELD_BY_PROXIES = Text(
        "consumer group {group} handles {percent} % of its messages for longer than proxies.default_invisible_time "
        "({invisible}), and proxies of {release} do not renew it: they come again while a thread is at them"
    )
    HELD_IN_A_RECEIVE = Text(
        "consumer group {group} handles the messages of a receive one after the other: of a full one {percent} % come "
        "again while it is at them, as invisible_duration is {invisible}"
    )
    HELD_IN_ORDER = Text(
        "consumer group {group} handles up to {most} {most:message|messages} of a receive in a row: of a full one "
        "{percent} % come "
        "again meanwhile, out of order, as proxies.default_invisible_time is {invisible} and proxies of {release} "
        "renew nothing"
    )
    INVISIBLE_TOO_SHORTLY = Text(
        "consumer group {group} handles {percent} % of its messages for longer than pop_invisible_time ({invisible}): "
        "they come again while a thread is at them"
    )
    LARGE_BACKLOG = Text(
        "about {messages} messages wait for consumers at once, {gib} GiB at {bytes} bytes each; a checkpoint holds at "
        "most {most} GiB of them"
    )
    LONG_RUN = Text(
        "about {messages} messages take about {time} of one core to run, {of_windows} in an experiment; expected a "
        "shorter run or lower rates"
    )
    MORE_INSTANCES_THAN_QUEUES = Text(
        "consumer group {group} {has} {instances} instances for {queues} {queues:queue|queues}: {idle} "
        "{idle:instance gets|instances get} none"
    )
    NEVER_DECIDED = Text("no local transaction of producer group {group} ends: the run ends at {end}")
    NEVER_READ = Text("nobody reads messages of producer group {group} with {delays}: the run ends at {end}")
    OF_EXPRESSION = Text("consumer group {group}, topic {topic}: {what}")
    ONE_AT_A_QUEUE = Text(", one at a queue")
    ONE_KEY = Text("; {share} of the messages have one key, so one queue")
    OVERLOADED = Text("{brokers}: {load}; requests queue up and time out")
    OVERLOADED_WITH_ONE_GONE = Text("with {gone} gone, {brokers}: {load}")
    PULLS_REFUSED = Text(
        "{brokers} {count:refuses|refuse} the pulls of consumer group {group}: the broker does not support consumer to "
        "filter message by SQL92; set enable_property_filter"
    )
    RATE_AFTER_END = Text("never happens: rate of {group} {rate} at {at}, the run ends at {end}")
    RATE_NOT_REACHED = Text(
        "producer group {group} never reaches its rate{when}: utilisation {utilisation}, {rate} for {threads} sender "
        "{threads:thread|threads} that send at most {most}/s; more threads or mode async would"
    )
    RESERVED_TIME = Text("file_reserved_time {reserved}")
    RESTART_UNFINISHED = Text(
        "the rolling restart at {at} does not finish: {done} of {brokers} {brokers:broker|brokers} are back; it "
        "needs {needed} and has "
        "{given}"
    )
    SAME_CLIENT_ID = Text(
        "{instances} instances of consumer group {group} have the client id {client_id}: all of them take the queues "
        "of the first, and nobody takes those of the others"
    )
    UNUSED_OF_POP = Text(
        "consumer group {group} does not use {keys}: only a group with consume_mode: POP and without grpc does"
    )
    WITHOUT_ROOM = Text(
        "{missing} {count:has|have} no room: as soon as an instance of consumer group {group} sees one without, the "
        "strategy throws and it keeps the queues that it has"
    )
    WITH_THREADS = Text(
        "{instances} {instances:instance|instances} with {threads} {threads:thread|threads}{ordered}{keyed}"
    )


def since(at_us: int) -> str:
    """` from 10s on`; nothing where it is from the beginning on."""
    return WarningTexts.FROM_ON(since=format_duration(at_us)) if at_us else ""
