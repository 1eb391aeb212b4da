"""What a change of settings costs, whatever the runs show, and what an advice does not cover."""

from __future__ import annotations

from state.texts import Text


class CostTexts:
    """What a change of settings costs, whatever the runs show."""

    ACTING_MASTER = Text("nothing can be stored while the master is away; needs slaveReadEnable to be read from")
    ALL_AT_ONCE = Text(
        "all instances must change at once: two strategies in one group leave queues to two or to nobody"
    )
    ANOTHER_VERSION = Text(
        "another version of the client to test and roll out: `sendlab releases {own} {other}` lists it"
    )
    ANOTHER_LIBRARY = Text("another client library in the application, which has to reach every broker")
    ANOTHER_LIBRARY_AND_LOAD = Text("another client library in the application, and proxies that have to bear its load")
    BLOCKED_CALLERS = Text("callers of the asynchronous send are blocked when too much is under way")
    CONTROLLERS = Text(
        "controllers to run, three of them to outlive one; with its defaults a master acknowledges alone"
    )
    CUT_OFF = Text("slow but healthy answers are cut off")
    CUT_OFF_AND_STORED = Text("a request that is cut off may still be stored: duplicates when a broker is only slow")
    CUT_OFF_TWICE = Text("slow but healthy answers are cut off, and stored twice")
    FAILURES_OF_CALLERS = Text("the caller gets a failure that a retry on another broker would have solved")
    FASTEST_SLAVE = Text("every message waits for the fastest slave")
    FOUND_OUT_AGAIN = Text("every send to a broker that does not answer finds that out again")
    FURTHER_REQUESTS = Text("up to that many further requests for a message, in an overload too")
    HANDLED_TWICE = Text("what takes longer, with its wait for a thread, is handled twice")
    HELD_QUEUES = Text(
        "queues belong to instances: one that freezes holds its queues up until brokers do not list it any more"
    )
    INSTEAD_OF_RECEIVES = Text("a listener instead of receives, whose failures are retried and become dead letters")
    LARGER_ANSWERS = Text("larger answers")
    LATER_AGAIN = Text("what an instance takes with it as it dies comes again later")
    LONE_MASTER = Text("a master that is alone refuses every send, as a new one is for 5 to 40 s")
    LONG_WAITS = Text("a caller waits that long for an error")
    MAJORITY = Text("every message waits for a majority, and a set without one takes none; another kind of commit log")
    MORE_AT_ONCE = Text("what it calls is asked for more at once")
    MORE_INSTANCES = Text("{count} more to run; an instance without a queue does nothing")
    MORE_MACHINES = Text("; {machines} {machines:machine|machines} a set instead of {before}")
    MORE_IN_AN_OVERLOAD = Text("more requests in an overload, to brokers that are busy as well")
    MORE_PULLS = Text("more pulls for the same messages")
    MORE_QUESTIONS = Text("more questions to the name servers; {whose}")
    MORE_TIME_OUTS = Text(
        "up to that many requests for a message, and as many time-outs before its caller gets an error"
    )
    NEWER_PROXIES = Text("another version of the proxies to test and roll out, for all of their clients")
    NO_DEAD_LETTERS = Text("no dead letters, and what an instance takes with it as it dies comes again later")
    NO_TAKEOVER = Text("a broker is away until its own master is back")
    OF_ALL_CLIENTS = Text("a change of the proxies, for all of their clients")
    OUT_OF_SYNC = Text("a replica that lags for a moment leaves the sync set, and can't be elected until it is back")
    OWN_FIGURES = Text("figures that the team has to maintain: they differ from RocketMQ's documentation")
    PROBES = Text("a probe of every isolated broker every few seconds, and a thread for it")
    SLOWER = Text("slower where it has a backlog")
    SLOWEST_REPLICA = Text(
        "every message waits for the slowest replica, and a set stops while one lags, until it leaves the sync set"
    )
    UNCLEAN_MASTER = Text("a replica that lacks messages may become master: those are lost")
    UNEVEN_LOAD = Text(
        "load is uneven while a broker is isolated, also after it has recovered, until its isolation period is over"
    )


class NotCoveredTexts:
    """What an advice does not cover."""

    ASSUMED_HOP = Text(
        "What the way over a proxy costs: proxies.hop is an assumption until you measure yours, and decides the p99 of "
        "gRPC clients while nothing fails."
    )
    CONSUMERS = Text("Consumers, transactions, and what a duplicate or a late message costs those who read it.")
    CONTROLLERS = Text(
        "Controllers that fail: how many there are is as in the scenario. Several controllers need a majority."
    )
    DEPLOYMENT = Text("The way there: a set of one mode becomes one of another by a new deployment, not while it runs.")
    DISKS = Text(
        "Disks and networks beyond what the scenario has of them: slave_latency decides what waiting for slaves costs."
    )
    LISTENERS = Text(
        "What the listeners call: more threads and instances ask it for more at once, and it is as fast here as ever."
    )
    LOST_MESSAGES = Text(
        "What a lost, skipped or duplicate message costs those who need it, and what another machine costs to run."
    )
    NETWORK = Text(
        "The network and the brokers beyond what the scenario has of them: its latencies and rates decide the figures."
    )
    OTHER_CLIENTS = Text(
        "Other clients of the same brokers: all producers of the scenario change at once, and there are no others."
    )
    OTHER_GROUPS = Text("Producers and other groups are as the scenario has them.")
    OTHER_SETTINGS = Text(
        "Settings that were not tried: other figures than those in the table, and three or more changes{beside}."
    )
    OUTSIDE_GROUND = Text(" beside release and strategy")
    PROXY_THREADS = Text("The threads of proxies: they serve everything at once, and take proxies.hop for it.")
    ROLLOUT = Text("The effort and the risk of a rollout, and defects of a release outside the send path.")
    WAITING = Text(
        "What a message that is consumed twice or late costs those who wait for it, and what a process costs to run."
    )
    WEIGHTS = Text(
        "How often each situation happens: all count the same here. The table by situation lets you weigh them "
        "yourself."
    )
