"""Proxies that clients of a group are to hang on at first, and that there are not, or not for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simulator.scenario.proxy_settings import ProxySettings
from simulator.scenario.reading.scenario_error import Path, Problem, not_known
from simulator.scenario.texts.proxied_texts import ProxiedTexts


def first_proxy_problems(
    place: Path, given: Sequence[str] | None, clients: int, proxies: ProxySettings
) -> Iterator[Problem]:
    """What is wrong with the proxies that so many clients are given; `place`: of the list or name."""
    if given is None or proxies.is_local:
        return
    for i, name in enumerate(given):
        if name not in proxies.names:
            path = place if len(given) == 1 else (*place, i)
            yield Problem(path, not_known("proxy", name, proxies.names))
    if len(given) not in (1, clients):
        yield Problem(place, ProxiedTexts.ONE_FOR_EACH(clients=clients, got=len(given)))
