"""`sendlab releases`: what each release changed for producers and consumers, or what differs between two."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console

from simulator.releases.ledger import NEWEST, RELEASES, unknown
from streaming.errors import InputError
from streaming.releases.history import SCOPES, Answer, between
from streaming.texts.command_result_texts import CommandResultTexts

SHOWN = 4  # methods named as evidence; --all names every one
TITLES = {
    "client": "producer",
    "broker": "broker",
    "name server": "name server",
    "consumer": "consumer",
    "consumer's broker": "broker, as consumers meet it",
    "controller": "controller",
    "replica": "broker, as a member of a set whose master is elected",
}


def releases_command(first: str | None, last: str | None, everything: bool, as_json: bool, console: Console) -> None:
    """Print what changes from `first` to `last` (from the oldest to the newest known if not given).

    Without `everything` only what an application can notice is printed. Raises InputError for an unknown release.
    """
    older, newer = _pair(first, last)
    found = [answer for answer in between(older, newer) if everything or answer.kind != "same"]
    if as_json:
        rows = [asdict(answer) | {"methods": answer.evidence()} for answer in found]
        console.print_json(json.dumps(rows))
        return
    console.print(CommandResultTexts.RELEASES_COMPARED(older=older, newer=newer), highlight=False)
    if not found:
        console.print(f"  {CommandResultTexts.NOTHING_CHANGES()}", highlight=False)
    for scope in SCOPES:
        _print_scope(scope, [answer for answer in found if answer.scope == scope], everything, console)


def _pair(first: str | None, last: str | None) -> tuple[str, str]:
    for release in (first, last):
        if release is not None and release not in RELEASES:
            raise InputError(unknown(release))
    if first is not None and last is None:
        place = RELEASES.index(first)
        return RELEASES[max(place - 1, 0)], first
    return tuple(sorted((first or RELEASES[0], last or NEWEST), key=RELEASES.index))  # type: ignore[return-value]


def _print_scope(scope: str, found: Sequence[Answer], everything: bool, console: Console) -> None:
    release = ""
    for answer in found:
        if not release:
            console.print(f"\n{TITLES[scope]}", style="bold", highlight=False)
        if answer.release != release:
            release = answer.release
            console.print(f"  {release}", highlight=False)
        mark = {"changes": "", "same": "no difference: "}[answer.kind]
        console.print(f"    {mark}{answer.words}", markup=False, highlight=False, soft_wrap=True)
        methods = answer.evidence()
        shown = methods if everything else methods[:SHOWN]
        named = ", ".join(shown)
        if len(methods) > len(shown):
            named = CommandResultTexts.AND_MORE(named=named, count=len(methods) - len(shown))
        if shown:
            console.print(f"      {named}", style="dim", markup=False, highlight=False, soft_wrap=True)
