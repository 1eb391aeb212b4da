"""The memory of a consumer machine as its scenario begins, and the room for what was stored before."""

from __future__ import annotations

import numpy as np

from simulator.compiled.records import Array, Region, size_of
from simulator.compiled.region_store import filled
from simulator.consumer.links.hung_connections import DEAD_MAX
from simulator.consumer.memory.consumer_group import Scaler
from simulator.consumer.memory.consumer_settings import ConsumerClock
from simulator.consumer.memory.consumer_side import REPORTS_KEPT, Member, OffsetReport, ReviveService
from simulator.consumer.memory.instance import NOBODY
from simulator.consumer.memory.queue_log import NO_FILE, PAGE_MESSAGES, BrokerFiles, LogTopic, QueueLog, StoreRules
from simulator.consumer.shared.revive_log import CELLS, SERVICES
from simulator.kernel.histogram import Histogram
from simulator.kernel.machine_memory import Event
from simulator.kernel.pools import Pool
from simulator.plan.consumers.backlog_plan import BacklogPlan
from simulator.plan.consumers.consumer_plan import ConsumerPlan
from simulator.plan.consumers.kinds.orderly_plan import fresh_locks
from simulator.plan.consumers.kinds.pop_plan import fresh_ordered_pops
from simulator.run.consumers.machine_pools import needed
from simulator.run.consumers.machine_start import BEGUN_US, fresh_progress, idle_workers, nothing_seen, timer_regions


def fresh_regions(plan: ConsumerPlan) -> dict[str, Array]:
    """The regions that are remembered, and those to work in."""
    settings = plan.settings
    brokers, instances, logs = int(settings.brokers), int(settings.instances), int(settings.logs)
    services = brokers * SERVICES if settings.pops else 0
    topics = plan.cluster["log_topics"].reshape(-1, size_of(LogTopic))
    progress = int(topics[plan.cluster["subscriptions"][:, 1], 1].sum())
    clock = np.zeros(size_of(ConsumerClock), np.int64)
    own = ConsumerClock.at(clock)
    for name, least in needed(plan).items():
        pool: Pool = getattr(own, name)
        pool.first, pool.spare = NOBODY, -least
    return {
        "clock": clock,
        "logs": plan.logs,
        "pages": np.empty(0, np.int64),
        "serving": plan.serving,
        "members": filled(Member, brokers * instances, is_listed=1, slave_seen_us=BEGUN_US),
        "listed_counts": np.zeros(brokers * int(settings.groups), np.int64),
        "progress": fresh_progress(plan, progress),
        "locks": fresh_locks(plan.cluster["groups"], progress),
        "reports": filled(OffsetReport, progress * REPORTS_KEPT),
        "instances": plan.instances,
        **timer_regions(plan),
        "known_versions": np.full(instances * int(settings.topics), -1, np.int64),
        "workers": idle_workers(plan),
        "holdings": np.empty(0, np.int64),
        "process_queues": np.empty(0, np.int64),
        "tasks": np.empty(0, np.int64),
        "tallies": plan.tallies,
        "scalers": filled(Scaler, int(settings.groups)),
        "sent_back": plan.sent_back,
        **nothing_seen(plan.cluster["groups"]),
        "histograms": filled(Histogram, int(settings.groups)),
        "overall": filled(Histogram, int(settings.groups)),
        "delay_services": plan.delays.services,
        "delay_queues": plan.delays.queues,
        "deliverers": plan.delays.deliverers,
        "delay_pages": np.empty(0, np.int64),
        "late_histograms": filled(Histogram, len(plan.delays.queues)),
        "late_overall": filled(Histogram, len(plan.delays.services)),
        **plan.transactions.regions,
        "halves": np.empty(0, np.int64),
        "half_requests": np.empty(0, np.int64),
        "pop_waits": plan.pop_waits,
        "ordered_pops": fresh_ordered_pops(plan.cluster["groups"], progress),
        "check_points": np.empty(0, np.int64),
        "revive_services": filled(ReviveService, services, rests=1),
        "revive_log": np.zeros(services * CELLS, np.int64),
        **plan.proxied.regions,
        "broker_files": filled(BrokerFiles, brokers, first_file=NO_FILE, last_file=NO_FILE),
        "log_files": np.empty(0, np.int64),
        "pull_threads": plan.pull_threads,
        "heap": filled(Event, 16),
        "listed_queues": np.zeros(logs + 1, np.int64),
        "listed_members": np.zeros((1 + DEAD_MAX) * instances + 1, np.int64),
        "marks": np.zeros(logs + 1, np.int64),
        "messages": np.zeros(3 * max(64, plan.most_batch), np.int64),
    }


def room_before(plan: ConsumerPlan, before: BacklogPlan) -> dict[str, int]:
    """Records by pool that are taken by what was stored before."""
    logs = Region.of(QueueLog, plan.logs.reshape(-1))
    rules = Region.of(StoreRules, plan.cluster["store_rules"].reshape(-1))
    topics = Region.of(LogTopic, plan.cluster["log_topics"].reshape(-1))
    files = len(rules)
    for number, count in enumerate(before.counts.tolist()):
        topic = int(logs[number].topic)
        entry_bytes = int(topics[topic].entry_bytes + before.body_bytes[topic])
        # what does not fit into a file any more begins the next
        files += count * entry_bytes // max(int(rules[int(logs[number].broker)].file_bytes) - entry_bytes, 1) + 1
    return {"pages": int((before.counts // PAGE_MESSAGES + 2).sum()), "log_files": files}
