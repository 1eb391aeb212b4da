"""What is fitted elsewhere, as facts: a trace of clients, their log of failures, and measured points of producer.sh."""

from __future__ import annotations

from collections import Counter

from simulator.calibrate.scenario_text import SEND_THREADS
from simulator.calibrate.service_times import percentiles_texts
from simulator.releases.ledger import NEWEST, RELEASES
from state.texts import at, sentence_of
from streaming.errors import InputError
from streaming.fitting.point_file import LINE as PRODUCER_SH_LINE
from streaming.init.cluster_facts import ClusterFacts, QueuesSeen, Sourced
from streaming.init.saved_part import SavedPart
from streaming.init.texts.init_note_texts import InitNoteTexts
from streaming.init.texts.init_source_texts import InitSourceTexts
from streaming.texts.init_texts import InitTexts


def is_trace(part: SavedPart) -> bool:
    """The folder that `sendlab import` wrote."""
    return part.file.is_dir()


def read_trace_folder(part: SavedPart, facts: ClusterFacts) -> None:
    """Client, producers, rates, sizes and latencies as `sendlab calibrate` finds them; faults stay there."""
    from simulator.calibrate.calibration import calibrate
    from streaming.fitting.open_trace import open_trace

    trace, source = open_trace(part.file), part.file.name
    try:
        fit = calibrate(trace.attempts(), trace.about.client, trace.about.mode or "sync", trace.scrapes)
    except ValueError as error:
        raise InputError(at(part.file, sentence_of(error))) from None
    if fit.client_known:
        facts.client.update(
            {key: Sourced(value, InitSourceTexts.TRACE_CLIENT().at(source)) for key, value in fit.client.items()}
        )
    for group in fit.groups:
        own = facts.producer(group.name)
        if own is None:
            continue
        own.count = Sourced(len(group.producers), InitSourceTexts.PRODUCERS_SEEN().at(source))
        own.rate_per_s = Sourced(group.rate_per_s, InitSourceTexts.MEAN_OF_EACH().at(source))
        own.threads = Sourced(group.threads, InitSourceTexts.THREADS_SEEN().at(source))
        own.mode = Sourced(fit.mode, source)
        own.topics = {topic: float(count) for topic, count in group.topics.items()}
    for name, topic in fit.topics.items():
        found = facts.topic(name)
        if found is None:
            continue
        if topic.body_bytes is not None:
            found.body_bytes = Sourced(topic.body_bytes, InitSourceTexts.MEDIAN_BODY().at(source))
        if topic.queues_known and not found.queues:
            found.queues = {broker: QueuesSeen(count, count) for broker, count in topic.queues.items()}
            found.queues_source = InitSourceTexts.QUEUES_SEEN().at(source)
    for name, broker in fit.brokers.items():
        table = ", ".join(percentiles_texts(broker.latency_us))
        answers = InitSourceTexts.ANSWERS(count=broker.answers) if broker.own else InitSourceTexts.ANSWERS_OF_ALL()
        own_broker = facts.broker(name)
        own_broker.latency = Sourced(f"{{table: {{{table}}}}}", answers.at(source))
        own_broker.settings["send_threads"] = Sourced(SEND_THREADS, InitSourceTexts.WAITING_IN_LATENCY())
    total = sum(len(group.producers) * group.rate_per_s for group in fit.groups)
    facts.per_s.append(Sourced(total, InitSourceTexts.MEAN_OF_ALL().at(source)))
    if fit.findings:
        facts.notes.append(InitNoteTexts.FAULTS_SHOWN(source=source, count=len(fit.findings)))


def is_client_log(part: SavedPart) -> bool:
    """rocketmq_client.log."""
    from streaming.importing.client_log_format import AGAIN, EVENT, FAILED

    dated = [line for line in part.lines if EVENT.match(line)]
    return bool(dated) and any(FAILED.search(line) or AGAIN.search(line) or "Rocketmq" in line for line in dated)


def read_client_log(part: SavedPart, facts: ClusterFacts) -> None:
    """Brokers and topics of failed attempts, which are all that a client logs."""
    from streaming.importing.client_log_format import VALUES

    failed: Counter[str] = Counter()
    for line in part.lines:
        if found := VALUES.search(line):
            facts.topic(found[3])
            facts.broker(found[4])
            failed[found[4]] += 1
    if not failed:
        raise InputError(InitTexts.NO_FAILED_ATTEMPT().at(part.file))
    by_broker = ", ".join(f"{count} on {broker}" for broker, count in sorted(failed.items()))
    count = sum(failed.values())
    facts.notes.append(InitNoteTexts.FAILED_ALONE(file=part.file.name, count=count, by_broker=by_broker))


def is_producer_sh(part: SavedPart) -> bool:
    """Lines that RocketMQ's benchmark producer.sh printed."""
    return any(PRODUCER_SH_LINE.search(line) for line in part.lines)


def read_producer_sh(part: SavedPart, facts: ClusterFacts) -> None:
    """Fit what a broker gives to the measured points: its service time and the wait that holds no thread."""
    from simulator.fit.fitted_cluster import Around
    from simulator.fit.fitting import fit_cluster
    from streaming.fitting.point_file import read_points

    brokers = len(facts.brokers) or 1
    threads = {own.settings["send_threads"].value for own in facts.brokers.values() if "send_threads" in own.settings}
    send_threads = int(threads.pop()) if len(threads) == 1 else 1
    queues = {seen.write for topic in facts.topics.values() for seen in topic.queues.values()}
    release = next((own.release.value for own in facts.brokers.values() if own.release), NEWEST)
    points = read_points(part.file, max(queues, default=8))
    try:
        fit = fit_cluster(points, Around(brokers, send_threads, release if release in RELEASES else NEWEST))
    except ValueError as error:
        raise InputError(at(part.file, sentence_of(error))) from None
    own, source = facts.all_brokers, InitSourceTexts.FITTED(count=len(points)).at(part.name)
    figures = fit.figures
    lognormal = f"{{lognormal: {{p50: {figures.service_p50_us}us, p99: {figures.service_p99_us}us}}}}"
    of_brokers = InitSourceTexts.FITTED_BROKERS(fitted=source, brokers=brokers, threads=send_threads)
    own.latency = Sourced(lognormal, of_brokers)
    own.settings["role"] = Sourced("sync_master", source)
    own.settings["slaves"] = Sourced(1, source)
    own.settings["slave_latency"] = Sourced(
        f"{{constant: {figures.wait_us}us}}", InitSourceTexts.FITTED_WAIT(fitted=source)
    )
    if figures.wait_per_kib_us:
        own.settings["slave_latency_per_kib"] = Sourced(f"{figures.wait_per_kib_us}us", source)
    if figures.append_base_us or figures.append_per_kib_us:
        append = f"{{base: {figures.append_base_us}us, per_kib: {figures.append_per_kib_us}us}}"
        own.settings["append"] = Sourced(append, source)
    if send_threads == 1:
        own.settings["send_threads"] = Sourced(1, InitSourceTexts.FITTED_ONE_THREAD(fitted=source))
    facts.notes.extend(f"{part.name}: {text}" for text in fit.assumed)
