"""Which kind each part of the files is, by its command and its content, and all of them read into facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from simulator.scenario.reading.scenario_error import did_you_mean
from state.texts import at, sentence_of
from streaming.errors import InputError
from streaming.init import broker_settings, fitted_facts
from streaming.init import mqadmin_commands as columns
from streaming.init.cluster_facts import ClusterFacts
from streaming.init.metrics import exporter_metrics, native_metrics, prometheus_text, stats_log
from streaming.init.mqadmin import (
    broker_status,
    mqadmin_clients,
    mqadmin_groups,
    mqadmin_tables,
    replica_sets,
    running_info,
)
from streaming.init.mqadmin.printed_table import head_of, printed_by, prints
from streaming.init.mqadmin_commands import COMMANDS, UNREAD, CommandColumns
from streaming.init.proxies import proxy_config
from streaming.init.saved_part import SavedPart, files_in, parts_of, text_of
from streaming.texts.init_texts import InitTexts


@dataclass(frozen=True)
class EvidenceKind:
    """A kind of saved text: its name, how it is recognised and read, and which commands of mqadmin print it."""

    name: str
    matches: Callable[[SavedPart], bool]
    read: Callable[[SavedPart, ClusterFacts], None]
    commands: tuple[str, ...] = ()


def _read_metrics(part: SavedPart, facts: ClusterFacts) -> None:
    samples = prometheus_text.samples_of(part)
    is_native = native_metrics.read(part, samples, facts)
    exporter_metrics.read(part, samples, facts, is_all=not is_native)


def _table(name: str, own: CommandColumns, read: Callable[[SavedPart, ClusterFacts], None]) -> EvidenceKind:
    """A table of one command, which its columns show."""
    return EvidenceKind(name, lambda part: prints(part, own), read, (own.command,))


# In the order in which they are read: what has whole names and says who is a slave comes first, cut names last.
KINDS = (
    _table("clusterList", columns.CLUSTER_LIST, mqadmin_tables.read_cluster_list),
    _table("clusterList -m", columns.TOTALS, mqadmin_tables.read_totals),
    EvidenceKind("topicRoute", mqadmin_tables.is_route, mqadmin_tables.read_route, ("topicRoute",)),
    EvidenceKind("getSyncStateSet", replica_sets.is_sync_state_set, replica_sets.read_sync_state_set,
                 ("getSyncStateSet",)),
    EvidenceKind("getBrokerEpoch", replica_sets.is_broker_epoch, replica_sets.read_broker_epoch, ("getBrokerEpoch",)),
    EvidenceKind("rmq-proxy.json", proxy_config.is_proxy_config, proxy_config.read_proxy_config),
    EvidenceKind("consumerStatus -i", running_info.is_running_info, running_info.read_running_info,
                 ("consumerStatus",)),
    EvidenceKind("getBrokerConfig or broker.conf", broker_settings.is_settings, broker_settings.read_settings,
                 ("getBrokerConfig",)),
    EvidenceKind("topicList", mqadmin_tables.is_topic_list, mqadmin_tables.read_topic_list, ("topicList",)),
    _table("topicStatus", columns.TOPIC_STATUS, mqadmin_tables.read_topic_status),
    EvidenceKind("consumerStatus", running_info.is_status, running_info.read_status, ("consumerStatus",)),
    EvidenceKind("consumerConnection", mqadmin_clients.is_consumer_connection,
                 mqadmin_clients.read_consumer_connection, ("consumerConnection",)),
    EvidenceKind("producerConnection", mqadmin_clients.is_producer_connection,
                 mqadmin_clients.read_producer_connection, ("producerConnection",)),
    EvidenceKind("producer", mqadmin_clients.is_producers, mqadmin_clients.read_producers, ("producer",)),
    EvidenceKind("brokerStatus", broker_status.is_status, broker_status.read_status, ("brokerStatus",)),
    EvidenceKind("stats.log", stats_log.is_stats_log, stats_log.read_stats_log),
    _table("consumerProgress -g", columns.GROUP_PROGRESS, mqadmin_groups.read_progress_of_group),
    _table("consumerProgress", columns.PROGRESS, mqadmin_groups.read_progress_of_all),
    _table("topicList -c", columns.TOPIC_LIST, mqadmin_tables.read_topics_with_groups),
    _table("statsAll", columns.STATS_ALL, mqadmin_groups.read_stats_all),
    EvidenceKind("Prometheus range", prometheus_text.is_answer, _read_metrics),
    EvidenceKind("metrics", prometheus_text.is_exposition, _read_metrics),
    EvidenceKind("trace", fitted_facts.is_trace, fitted_facts.read_trace_folder),
    EvidenceKind("client log", fitted_facts.is_client_log, fitted_facts.read_client_log),
    EvidenceKind("producer.sh", fitted_facts.is_producer_sh, fitted_facts.read_producer_sh),
)  # fmt: skip


@dataclass(frozen=True)
class Evidence:
    """What was read: the facts, and each file with the kinds found in it."""

    facts: ClusterFacts
    read: Sequence[tuple[Path, tuple[str, ...]]]


def read_evidence(paths: Sequence[Path]) -> Evidence:
    """Read files and folders. Raises InputError for one that is missing, of no known kind or cut off."""
    known: list[tuple[EvidenceKind, SavedPart]] = []
    read, facts = [], ClusterFacts()
    for file in files_in(paths):
        parts = [SavedPart(file, 1, ())] if file.is_dir() else parts_of(file, text_of(file))
        if len(parts) > 1:
            facts.notes += [_failed(part) for part in parts if part.failures and not part.has_words]
            parts = [part for part in parts if part.has_words]
        kinds = [_kind_of(part) for part in parts]
        known += zip(kinds, parts, strict=True)
        read.append((file, tuple(dict.fromkeys(kind.name for kind in kinds))))
    for kind in KINDS:
        for own, part in known:
            if own is kind:
                _read(kind, part, facts)
    broker_status.tell_slaves(facts)
    stats_log.take_minutes(facts)
    return Evidence(facts, read)


def _read(kind: EvidenceKind, part: SavedPart, facts: ClusterFacts) -> None:
    try:
        kind.read(part, facts)
    except InputError:
        raise
    except ValueError as error:
        raise InputError(at(f"{part.place(0)}: {kind.name}", sentence_of(error))) from None


def _failed(part: SavedPart) -> str:
    command = f"mqadmin {' '.join(part.command)}".rstrip()
    return InitTexts.COMMAND_FAILED(command=command, why=part.failures[0][:160]).at(part.place(0))


def _kind_of(part: SavedPart) -> EvidenceKind:
    matching = [kind for kind in KINDS if kind.matches(part)]
    echoed = part.command[0] if part.command else None
    if matching and echoed is None:
        return matching[0]
    if found := next((kind for kind in matching if echoed in kind.commands), None):
        return found
    raise InputError(_why_not(part, echoed, matching))


def _why_not(part: SavedPart, echoed: str | None, matching: Sequence[EvidenceKind]) -> str:
    """The sentence for a part that cannot be read."""
    place = part.place(0)
    if echoed is not None and echoed not in COMMANDS:
        near = "" if echoed in UNREAD else did_you_mean(echoed, COMMANDS)
        return InitTexts.COMMAND_NOT_READ(echoed=echoed, near=near, commands=", ".join(COMMANDS)).at(place)
    if matching:
        return InitTexts.OTHER_COMMAND(echoed=echoed, looks=matching[0].name).at(place)
    if part.failures and (echoed is not None or _is_of_mqadmin(part)):
        return _failed(part)
    if part.failures or part.is_log:
        first = next((line.strip() for line in part.lines if line.strip()), "".join(part.failures[:1]))
        return InitTexts.APPLICATION_LOG(first=first[:60]).at(place)
    if not part.has_words:
        return InitTexts.COMMAND_PRINTED_NOTHING(command=" ".join(part.command)).at(place)
    head, by = head_of(part), printed_by(part)
    if head is not None and by is not None and by.command not in COMMANDS:
        return InitTexts.COLUMNS_OF(command=by.command).at(part.place(head.line))
    first = next(line.strip() for line in part.lines if line.strip())
    asked = f"mqadmin {echoed}: " if echoed else ""
    return InitTexts.NOT_RECOGNISED(asked=asked, first=first[:60], commands=", ".join(COMMANDS)).at(place)


def _is_of_mqadmin(part: SavedPart) -> bool:
    return not (part.is_log or part.has_words) and any(".rocketmq." in failure for failure in part.failures)
