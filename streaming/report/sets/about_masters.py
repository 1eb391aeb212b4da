"""What elections of masters mean, in words: time without one, messages that a new one lacks, offsets twice or old."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pyarrow.dataset as ds

from simulator.causes.consequence import Consequence
from simulator.plan.failover.controller import NOBODY_LEADS
from simulator.plan.failover.failover_effects import set_histories
from simulator.plan.failover.role_stretches import Stretch, without_master
from simulator.plan.failover.set_history import Election, Epoch, SetHistory
from simulator.scenario import Scenario
from simulator.scenario.brokers.replica_set import DLEDGER
from simulator.units import some
from state.texts import Sentence
from streaming.clock import clock
from streaming.outputs.dataset import codes, numbers
from streaming.report.collected.fact_rows import FactRows
from streaming.report.findings.about_messages import Known
from streaming.report.texts.master_texts import MasterTexts

POLL_US = 31_000_000  # a client polls its route every 30 s
AFTER_US = 90_000_000  # for how long after it a group can be silent: two polls, and a pull that is held
BEFORE_US = 30_000_000
LEAST_US, TIMES = 3_000_000, 2  # a silence is the gap's from then on, and if it is so many times a usual one
MOST_NAMED = 3
NEAR_US = 5_000_000  # a group commits every 5 s


def seconds_without(broker: str, seconds: float) -> Sentence:
    """How long a set had no master."""
    return MasterTexts.WITHOUT_MASTER(broker=broker, seconds=seconds)


def exactly_without(one: Consequence, known: Known) -> Consequence:
    """The same from when to when nobody was master, where that was one time; else in the windows that it touches."""
    gap = _longest(one, known)
    if gap is None or len(one.spans) > 1:
        return one
    return replace(one, from_us=max(gap[0], one.from_us), until_us=min(gap[1], one.until_us))


def why_without(one: Consequence, known: Known) -> str:
    """Why a set had no master, and until when: of its longest gap."""
    scenario, gap = known.load.scenario, _longest(one, known)
    if scenario is None or gap is None:
        return ""
    own = scenario.brokers[one.place]
    if not own.is_elected:
        acts = own.is_acted_for and scenario.name_servers.support_acting_master
        if not acts:
            return MasterTexts.NOBODY_TAKES_OVER(mode=own.mode)
        return MasterTexts.SLAVE_ACTS() if own.slave_read_enable else MasterTexts.SLAVE_REFUSES()
    history = set_histories(scenario)[one.place]
    inside = [found for found in history.elections if gap[0] <= found.at_us <= gap[1]]
    nobody = [_why_nobody(history, found, own.mode == DLEDGER) for found in inside if not found.machine][:1]
    named = [
        MasterTexts.ELECTED(machine=each.machine, elected=clock(each.at_us), why=each.why)
        for each in inside
        if each.machine
    ][-1:]
    if not inside:
        return MasterTexts.ANSWERED_AGAIN()
    return "; ".join([*nobody, *(named or [MasterTexts.NONE_UNTIL_THE_END()])])


def _why_nobody(history: SetHistory, election: Election, is_dledger: bool) -> str:
    if election.why == NOBODY_LEADS:
        return MasterTexts.NO_CONTROLLER(at=clock(election.at_us))
    if is_dledger:
        return MasterTexts.NO_MAJORITY(at=clock(election.at_us))
    outside = [
        machine for machine in range(1, history.replicas + 1)
        if machine not in election.sync and history.state_of(machine, election.at_us) is None
    ]  # fmt: skip
    there = MasterTexts.NOT_IN_SYNC(machines=_listed(outside)) if outside else ""
    return MasterTexts.NOBODY_OF_THE_SYNC_SET(machines=_listed(election.sync), outside=there)


def _listed(machines: Sequence[int]) -> str:
    return ", ".join(map(str, machines))


def who_noticed(one: Consequence, known: Known) -> str:
    """What the producers and the consumer groups of a broker met while its set had no master, and who met nothing.

    "" where rows of then were removed.
    """
    gap = _longest(one, known)
    if gap is None or gap[0] < known.data.output.removed_before_us:
        return ""
    met, nothing = [], []
    for group, text in (*_of_producers(one.place, gap, known), *_of_consumers(one.place, gap, known)):
        if text:
            met.append(text)
        else:
            nothing.append(group)
    more = [MasterTexts.MORE_GROUPS(count=len(met) - MOST_NAMED)] if len(met) > MOST_NAMED else []
    unseen = [MasterTexts.MET_NOTHING(groups=" and ".join(nothing[:MOST_NAMED]))] if nothing else []
    return "; ".join([*met[:MOST_NAMED], *more, *unseen])


def _longest(one: Consequence, known: Known) -> Stretch | None:
    scenario = known.load.scenario
    gaps = [] if scenario is None else without_master(scenario).get(one.place, [])
    own = [gap for gap in gaps if gap[0] < one.until_us and gap[1] > one.from_us]
    return max(own, key=lambda gap: gap[1] - gap[0], default=None)


def _of_producers(broker: str, gap: Stretch, known: Known) -> Iterator[tuple[str, str]]:
    """Each group that uses a broker: attempts there that failed, and messages that failed with them; "" of none."""
    facts, number = known.facts, known.load.names.index(broker)
    tried, sent = facts.attempts, facts.messages
    in_gap = (tried["begin_us"] >= gap[0]) & (tried["begin_us"] < gap[1] + POLL_US)
    tried = tried.of((tried["broker"] == number) & in_gap)
    bad = sent.of(sent["bad"].astype(bool) & np.isin(sent["key"], tried["key"]))
    for place, group in enumerate(known.load.groups):
        if len(facts.count) > place and not facts.count[place, number].any():
            continue
        attempts = int((tried["group"] == place).sum()) * facts.modulus
        failed = int(bad["weight"][bad["group"] == place].sum()) * facts.modulus
        vain, messages = some(attempts, "attempt"), some(failed, "message")
        text = MasterTexts.ATTEMPTS_FAILED(attempts=vain, group=group)
        if failed:
            text = MasterTexts.MESSAGES_FAILED(attempts=vain, group=group, messages=messages, vain=attempts)
        yield group, text if attempts else ""


def _of_consumers(broker: str, gap: Stretch, known: Known) -> Iterator[tuple[str, str]]:
    """Each consumer group that reads from a broker: how long it consumed nothing of it; "" where that is usual.

    Of a silence it says for how long there was nothing to consume: what no master stores nobody waits for.
    """
    output = known.data.output
    groups = {name: place for place, name in enumerate(output.about.get("consumer_groups", ()))}
    window_us = int(output.about["window_us"])
    from_us = max(gap[0] - BEFORE_US, 0) // window_us * window_us
    bins = (min(gap[1] + AFTER_US, output.end_us) - from_us) // window_us
    if not groups or bins < 1 or from_us < output.removed_before_us:
        return
    counts, waiting = np.zeros((2, len(groups), bins), np.int64)
    own = (ds.field("broker") == broker) & (ds.field("window_start_us") >= from_us)
    for batch in output.batches("stored", ["consumer_group", "window_start_us", "consumed", "lag"], own):
        windows = (numbers(batch.column("window_start_us")) - from_us) // window_us
        inside = windows < bins
        cells = codes(batch.column("consumer_group"), groups)[inside], windows[inside]
        np.add.at(counts, cells, numbers(batch.column("consumed"))[inside])
        np.add.at(waiting, cells, numbers(batch.column("lag"))[inside])
    first, last = (int((at_us - from_us) // window_us) for at_us in gap)
    for name, place in groups.items():
        if counts[place].any():
            runs = list(_empty_runs(counts[place]))
            usual = max((until - begin for begin, until in runs if until <= first), default=0)
            in_gap = [run for run in runs if run[1] > first and run[0] <= last + 1]
            begin, until = max(in_gap, key=lambda run: run[1] - run[0], default=(0, 0))
            is_long = (until - begin) * window_us >= LEAST_US and until - begin > TIMES * usual
            idle = int((waiting[place, begin:until] == 0).sum())
            yield name, _silence(name, until - begin, idle, window_us / 1e6) if is_long else ""


def _silence(group: str, bins: int, idle: int, bin_s: float) -> Sentence:
    """How long a group consumed nothing; in `idle` bins of that it had consumed all there was."""
    if idle == bins:
        return MasterTexts.NOTHING_TO_CONSUME(group=group, seconds=bins * bin_s)
    text = MasterTexts.CONSUMED_NOTHING(group=group, seconds=bins * bin_s)
    return MasterTexts.NOTHING_LEFT(silence=text, seconds=idle * bin_s) if idle else text


def _empty_runs(counts: np.ndarray) -> Iterator[tuple[int, int]]:
    """Runs [begin, until) of bins without anything, in order."""
    edges = np.flatnonzero(np.diff(np.r_[False, counts == 0, False]))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def what_it_lacked(rows: FactRows, known: Known) -> str:
    """The election after which those lost messages were on no machine: "" where one does not explain them all."""
    brokers = np.unique(rows["broker"]).tolist()
    history = _history(known, known.load.names[brokers[0]]) if len(brokers) == 1 and brokers[0] >= 0 else None
    if history is None:
        return ""
    first_us, last_us = int(rows["end_us"].min()), int(rows["end_us"].max())
    for before, epoch in _takeovers(history):
        if first_us <= before.ends_us:
            is_whole = last_us <= before.ends_us
            text = MasterTexts.HAD_NO_COPY(machine=epoch.machine, elected=clock(epoch.begins_us))
            return text if is_whole else ""
    return ""


def where_it_skipped(one: Consequence, known: Known) -> str:
    """The sets whose new master gave offsets out again that a group had read, "" where it skipped for other reasons.

    "" too where no window from before it is left: what a group skipped is counted from the start.
    """
    output, found = known.data.output, []
    if output.removed_before_us and one.from_us - int(output.about["window_us"]) < output.removed_before_us:
        return ""
    own = (ds.field("consumer_group") == one.place) & (ds.field("window_start_us") < one.until_us)
    least, most = dict[str, int](), dict[str, int]()
    sums: dict[tuple[str, int], int] = {}
    for batch in output.batches("stored", ["broker", "window_start_us", "skipped"], own):
        for row in batch.to_pylist():
            key = row["broker"], row["window_start_us"]
            sums[key] = sums.get(key, 0) + int(row["skipped"] or 0)
    for (broker, at_us), count in sums.items():
        if at_us < one.from_us:
            least[broker] = max(least.get(broker, 0), count)
        most[broker] = max(most.get(broker, 0), count)
    for broker, count in most.items():
        history = _history(known, broker) if count > least.get(broker, 0) else None
        begun = [] if history is None else [e for _, e in _takeovers(history) if e.begins_us < one.until_us]
        if begun:
            found.append(MasterTexts.OF_BROKER(broker=broker, elected=clock(begun[-1].begins_us)))
    if not found:
        return ""
    masters = "master" if len(found) == 1 else "masters"
    return MasterTexts.OFFSETS_AGAIN(masters=masters, elections=" and ".join(found))


def where_offsets_were_old(one: Consequence, known: Known) -> str:
    """The sets whose new master began with offsets of a group that it had copied before, "" where none did."""
    found = []
    for broker in known.load.names:
        history = _history(known, broker)
        for _, epoch in () if history is None else _takeovers(history):
            if one.from_us - AFTER_US < epoch.begins_us < one.until_us:
                behind = _behind(broker, one.place, epoch.begins_us, known)
                began = MasterTexts.OFFSETS_BEHIND(
                    broker=broker, elected=clock(epoch.begins_us), messages=some(behind, "message")
                )
                found += [began] if behind else []
    return " and ".join(found)


def _behind(broker: str, group: str, at_us: int, known: Known) -> int:
    """By how many messages the offsets that a group had committed at a broker went back at a moment."""
    own = (ds.field("consumer_group") == group) & (ds.field("broker") == broker)
    own &= (ds.field("window_start_us") > at_us - NEAR_US) & (ds.field("window_start_us") < at_us + NEAR_US)
    before, after = dict[tuple[str, int], int](), dict[tuple[str, int], int]()
    for batch in known.data.output.batches("stored", ["topic", "queue_id", "window_start_us", "committed_offset"], own):
        for row in batch.to_pylist():
            queue, offset = (row["topic"], row["queue_id"]), row["committed_offset"]
            if offset is not None and row["window_start_us"] < at_us:
                before[queue] = max(before.get(queue, 0), offset)
            elif offset is not None:
                after[queue] = min(after.get(queue, offset), offset)
    return sum(max(before[queue] - offset, 0) for queue, offset in after.items() if queue in before)


def _history(known: Known, broker: str) -> SetHistory | None:
    scenario: Scenario | None = known.load.scenario
    return None if scenario is None else set_histories(scenario).get(broker)


def _takeovers(history: SetHistory) -> Iterator[tuple[Epoch, Epoch]]:
    """Each epoch that another machine begins, after the one before it."""
    for before, epoch in zip(history.epochs, history.epochs[1:], strict=False):
        if before.machine != epoch.machine:
            yield before, epoch
