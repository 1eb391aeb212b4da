"""Proxies of a cluster, and the groups that consume over them, as lines of a scenario."""

from __future__ import annotations

from simulator.releases.grpc_release import NEWEST_GRPC
from simulator.scenario.proxy_settings import OF_CLUSTER
from streaming.init.cluster_facts import ClusterFacts, ConsumerFacts, Sourced
from streaming.init.scenario_lines import ScenarioLines, assumed
from streaming.init.texts.init_source_texts import InitSourceTexts
from streaming.texts.init_texts import InitTexts


def over_proxies(group: ConsumerFacts, facts: ClusterFacts) -> str | None:
    """The kind of consumer over gRPC that a group has: push or simple; None for a remoting group.

    Ids of gRPC clients show where a proxy is in the broker's process. Brokers do not know the clients of others: such a
    group consumes, and has no instance.
    """
    if group.grpc_clients:
        return "simple" if group.kind == "PULL" else "push"
    is_unseen = group.count is not None and not group.count.value
    consumes = group.per_s is not None and group.per_s.value > 0
    return "push" if is_unseen and consumes and facts.proxies.count else None


def write_proxies(out: ScenarioLines, facts: ClusterFacts) -> None:
    """The section `proxies`, and that no file shows who sends over them."""
    found = facts.proxies
    is_local = found.modes == {"LOCAL"}
    out.comment(InitTexts.PROXIES_OF_PRODUCERS())
    out.plain("proxies:")
    if is_local:
        out.value(2, "mode", Sourced("local", "rmq-proxy.json: proxyMode"))
    else:
        count = Sourced(found.count, InitSourceTexts.PROXY_EACH())
        out.value(2, "count", count if found.count else assumed(2, InitSourceTexts.PROXY_SETTINGS()))
    releases = sorted({own.release.value for own in facts.brokers.values() if own.release})
    if releases:
        out.value(2, "release", assumed(releases[0], InitSourceTexts.OF_THE_BROKERS()))
    for key, known in sorted(found.settings.items()):
        if not (is_local and key in OF_CLUSTER):
            out.value(2, key, known)


def grpc_of(group: ConsumerFacts, kind: str) -> Sourced[str]:
    """The key `grpc` of a group over proxies."""
    text = f"{{release: {NEWEST_GRPC}, kind: {kind}}}"
    if group.grpc_clients:
        return Sourced(text, InitSourceTexts.GRPC_RELEASE_ASSUMED(source=group.grpc_clients))
    return assumed(text, InitSourceTexts.CONSUMES_UNSEEN())
