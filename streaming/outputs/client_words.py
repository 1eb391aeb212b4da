"""The clients of a run in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streaming.outputs.summary_texts import SummaryTexts


def clients_in_words(about: Mapping[str, Any]) -> str:
    """The clients of a run, as its run.json has them: of all producers, or of each group where they differ."""
    named: dict[str, list[str]] = {}
    for group in about["producer_groups"]:
        words = _client_in_words(str(group.get("release", about["release"])), group.get("strategy", about["strategy"]))
        if group.get("over_proxies"):
            words = SummaryTexts.OVER_PROXIES(client=group.get("client", "gRPC"))
        named.setdefault(words, []).append(str(group["group"]))
    if len(named) < 2:
        return f"client {next(iter(named), _client_in_words(str(about['release']), about['strategy']))}"
    return "clients " + "; ".join(f"{words} ({', '.join(groups)})" for words, groups in named.items())


def _client_in_words(release: str, strategy: bool) -> str:
    """A release and whether its strategy is on."""
    return f"{release}, sendLatencyFaultEnable {'on' if strategy else 'off'}"
