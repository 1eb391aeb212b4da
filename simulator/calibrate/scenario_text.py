"""A calibration as a scenario that a person can read and edit: every value with the evidence for it."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from fractions import Fraction

from simulator.calibrate.broker_metrics import LoadSeen, load_text
from simulator.calibrate.calibrate_texts import FittedTexts
from simulator.calibrate.calibration import BrokerFit, Calibration, TopicFit
from simulator.calibrate.error_answers import CODE_NAMES, STATUS_NAMES
from simulator.calibrate.found_fault import BUSY, KILL, SLOW, STATUS, FoundFault, seconds
from simulator.calibrate.producers.blocking import QUEUE, SKIP
from simulator.calibrate.producers.senders import Group
from simulator.calibrate.service_times import percentiles_texts
from simulator.scenario.reading.yaml_names import name_text, quoted
from simulator.units import format_duration, format_rate, format_size

WIDTH = 118
# What an answer takes includes waiting for a thread, so fitted brokers have a thread for everybody: nobody waits twice.
SEND_THREADS = 64
RATE_DIGITS = 3
GLUE = "\x00"  # holds what must stay on one line together
ASYNC = "async"
BLOCKING: dict[str | None, str] = {
    QUEUE: FittedTexts.WAIT(),
    SKIP: FittedTexts.SKIPPED(),
    None: FittedTexts.QUEUE_ASSUMED(),
    ASYNC: "",
}


def scenario_text(fit: Calibration, name: str, zero: str | None, clock: Callable[[int], str] | None = None) -> str:
    """The YAML of a scenario; `zero`: what 0 s of the trace is, in words, None if it is not known.

    `clock`: the wall-clock time of a moment of the trace in microseconds.
    """
    lines = [f"# {FittedTexts.FITTED(name=name)}"]
    if zero is not None:
        lines.append(f"# {FittedTexts.ZERO(zero=zero)}")
    if fit.attempts.answered_only:
        lines += _comment(FittedTexts.ANSWERED_ONLY())
    lines += [f"name: {quoted(f'fitted to {name}')}", "seed: 1"]
    lines.append(f"duration: {format_duration(-(-fit.attempts.duration_us // 1_000_000) * 1_000_000)}")
    lines += _client(fit)
    lines += ["producers:", *(line for group in fit.groups for line in _group(fit, group))]
    lines += ["topics:", *(line for topic, one in fit.topics.items() for line in _topic(fit, topic, one))]
    lines += ["brokers:", *_brokers(fit.brokers, fit.load)]
    lines += _faults(fit.findings, clock)
    return "\n".join(lines) + "\n"


def _mapping(head: str, parts: list[str], indent: str) -> list[str]:
    """A flow mapping after `head`, on as many lines as it needs."""
    glued = ", ".join(part.replace(" ", GLUE) for part in parts) + "}"
    text = textwrap.wrap(glued, WIDTH - len(head), break_long_words=False, break_on_hyphens=False)
    first, *rest = (line.replace(GLUE, " ") for line in text)
    return [f"{head}{{{first}", *(f"{indent}{line}" for line in rest)]


def _time(us: int) -> str:
    """Tenths of a millisecond say enough."""
    return f"{max(round(us / 100), 1) / 10:.1f}ms".replace(".0ms", "ms")


def _comment(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=f"{indent}# ", subsequent_indent=f"{indent}# ")


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(one) for one in value) + "]"
    return str(value)


def _client(fit: Calibration) -> Iterator[str]:
    if not fit.client_known:
        yield from _comment(FittedTexts.CLIENT_UNKNOWN())
    yield from _mapping("client: ", [f"{key}: {_value(value)}" for key, value in fit.client.items()], "  ")


def _group(fit: Calibration, group: Group) -> Iterator[str]:
    rates = fit.rates[group.name]
    blocking = BLOCKING[group.when_blocked if fit.mode == "sync" else ASYNC]
    rate, producers = f"{group.rate_per_s:.2f}", len(group.producers)
    yield from _comment(FittedTexts.GROUP(producers=producers, rate=rate, blocking=blocking), "  ")
    if len(rates) > 1:
        steps = ", ".join(f"{rate:.0f}/s from {first}s to {last}s" for first, last, rate in rates)
        yield from _comment(FittedTexts.LOAD_CHANGED(steps=steps), "  ")
    parts = [f"group: {name_text(group.name)}", f"count: {len(group.producers)}", f"threads: {group.threads}"]
    if fit.mode == "async":
        parts.append("mode: async")
    own = [rate / len(group.producers) for _, _, rate in rates] if len(rates) > 1 else [group.rate_per_s]
    parts.append(f"rate: {_rate(own[0])}")
    if len(rates) > 1:
        changes = [f"{first}s: {_rate(rate)}" for (first, _, _), rate in zip(rates[1:], own[1:], strict=True)]
        parts.append(f"rate_changes: {{{', '.join(changes)}}}")
    parts.append(f"arrivals: {group.arrivals}")
    if group.when_blocked is not None:
        parts.append(f"when_blocked: {group.when_blocked}")
    if len(fit.topics) > 1:
        parts.append(f"topics: {_weights(group.topics)}")
    yield from _mapping("  - ", parts, "     ")


def _rate(per_s: float) -> str:
    return format_rate(max(Fraction(round(per_s * 10**RATE_DIGITS), 10**RATE_DIGITS), Fraction(1, 10**RATE_DIGITS)))


def _weights(topics: dict[str, int]) -> str:
    """The topics alone if they are used alike, else with their part of the messages in percent."""
    total = sum(topics.values())
    names = sorted(topics)
    if max(topics.values()) * len(topics) <= 1.1 * total:
        return f"[{', '.join(map(name_text, names))}]"
    parts = (f"{name_text(name)}: {max(round(100 * topics[name] / total, 1), 0.1):g}" for name in names)
    return f"{{{', '.join(parts)}}}"


def _topic(fit: Calibration, name: str, topic: TopicFit) -> Iterator[str]:
    if not topic.queues_known:
        yield from _comment(FittedTexts.ASSUMED_QUEUES(), "  ")
    if topic.body_bytes is None:
        yield from _comment(FittedTexts.ASSUMED_SIZE(), "  ")
    size = f", message_bytes: {format_size(max(topic.body_bytes, 1))}" if topic.body_bytes is not None else ""
    counts = set(topic.queues.values())
    if len(counts) == 1:
        queues = f"queues: {counts.pop()}"
        everywhere = set(topic.queues) == set(fit.attempts.brokers)
        where = "" if everywhere else f", brokers: [{', '.join(map(name_text, topic.queues))}]"
    else:
        entries = [
            f"{{broker: {name_text(broker)}, read_queues: {count}, write_queues: {count}}}"
            for broker, count in topic.queues.items()
        ]
        queues, where = f"route: [{', '.join(entries)}]", ""
    yield f"  {name_text(name)}: {{{queues}{where}{size}}}"


def _brokers(brokers: dict[str, BrokerFit], load: dict[str, LoadSeen]) -> Iterator[str]:
    yield from _comment(FittedTexts.LATENCIES(threads=SEND_THREADS), "  ")
    for name, fit in brokers.items():
        answers = FittedTexts.ORDINARY_ANSWERS if fit.own else FittedTexts.FEW_ANSWERS
        yield from _comment(answers(answers=fit.answers), "  ")
        if name in load:
            yield from _comment(f"{load_text(load[name])}.", "  ")
        yield f"  {name_text(name)}:"
        yield "    latency:"
        yield from _mapping("      table: ", percentiles_texts(fit.latency_us), "        ")
        yield f"    send_threads: {SEND_THREADS}"
        if fit.drain_us:
            yield from _comment(FittedTexts.AFTER_HANGS(), "    ")
            yield f"    append: {{base: {format_duration(fit.drain_us)}}}"


def _faults(findings: tuple[FoundFault, ...], clock: Callable[[int], str] | None) -> Iterator[str]:
    if not findings:
        yield from _comment(FittedTexts.NO_FAULT())
        return
    yield from _comment(FittedTexts.INTERVALS())
    yield "faults:"
    for finding in findings:
        begin, end = finding.at_range_us, finding.until_range_us
        text = f"{finding.sure}: {finding.evidence}."
        if begin[1] - begin[0] > 2_000:
            text += FittedTexts.BEGAN(first=seconds(begin[0]), last=seconds(begin[1]))
        if end[1] - end[0] > 2_000:
            untried = FittedTexts.UNTRIED() if finding.has_open_end else ""
            text += FittedTexts.ENDED(first=seconds(end[0]), last=seconds(end[1]), untried=untried)
        if clock is not None:
            text += FittedTexts.BY_THE_CLOCK(at=clock(finding.at_us), until=clock(finding.until_us))
        if finding.kind == KILL:
            text += FittedTexts.MAYBE_A_RESTART()
        yield from _comment(text, "  ")
        parts = [f"at: {_time(finding.at_us)}", f"for: {_time(finding.until_us - finding.at_us)}"]
        parts += [f"broker: {name_text(finding.broker)}", f"kind: {finding.kind}"]
        if finding.kind == BUSY:
            parts.append(f"response_code: {CODE_NAMES.get(finding.value, finding.value)}")
        elif finding.kind == STATUS:
            parts.append(f"send_status: {STATUS_NAMES[finding.value]}")
        elif finding.kind == SLOW:
            parts.append(f"factor: {finding.value / 1_000_000:g}")
        yield from _mapping("  - ", parts, "     ")
