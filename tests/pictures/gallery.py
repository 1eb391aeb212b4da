"""The pictures of docs/: of which scenarios they are, and which cards of their reports they show."""

from __future__ import annotations

from collections.abc import Mapping

# A card of a report: a chart by the name of its figure, `results` = those of the messages, `groups` = their table;
# `fates:group`: with that button pressed.
Cards = tuple[str, ...]
# file in docs -> scenario in conf/scenarios -> the cards beside each other; no cards: the top of the whole report
GALLERY: Mapping[str, Mapping[str, Cards]] = {
    "report.png": {"quickstart": ()},
    "faults-stop.png": {
        "hang-strategy-on": ("load",),
        "pauses": ("latency",),
        "killed": ("failures",),
        "silent-death": ("fates",),
        "graceful-restart": ("failures",),
        "rolling-update": ("load",),
        "shared-connection": ("failures", "fates"),
    },
    "faults-slow.png": dict.fromkeys(("slow-broker", "slower-and-slower", "disk-stall", "packet-loss"), ("latency",)),
    "faults-answers.png": {
        "refused": ("load",),
        "busy-answers": ("fates",),
        "status-answers": ("fates",),
        "partition": ("waits",),
    },
    "faults-store.png": dict.fromkeys(("power-loss", "disk-loss", "slave-lost", "slave-lags"), ("fates",)),
    "faults-routes.png": {
        "master-lost": ("load",),
        "wiped-permission": ("load",),
        "read-only-topic": ("load",),
        "more-queues": ("load",),
        "scale-out": ("load",),
        "scale-in": ("load",),
        "auto-created-topic": ("load",),
        "created-topic-follows": ("load",),
        "name-servers-down": ("failures",),
        "fewer-queues": ("fates",),
        "rescue-broker": ("load", "fates"),
    },
    "ways.png": {
        "way-async": ("fates",),
        "way-async-refused": ("failures",),
        "way-back-pressure": ("fates",),
        "way-back-pressure-leak": ("fates",),
        "way-oneway": ("results",),
        "way-big-messages": ("results",),
        "way-batch": ("groups",),
        "way-own-selector": ("groups",),
        "way-selector-hash-ordered": ("order",),
        "way-machine-room": ("groups",),
        "way-closed-vs-open": ("waits", "groups"),
    },
    "failover.png": {
        "failover": ("roles", "replica-lag"),
        "controllers-down": ("roles", "failures"),
        "acting-master": ("load", "backlog"),
    },
    "pop.png": {
        "pop": ("popped-0:again", "popped-0:invisible"),
        "consumer-frozen": ("backlog", "end_to_end"),
    },
    "grpc.png": {
        "grpc-broker-hangs": ("fates:group", "waits"),
        "grpc-proxy-killed": ("proxy-lanes", "proxy-load"),
        "grpc-consumer-frozen": ("popped-0:again", "popped-0:invisible"),
    },
    "filters.png": {"sql-filter": ("filtered-0", "filtered-1", "filtered-2", "filtered-3")},
}
# file in docs -> recording in conf/traces, and the arm of its replay whose page it shows
NIGHTS: Mapping[str, tuple[str, str]] = {"replay.png": ("live-4.9.8-s5", "client.release=5.3.3")}
# file in docs -> recording in conf/traces, and the calibration of it whose page it shows
CALIBRATIONS: Mapping[str, str] = {"calibration.png": "live-4.9.8-s3"}
# file in docs -> scenario that runs while its live page is photographed
LIVE: Mapping[str, str] = {"live.png": "quickstart"}
# file in docs -> experiment in conf/experiments whose page it shows
EXPERIMENTS: Mapping[str, str] = {"whatif.png": "release-under-a-hang", "capacity.png": "brokers-to-lose-one"}
# file in docs -> scenario in conf/scenarios that is hunted without its own faults, and the objectives
HUNTS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "hunt.png": ("failover", ("lost == 0", "skipped[billing] == 0")),
}
