"""A decision as words and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from simulator.codes import NO_CODE
from simulator.explain.decision import ExplainedDecision, KnownBroker, RuleChoice
from simulator.releases.ledger import RELEASES
from streaming.clock import virtual_time
from streaming.explain.find_attempt import Found
from streaming.explain.proxied_choice import client_words, proxy_lines
from streaming.outputs.dataset import RunOutput
from streaming.report.collected.endings import ending

# What each name in `pick_reason` says.
REASONS = {
    "plain": "the strategy is off: the queue that the counter names",
    "other_broker": "the strategy is off, and this is another attempt: the next queue of another broker than the last",
    "available": "the first queue from the counter on whose broker is available",
    "reachable": "no broker was available: the first queue whose broker is reachable",
    "fault_table": "no broker was available: one of the better half of the fault table",
    "fallback": "everything was filtered out: the queue that the counter names",
    "after_error": "an exception inside the selection was swallowed: the queue that the counter names",
    "endpoints": "the gRPC client's next broker that it has not isolated; the broker's own proxy takes any queue",
    "message_group": "the queue of all messages of its message group, as long as the route has the same queues",
    "proxy": "the next queue of the proxy's own route; the client's own choice has no effect",
    "selector": "the caller's own selector chose; neither counter nor fault table was asked",
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
        return "nothing: the send ends"
    return f"{choice.broker} queue {choice.queue_id} ({choice.pick_reason})"


def _avoided(broker: KnownBroker, now_ms: int) -> str:
    if not broker.has_item:
        return "no: it has no fault item"
    reach = "" if broker.reachable else ", not reachable"
    if broker.available:
        return f"no{reach}"
    left_ms = broker.start_timestamp_ms - now_ms
    until = f"until {virtual_time(broker.start_timestamp_ms * 1000)}, {left_ms / 1000:,.3f} s more"
    return f"yes, {until}{reach}" if left_ms > 0 else f"yes{reach}"


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        numeric = column in ("#", "queue", "latency ms")
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    return table


def tell_attempt(output: RunOutput, found: Found, console: Console) -> None:
    """Which attempt it is, and what came of it."""
    row, about = found.row, output.about
    client = f"release {about['release']}, strategy {'on' if about['strategy'] else 'off'}"
    lines = []
    if row["pick_reason"] in OVER_PROXIES:
        client, lines = client_words(output, found), list(proxy_lines(output, found))
    console.print(
        f"message {row['send_seq']} of topic {row['topic']}, producer {row['producer']}, thread {row['thread']}: "
        f"attempt {row['attempt']} of {len(found.attempts)}, begun at {moment(row['begin_us'])} of virtual time\n"
        f"{client}; it ended with {row['outcome']} after {row['latency_us'] / 1000:,g} ms\n"
        f"chosen: {row['broker']} queue {row['queue_id']}, because {row['pick_reason']}: "
        f"{REASONS.get(row['pick_reason'], 'a policy chose')}"
        + "".join(f"\n{line}" for line in lines)
        + (f"\nthe message: {fate_in_words(found.message)}" if found.message is not None else ""),
        highlight=False, markup=False, soft_wrap=True,
    )  # fmt: skip


def fate_in_words(message: Mapping[str, Any]) -> str:
    """What the caller got, and whether a copy is durable."""
    stored, durable = message["copies_stored"], message["copies_kept"]
    copies = f"{stored} {'copy' if stored == 1 else 'copies'} stored, {durable} durable"
    result = ending(message["result"], message["response_code"] if message["response_code"] is not None else NO_CODE)
    if message["mode"] == "oneway" and message["result"] == "SENT_ONEWAY":
        return f"one-way, no answer; {copies}{'' if durable else ': lost unseen'}"
    if message["acknowledged"]:
        return f"acknowledged with {result}; {copies}{'' if durable else ': lost'}"
    return f"failed with {result}; {copies}{'' if durable else ': not stored'}"


def tell_message(output: RunOutput, message: Mapping[str, Any], console: Console) -> None:
    """A message that ended before any attempt."""
    waited_ms = (message["end_us"] - message["arrival_us"]) / 1000
    carried = f" Another message's attempts carried it, to {message['broker']}." if message["broker"] else ""
    console.print(
        f"message {message['send_seq']} of topic {message['topic']}, producer {message['producer']}, thread "
        f"{message['thread']}: it made no attempt of its own, so no queue was chosen for it.{carried}\n"
        f"the application wanted to send it at {moment(message['arrival_us'])} of virtual time; it ended "
        f"{waited_ms:,.3f} ms later: {fate_in_words(message)}",
        highlight=False, markup=False, soft_wrap=True,
    )  # fmt: skip


def tell_decision(decision: ExplainedDecision, console: Console) -> None:
    """Counter, rule, candidates, brokers and what other releases would have done."""
    chosen, before = decision.chosen, decision.counter_before
    was = "drawn at random first" if before is None else f"{before} before"
    console.print(
        f"rule: {chosen.rule}: {chosen.does}\n"
        f"sendWhichQueue: {was}, {chosen.counter} after\n"
        "A second simulation up to this moment makes the same choice.\n",
        highlight=False, markup=False, soft_wrap=True,
    )  # fmt: skip
    console.print("Queues that the rule looked at, in order", style="bold", soft_wrap=True)
    table = _table("#", "broker", "queue", "")
    for number, each in enumerate(decision.candidates[:SHOWN], 1):
        table.add_row(str(number), each.broker, str(each.queue_id), each.verdict)
    if len(decision.candidates) > SHOWN:
        last = decision.candidates[-1]
        table.add_row("...", "", "", "")
        table.add_row(str(len(decision.candidates)), last.broker, str(last.queue_id), last.verdict)
    console.print(table, "")
    console.print("What the producer held of each broker at that moment", style="bold", soft_wrap=True)
    table = _table("broker", "latency ms", "isolated")
    for known in decision.brokers:
        latency = f"{known.current_latency_ms:,}" if known.has_item else ""
        table.add_row(known.broker, latency, _avoided(known, decision.now_ms))
    console.print(table, "")
    if decision.ranked:
        console.print(
            f"fault table, best first: {', '.join(decision.ranked)}\n", highlight=False, markup=False, soft_wrap=True
        )
    console.print(
        "What each release would have chosen, from the same counter and fault table", style="bold", soft_wrap=True
    )
    table = _table("releases", "")
    for other in decision.others:
        table.add_row(ranges(other.releases), queue_of(other))
    console.print(table)
