"""Stories with overlapping causes: the first finding names the one that the tables show, and nothing else is blamed.

What is true is computed here, from the rows of `sends` and `attempts` alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import pytest

from simulator.run.simulate import simulate
from simulator.scenario import load_scenario, parse_scenario
from streaming.report.collected.data import collect
from streaming.report.findings.ranked import findings
from tests.says import Says
from tests.streaming.report.pure_output import write_output

OFF = "release: 4.9.8"
ON = f"{OFF}, send_latency_fault_enable: true"
SHOP = "{group: shop, count: 20, threads: 2, rate: 20/s}"
FAST = "latency: {constant: 2ms}"


@dataclass(frozen=True)
class Story:
    """A scenario, the kind of its first finding, and what it must blame; `decoys`: what it must not."""

    kind: str
    blamed: tuple[str, ...]
    faults: str = ""
    client: str = OFF
    producers: str = SHOP
    brokers: tuple[str, ...] = (FAST, FAST, FAST)
    topics: str = "{orders: {queues: 4}}"
    decoys: tuple[str, ...] = ()
    broker: str = ""

    @property
    def scenario(self):
        names = ("broker-a", "broker-b", "broker-c", "broker-d")
        lines = [f"  {name}: {{{broker}}}" for name, broker in zip(names, self.brokers, strict=False)]
        return parse_scenario(
            f"name: story\nseed: 5\nduration: 100s\nclient: {{{self.client}}}\nproducers: {self.producers}\n"
            f"topics: {self.topics}\nbrokers:\n" + "\n".join(lines) + f"\nfaults: [{self.faults}]\n"
        )


def rises(group="shop", at="50s", to="90/s", threads=2, rate="20/s"):
    return f"{{group: {group}, count: 20, threads: {threads}, rate: {rate}, rate_changes: {{{at}: {to}}}}}"


STORIES = {
    "busy beside refused": Story(
        "failed", ("broker-a answers SYSTEM_BUSY",), broker="broker-a", decoys=("refuses",),
        faults="{at: 40s, for: 7s, broker: broker-a, kind: code, response_code: SYSTEM_BUSY},"
        "{at: 40s, for: 40s, broker: broker-b, kind: refuse}",
    ),
    "a rate that rises, and no fault": Story(
        "waits", ("the rate of shop rose from 20/s to 90/s at 0:50",), producers=rises(threads=1),
        brokers=("latency: {constant: 15ms}, send_threads: 64",) * 3, decoys=("(F",),
    ),
    "a rate that rises beside a mild fault": Story(
        "waits", ("the rate of shop rose from 20/s to 90/s at 0:50",), producers=rises(threads=8),
        faults="{at: 45s, for: 40s, broker: broker-b, kind: packet_loss, probability: 0.0005}", decoys=("packets",),
        brokers=("latency: {constant: 8ms}, send_threads: 4",) * 3,
    ),
    "power loss, then a hang": Story(
        "lost", ("broker-b loses power",), client=ON, broker="broker-b", decoys=("hangs",),
        faults="{at: 40s, for: 30s, broker: broker-b, kind: power_loss},"
        "{at: 40s, for: 20s, broker: broker-a, kind: hang}",
    ),
    "a lost disk under a rate that rises": Story(
        "lost", ("broker-c loses its disk",), client=ON, broker="broker-c", decoys=("rate of", "packets"),
        producers=rises(to="40/s"),
        faults="{at: 55s, for: 20s, broker: broker-c, kind: disk_loss},"
        "{at: 45s, for: 20s, broker: broker-a, kind: packet_loss, probability: 0.05}",
    ),
    "one-way messages in two faults": Story(
        "lost_unseen", ("broker-b answers SYSTEM_ERROR",), broker="broker-b", decoys=("slow",),
        producers="{group: shop, count: 20, mode: oneway, threads: 2, rate: 20/s}",
        faults="{at: 40s, for: 20s, broker: broker-b, kind: code, response_code: SYSTEM_ERROR},"
        "{at: 30s, for: 50s, broker: broker-a, kind: slow, factor: 3}",
    ),
    "an outage of one of two groups": Story(
        "failed", ("broker-a is killed", "of web failed"), broker="broker-a", decoys=("slow", "bill"),
        producers="[{group: web, count: 5, rate: 20/s, topics: [orders]}, "
        "{group: bill, count: 35, rate: 10/s, topics: [bills]}]",
        topics="{orders: {queues: 4, brokers: [broker-a]}, bills: {queues: 4, brokers: [broker-b, broker-c]}}",
        faults="{at: 40s, for: 20s, broker: broker-a, kind: kill}, {at: 40s, for: 30s, broker: broker-c, kind: slow, "
        "factor: 3}",
    ),
    "a partition of one group": Story(
        "failed", ("broker-b for web is cut off", "of web failed"), client=ON, broker="broker-b", decoys=("packets",),
        producers="[{group: web, count: 10, rate: 20/s}, {group: bill, count: 10, rate: 20/s}]",
        faults="{at: 40s, for: 30s, broker: broker-b, producers: web, kind: partition},"
        "{at: 40s, for: 30s, broker: broker-c, kind: packet_loss, probability: 0.02}",
    ),
    "load that moved to the others": Story(
        "waits", ("the load of broker-b moved there", "broker-b is killed"), decoys=("rate of",),
        producers="{group: shop, count: 20, threads: 8, rate: 50/s}",
        brokers=("latency: {constant: 8ms}, send_threads: 4",) * 3,
        faults="{at: 40s, for: 30s, broker: broker-b, kind: kill}",
    ),
    "a broker without room beside a hang": Story(
        "failed", ("broker-c was asked for", "and can serve 160/s"), broker="broker-c",
        producers="{group: shop, count: 20, threads: 8, rate: 30/s}",
        brokers=(FAST, FAST, "latency: {constant: 25ms}, send_threads: 4"),
        faults="{at: 60s, for: 3s, broker: broker-a, kind: hang}",
    ),
    "messages that are never sent": Story(
        "never_sent", ("the rate of shop rose from 20/s to 90/s at 0:30",), decoys=("slow",),
        producers="{group: shop, count: 20, threads: 1, rate: 20/s, when_blocked: skip, rate_changes: {30s: 90/s}}",
        brokers=("latency: {constant: 15ms}, send_threads: 64",) * 3,
        faults="{at: 60s, for: 5s, broker: broker-b, kind: slow, factor: 10}",
    ),
    "restarts that retries hide": Story(
        "retries", ("4 brokers restart, 4 faults",), client=ON, brokers=(FAST,) * 4,
        faults=", ".join(
            f"{{at: {15 + 20 * place}s, for: 12s, broker: broker-{letter}, kind: restart}}"
            for place, letter in enumerate("abcd")
        ),
    ),
    "asynchronous, dead beside busy": Story(
        "failed", ("broker-a answers SYSTEM_BUSY",), broker="broker-a", decoys=("slow",),
        producers="{group: shop, count: 20, mode: async, threads: 2, rate: 20/s}",
        faults="{at: 45s, for: 20s, broker: broker-a, kind: code, response_code: SYSTEM_BUSY},"
        "{at: 40s, for: 40s, broker: broker-b, kind: slow, factor: 5}",
    ),
    "a closed loop, slow beside a hang": Story(
        "failed", ("broker-b hangs",), broker="broker-b", decoys=("slow",),
        producers="{group: shop, count: 20, threads: 4, arrivals: closed, think: 40ms}",
        faults="{at: 40s, for: 20s, broker: broker-b, kind: hang},"
        "{at: 30s, for: 50s, broker: broker-a, kind: slow, factor: 2}",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def text_of(tmp_path_factory):
    """The findings of a story, and the rows that they are of; each story is simulated once."""
    known = {}

    def of(scenario):
        if (digest := scenario.digest()) not in known:
            result = simulate(scenario)
            found = findings(collect(write_output(tmp_path_factory.mktemp("story"), result)))
            known[digest] = found, result.sends.to_pandas(), result.attempts.to_pandas(), result.events["skipped"]
        return known[digest]

    return of


def rows_of(kind, sends):
    """The messages of a kind, from their own columns."""
    one_way = sends["mode"] == "oneway"
    chosen = {
        "lost": sends["acknowledged"] & (sends["copies_kept"] == 0),
        "lost_unseen": one_way & (sends["result"] == "SENT_ONEWAY") & (sends["copies_kept"] == 0),
        "failed": ~sends["result"].isin(["SEND_OK", "SENT_ONEWAY"]),
    }
    return sends[chosen[kind]]


def worst_kind(sends, skipped):
    """The worst kind that the rows show."""
    found = [kind for kind in ("lost", "lost_unseen", "failed") if len(rows_of(kind, sends))]
    return found[0] if found else "never_sent" if skipped else ""


def broker_of(kind, rows, attempts):
    """Where the messages were stored that are lost, or where the last attempts failed of those that failed."""
    if kind != "failed":
        return rows["broker"].mode()[0]
    key = ["producer", "thread", "topic", "send_seq"]
    failed = attempts[~attempts["outcome"].isin(["SEND_OK", "SENT_ONEWAY"])].merge(rows[key], on=key)
    took = (
        failed.assign(took=failed["end_us"] - failed["begin_us"]).sort_values("took").groupby(key, observed=True).last()
    )
    return took["broker"].mode()[0]


@pytest.mark.parametrize("name", STORIES)
def test_the_first_finding_names_the_cause_that_the_tables_show(text_of, name):
    story = STORIES[name]
    found, sends, attempts, skipped = text_of(story.scenario)
    first, worst = found[0], worst_kind(sends, skipped)
    assert first.kind == story.kind
    assert story.kind in ("waits", "retries") if worst == "" else story.kind == worst
    assert all(blamed in first.text for blamed in story.blamed), first.text
    assert not [decoy for decoy in story.decoys if decoy in first.text.partition(" more: ")[0]], first.text
    if worst in ("lost", "lost_unseen", "failed"):
        rows = rows_of(worst, sends)
        assert broker_of(worst, rows, attempts) == story.broker
        of_kind = [one for one in found if one.kind == worst]
        assert first.size >= 0.5 * len(rows)
        assert sum(one.size for one in of_kind) <= len(rows)


@pytest.mark.parametrize("name", [name for name, story in STORIES.items() if story.kind == "failed"])
def test_most_is_said_of_a_result_that_more_than_half_have(text_of, name):
    found, sends, _, _ = text_of(STORIES[name].scenario)
    results = rows_of("failed", sends)["result"].value_counts(normalize=True)
    for one in (one for one in found if one.kind == "failed"):
        assert "most (" not in one.text or results.iloc[0] > 0.5 or len([o for o in found if o.kind == "failed"]) > 1


def test_the_quickstart(text_of, root):
    found, sends, attempts, _ = text_of(load_scenario(root / "conf" / "scenarios" / "quickstart.yaml"))
    failed = rows_of("failed", sends)
    assert set(failed["result"]) == {"RemotingTooMuchRequestException"}
    assert broker_of("failed", failed, attempts) == "broker-b"
    assert found[0].text == Says(
        "finding.failed", messages=f"{len(failed)} messages", verb="failed", share="0.033 %", whole=len(sends),
        results="all with RemotingTooMuchRequestException",
    )  # fmt: skip
    assert found[0].cause == "broker-b hangs (F1, 1:00 to 2:00)"


@pytest.mark.parametrize("producers", [SHOP, "{group: shop, count: 20, rate: 40/s, rate_changes: {50s: 10/s}}"])
def test_where_nothing_goes_wrong_nothing_is_found(text_of, producers):
    assert text_of(Story("", (), producers=producers).scenario)[0] == []


def test_a_fault_that_nobody_felt_is_never_blamed(text_of):
    story = Story("", (), faults="{at: 40s, for: 40s, broker: broker-b, kind: slow, factor: 1.2}")
    assert text_of(story.scenario)[0] == []


def test_waits_end_when_the_tables_say_so(text_of):
    story = STORIES["a rate that rises, and no fault"]
    found, sends, _, _ = text_of(story.scenario)
    begun = pd.Series(sends["begin_us"] - sends["arrival_us"])
    late = sends["arrival_us"][begun > 1_000_000]
    assert found[0].from_us <= late.min() <= found[0].from_us + 5_000_000
    assert found[0].until_us >= late.max()
