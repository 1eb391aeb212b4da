"""What may have caused what happens in a run, and what a run without it is called."""

from __future__ import annotations

from simulator.texts import Text


class SuspectTexts:
    """What may have caused what happens in a run."""

    AUTOSCALES = Text("autoscaling changes the instances of {group}")
    FAILS = Text("{group} fails {percent} % of its deliveries")
    FAULT = Text("{where} {happens}")
    HOT_QUEUE = Text("the keys of {topic} hash onto few queues")
    INVISIBLE_TOO_SHORTLY = Text("listeners of {group} take longer than its pop_invisible_time of {invisible}")
    ISOLATES = Text("the client isolates brokers ({releases}, sendLatencyFaultEnable)")
    POISON = Text("{group} has poison messages: {percent} % fail at every delivery")
    RATE_RISES = Text("the rate of {group} rises from {before} to {after}")
    STARTS_BEHIND = Text("{group} starts behind, with a backlog of the time before")
    TOO_SLOW = Text("{broker} is too slow: load {load}, capacity {capacity}")
    TOO_SMALL = Text("{group} is too small: load {load}, capacity {capacity}")


class WithoutTexts:
    """What a run in which a suspect is left out is called."""

    AMPLE_SEND_THREADS = Text("with ample send threads on {broker}")
    AMPLE_THREADS = Text("with ample threads")
    AUTOSCALING = Text("without autoscaling")
    BACKLOG = Text("without the backlog at the start")
    ENOUGH_TIME = Text("with {enough}")
    FAILURES = Text("without failures")
    ISOLATION = Text("without isolation")
    KEYS = Text("with queues in turn")
    POISON = Text("without poison messages")
    RISE = Text("without the rise at {at}")
    SUSPECT = Text("without {suspect}")
