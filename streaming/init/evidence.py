"""Which kind each part of the files is, by its content, and all of them read into facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from simulator.scenario.reading.scenario_error import did_you_mean
from streaming.errors import InputError
from streaming.init import broker_settings, fitted_facts, metric_facts, mqadmin_groups, mqadmin_tables
from streaming.init.cluster_facts import ClusterFacts
from streaming.init.saved_part import SavedPart, files_in, parts_of, text_of

COMMANDS = (
    *("clusterList", "topicList", "topicRoute", "topicStatus", "brokerStatus", "getBrokerConfig", "consumerProgress"),
    *("consumerConnection", "producerConnection"),
)


@dataclass(frozen=True)
class EvidenceKind:
    """A kind of saved text: what it is called, how it is recognised and how it is read."""

    name: str
    matches: Callable[[SavedPart], bool]
    read: Callable[[SavedPart, ClusterFacts], None]


# In the order in which they are read: what names brokers and their addresses comes first.
KINDS = (
    EvidenceKind("clusterList", mqadmin_tables.is_cluster_list, mqadmin_tables.read_cluster_list),
    EvidenceKind("clusterList -m", mqadmin_tables.is_totals, mqadmin_tables.read_totals),
    EvidenceKind("topicRoute", mqadmin_tables.is_route, mqadmin_tables.read_route),
    EvidenceKind("brokerStatus", broker_settings.is_status, broker_settings.read_status),
    EvidenceKind("getBrokerConfig or broker.conf", broker_settings.is_settings, broker_settings.read_settings),
    EvidenceKind("Prometheus range", metric_facts.is_answer, metric_facts.read_answer),
    EvidenceKind("metrics", metric_facts.is_exposition, metric_facts.read_exposition),
    EvidenceKind("topicStatus", mqadmin_tables.is_topic_status, mqadmin_tables.read_topic_status),
    EvidenceKind("consumerProgress", mqadmin_groups.is_progress_of_all, mqadmin_groups.read_progress_of_all),
    EvidenceKind("consumerProgress -g", mqadmin_groups.is_progress_of_group, mqadmin_groups.read_progress_of_group),
    EvidenceKind("consumerConnection", mqadmin_groups.is_consumer_connection, mqadmin_groups.read_consumer_connection),
    EvidenceKind("producerConnection", mqadmin_groups.is_producer_connection, mqadmin_groups.read_producer_connection),
    EvidenceKind("trace", fitted_facts.is_trace, fitted_facts.read_trace_folder),
    EvidenceKind("client log", fitted_facts.is_client_log, fitted_facts.read_client_log),
    EvidenceKind("producer.sh", fitted_facts.is_producer_sh, fitted_facts.read_producer_sh),
    EvidenceKind("topicList", mqadmin_tables.is_topic_list, mqadmin_tables.read_topic_list),
)


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
                kind.read(part, facts)
    return Evidence(facts, read)


def _failed(part: SavedPart) -> str:
    return f"{part.place(0)}: mqadmin {' '.join(part.command)} failed: {part.failures[0][:160]}"


def _kind_of(part: SavedPart) -> EvidenceKind:
    for kind in KINDS:
        if kind.matches(part):
            return kind
    if part.failures:
        raise InputError(_failed(part))
    if not part.has_words:
        raise InputError(f"{part.place(0)}: mqadmin {' '.join(part.command)} printed nothing; run it again")
    first = next(line.strip() for line in part.lines if line.strip())
    asked = f"mqadmin {part.command[0]}: " if part.command else ""
    if part.command and part.command[0] not in COMMANDS:
        asked = f"mqadmin {part.command[0]} is not read{did_you_mean(part.command[0], COMMANDS)}: "
    raise InputError(
        f"{part.place(0)}: {asked}not recognised by its content, which begins with {first[:60]!r}; expected the whole"
        f" output of mqadmin {', '.join(COMMANDS)}, a broker.conf, metrics of the RocketMQ exporter, a client log, a"
        " trace folder of sendlab import, or what producer.sh printed"
    )
