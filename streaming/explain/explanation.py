"""A decision as words and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from simulator.codes import NO_CODE
from simulator.explain.decision import ExplainedDecision, KnownBroker, RuleChoice
from simulator.releases.ledger import RELEASES
from state.texts import Text
from streaming.clock import virtual_time
from streaming.explain.find_attempt import Found
from streaming.explain.proxied_choice import attempts_over, client_words, proxy_lines, unreached_lines
from streaming.explain.texts.explain_texts import ExplainTexts
from streaming.outputs.dataset import RunOutput
from streaming.report.collected.endings import ending

# What each name in `pick_reason` says.
REASONS: dict[str, Text] = {
    "plain": ExplainTexts.REASON_PLAIN,
    "other_broker": ExplainTexts.REASON_OTHER_BROKER,
    "available": ExplainTexts.REASON_AVAILABLE,
    "reachable": ExplainTexts.REASON_REACHABLE,
    "fault_table": ExplainTexts.REASON_FAULT_TABLE,
    "fallback": ExplainTexts.REASON_FALLBACK,
    "after_error": ExplainTexts.REASON_AFTER_ERROR,
    "endpoints": ExplainTexts.REASON_ENDPOINTS,
    "message_group": ExplainTexts.REASON_MESSAGE_GROUP,
    "proxy": ExplainTexts.REASON_PROXY,
    "selector": ExplainTexts.REASON_SELECTOR,
}
OVER_PROXIES = ("proxy", "endpoints", "message_group")
SHOWN = 16  # candidates


def moment(us: int) -> str:
    """Virtual time to the microsecond."""
    return f"{virtual_time(us)}.{us % 1_000_000:06d}"


def ranges(releases: Sequence[str]) -> str:
    """Releases in short: those that follow each other from first to last."""
    runs: list[list[str]] = []
    for release in releases:
        if runs and RELEASES.index(release) == RELEASES.index(runs[-1][-1]) + 1:
            runs[-1].append(release)
        else:
            runs.append([release])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def queue_of(choice: RuleChoice) -> str:
    """What was chosen, and by which rule."""
    if choice.broker is None:
        return ExplainTexts.CHOSEN_NOTHING()
    return f"{choice.broker} queue {choice.queue_id} ({choice.pick_reason})"


def _avoided(broker: KnownBroker, now_ms: int) -> str:
    if not broker.has_item:
        return ExplainTexts.NO_FAULT_ITEM()
    reach = "" if broker.reachable else ExplainTexts.NOT_REACHABLE()
    if broker.available:
        return f"no{reach}"
    left_ms = broker.start_timestamp_ms - now_ms
    until = virtual_time(broker.start_timestamp_ms * 1000)
    return (
        ExplainTexts.ISOLATED_UNTIL(until=until, left_s=left_ms / 1000, reach=reach) if left_ms > 0 else f"yes{reach}"
    )


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        numeric = column in ("#", "queue", "latency ms")
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    return table


def tell_attempt(output: RunOutput, found: Found, console: Console) -> None:
    """Which attempt it is, and what came of it."""
    row, lines = found.row, list[str]()
    client = _remoting_client(output, row["producer"])
    if row["pick_reason"] in OVER_PROXIES:
        client, lines = client_words(output, found), list(proxy_lines(output, found))
    reason = REASONS.get(row["pick_reason"], ExplainTexts.REASON_POLICY)()
    shown = [
        ExplainTexts.ATTEMPT(
            message=_name_of(row), attempt=row["attempt"], attempts=found.made, begin=moment(row["begin_us"])
        ),
        ExplainTexts.ENDED(client=client, outcome=row["outcome"], took_ms=row["latency_us"] / 1000),
        ExplainTexts.CHOSEN(broker=row["broker"], queue=row["queue_id"], name=row["pick_reason"], reason=reason),
        *lines,
    ]
    if found.message is not None:
        shown.append(ExplainTexts.THE_MESSAGE(fate=fate_in_words(found.message)))
    console.print("\n".join(shown), highlight=False, markup=False, soft_wrap=True)


def _remoting_client(output: RunOutput, producer: int) -> str:
    """The release and the strategy of a producer's group."""
    about, groups = output.about, output.about["producer_groups"]
    own = next((one for one in groups if one["first"] <= producer < one["first"] + one["count"]), about)
    is_on = own.get("strategy", about["strategy"])
    return ExplainTexts.CLIENT(release=own.get("release", about["release"]), strategy="on" if is_on else "off")


def _name_of(row: Mapping[str, Any]) -> str:
    """A message, as a row of `attempts` or `sends` names it."""
    return ExplainTexts.MESSAGE(
        message=row["send_seq"], topic=row["topic"], producer=row["producer"], thread=row["thread"]
    )


def fate_in_words(message: Mapping[str, Any]) -> str:
    """What the caller got, and whether a copy is durable."""
    stored, durable = message["copies_stored"], message["copies_kept"]
    copies = ExplainTexts.COPIES(stored=f"{stored} {'copy' if stored == 1 else 'copies'}", durable=durable)
    result = ending(message["result"], message["response_code"] if message["response_code"] is not None else NO_CODE)
    if message["mode"] == "oneway" and message["result"] == "SENT_ONEWAY":
        lost = "" if durable else ExplainTexts.LOST_UNSEEN()
        return ExplainTexts.ONE_WAY(copies=copies, lost=lost)
    if message["acknowledged"]:
        return ExplainTexts.ACKNOWLEDGED(result=result, copies=copies, lost="" if durable else ExplainTexts.LOST())
    return ExplainTexts.FAILED(result=result, copies=copies, lost="" if durable else ExplainTexts.NOT_STORED())


def tell_message(output: RunOutput, message: Mapping[str, Any], console: Console) -> None:
    """A message that ended before any attempt, or whose attempt reached no broker."""
    waited_ms = (message["end_us"] - message["arrival_us"]) / 1000
    broker = message["broker"]
    carried = ExplainTexts.CARRIED(broker=broker) if broker else ""
    arrival = moment(message["arrival_us"])
    first = ExplainTexts.NO_OWN_ATTEMPT(message=_name_of(message), carried=carried)
    if message["attempts"]:
        first = ExplainTexts.NO_BROKER(message=_name_of(message), attempts=message["attempts"])
    lines = [
        first,
        *unreached_lines(attempts_over(output, message) if message["attempts"] else ()),
        ExplainTexts.WANTED_AT(arrival=arrival, waited_ms=waited_ms, fate=fate_in_words(message)),
    ]
    console.print("\n".join(lines), highlight=False, markup=False, soft_wrap=True)


def tell_decision(decision: ExplainedDecision, console: Console) -> None:
    """Counter, rule, candidates, brokers and what other releases would have done."""
    chosen, before = decision.chosen, decision.counter_before
    drawn, counted = ExplainTexts.COUNTER_DRAWN, ExplainTexts.COUNTER
    lines = [
        ExplainTexts.RULE(rule=chosen.rule, does=chosen.does),
        drawn(after=chosen.counter) if before is None else counted(before=before, after=chosen.counter),
        ExplainTexts.SAME_AGAIN(),
    ]
    console.print("\n".join(lines) + "\n", highlight=False, markup=False, soft_wrap=True)
    console.print(ExplainTexts.LOOKED_AT(), style="bold", soft_wrap=True)
    table = _table("#", "broker", "queue", "")
    for number, each in enumerate(decision.candidates[:SHOWN], 1):
        table.add_row(str(number), each.broker, str(each.queue_id), each.verdict)
    if len(decision.candidates) > SHOWN:
        last = decision.candidates[-1]
        table.add_row("...", "", "", "")
        table.add_row(str(len(decision.candidates)), last.broker, str(last.queue_id), last.verdict)
    console.print(table, "")
    console.print(ExplainTexts.KNOWN_BROKERS(), style="bold", soft_wrap=True)
    table = _table("broker", "latency ms", "isolated")
    for known in decision.brokers:
        latency = f"{known.current_latency_ms:,}" if known.has_item else ""
        table.add_row(known.broker, latency, _avoided(known, decision.now_ms))
    console.print(table, "")
    if decision.ranked:
        ranked = ExplainTexts.FAULT_TABLE(ranked=", ".join(decision.ranked))
        console.print(f"{ranked}\n", highlight=False, markup=False, soft_wrap=True)
    console.print(ExplainTexts.OTHER_RELEASES(), style="bold", soft_wrap=True)
    table = _table("releases", "")
    for other in decision.others:
        table.add_row(ranges(other.releases), queue_of(other))
    console.print(table)
