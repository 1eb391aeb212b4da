"""The proxies that gRPC clients hang on at first: one for all clients of a group, or one each."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import PlainSerializer

from simulator.scenario.reading.fields import NAME_MAX, Reads, name_of
from simulator.scenario.reading.scenario_error import Problem, ProblemsError
from simulator.scenario.texts.fault_texts import FaultTexts
from state.texts import sentence_of

EXPECTED = "a proxy such as proxy-1, or a list with one for each client"
MEANING = "the proxy that all of them hang on at first, or one for each; default drawn"

_name = name_of("proxy")


def read_first_proxies(value: Any) -> tuple[str, ...]:
    """The name of a proxy, or a list of such; raises ValueError and ProblemsError."""
    if not isinstance(value, list | tuple):
        return (_name(value),)
    if not value:
        raise ValueError(FaultTexts.EMPTY_LIST(what="proxy"))
    names: list[str] = []
    for i, name in enumerate(value):
        try:
            names.append(_name(name))
        except ValueError as error:
            raise ProblemsError([Problem((i,), sentence_of(error))]) from None
    return tuple(names)


def first_proxies_text(names: tuple[str, ...]) -> Any:
    """What `read_first_proxies` reads back."""
    return names[0] if len(names) == 1 else list(names)


def first_proxy(names: tuple[str, ...] | None, client: int) -> str | None:
    """The proxy of the client of a group that has that place in it, None: it is drawn."""
    return None if names is None else names[client % len(names)]


FIRST_PROXIES = Reads(
    read_first_proxies, expects=EXPECTED,
    schema={"anyOf": [{"type": ["string", "integer"], "pattern": f"^[%|A-Za-z0-9_.-]{{1,{NAME_MAX}}}$"}]},
)  # fmt: skip
FirstProxies = Annotated[tuple[str, ...], FIRST_PROXIES, PlainSerializer(first_proxies_text)]
