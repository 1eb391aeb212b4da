"""What may have caused what happens in a run, and what a run without it is called."""

from __future__ import annotations

from state.texts import Text


class SuspectTexts:
    """What may have caused what happens in a run."""

    AUTOSCALES = Text("autoscaling changes the instances of {group}")
    CANNOT_MEASURE = Text("proxies of {release} do not measure brokers ({first} is the first that can)")
    ENDS_TOO_LATE = Text(
        "brokers of 5.1.1 or later refuse the end of local transactions of {group} that take longer than its "
        "check_immunity_time of {immunity}"
    )
    ESCAPES = Text("slaves that act put messages on other brokers (enable_remote_escape of {brokers})")
    FAILS = Text("{group} fails {percent} % of its deliveries")
    HOT_QUEUE = Text("the keys of {topic} hash onto few queues")
    HELD_TOO_LONG = Text("{group} holds what it receives for longer than its invisible_duration of {invisible}")
    INVISIBLE_TOO_SHORTLY = Text("listeners of {group} take longer than its pop_invisible_time of {invisible}")
    ISOLATES = Text("the client isolates brokers ({releases}, sendLatencyFaultEnable)")
    NOT_MEASURED = Text("proxies of {release} do not measure brokers (send_latency_enable is off)")
    NOT_RENEWED = Text("proxies of {release} do not renew what {group} holds for longer than {invisible}")
    ONE_PROXY_NAMED = Text("routes name one proxy of a shared host (use_endpoint_port_from_request is off)")
    POISON = Text("{group} has poison messages: {percent} % fail at every delivery")
    RATE_RISES = Text("the rate of {group} rises from {before} to {after}")
    ROUTES_KEPT = Text("proxies use a route for {age} (topic_route_service_cache_refresh)")
    STARTS_BEHIND = Text("{group} starts behind, with a backlog of the time before")
    TOO_SLOW = Text("{broker} is too slow: load {load}, capacity {capacity}")
    TOO_SMALL = Text("{group} is too small: load {load}, capacity {capacity}")
    UNKNOWN_OUTCOMES = Text("{percent} % of the local transactions of {group} end in unknown")


class WithoutTexts:
    """What a run in which a suspect is left out is called."""

    AMPLE_SEND_THREADS = Text("with ample send threads on {broker}")
    AMPLE_THREADS = Text("with ample threads")
    AUTOSCALING = Text("without autoscaling")
    BACKLOG = Text("without the backlog at the start")
    ENOUGH_IMMUNITY = Text("with a check_immunity_time of {enough}")
    ENOUGH_TIME = Text("with {enough}")
    ESCAPES = Text("without enable_remote_escape")
    FAILURES = Text("without failures")
    ISOLATION = Text("without isolation")
    KEYS = Text("with queues in turn")
    MEASURING = Text("with send_latency_enable")
    MEASURING_SINCE = Text("with it, from {first}")
    NEWER_PROXIES = Text("with proxies of {release}")
    POISON = Text("without poison messages")
    PORTS = Text("with ports of the request")
    RISE = Text("without the rise at {at}")
    ROUTES = Text("with routes of at most 1s")
    SUSPECT = Text("without {suspect}")
    UNKNOWN_OUTCOMES = Text("with commits instead")
