"""A run without Spark, from a file or a scenario, all tables or some."""

from __future__ import annotations

import pytest

from simulator.run import driver
from simulator.run.simulate import simulate, usual_tables
from simulator.scenario import ScenarioError
from tests.says import Says, raises
from tests.simulator.hashed import hashes_of
from tests.simulator.small import fault, ran, rows, scenario_of, text_of

CHANGES = {"duration": "6s", "producers": {"count": 3, "rate": "50/s"}, "faults": [fault("hang", "2s", "2s")]}


def test_a_file_gives_the_rows_of_its_scenario(tmp_path):
    file = tmp_path / "small.yaml"
    file.write_text(text_of(**CHANGES))
    assert hashes_of(simulate(file).tables) == hashes_of(ran(**CHANGES).tables)


def test_the_same_seed_gives_the_same_rows_and_another_seed_others():
    first, again, other = (hashes_of(ran(**CHANGES, seed=seed).tables) for seed in (5, 5, 6))
    assert first == again
    assert not set(first.values()) & set(other.values())


def test_windows_stepped_together_give_the_rows_of_windows_stepped_alone(monkeypatch):
    together = hashes_of(ran(**CHANGES).tables)
    monkeypatch.setattr(driver, "ARRIVALS_A_STEP", 1)
    assert hashes_of(ran(**CHANGES).tables) == together


def test_a_full_table_is_emptied_and_goes_on(monkeypatch):
    """Room for a few rows only: the loop stops at a full table and takes up where it was."""
    wanted = hashes_of(ran(**CHANGES).tables)
    monkeypatch.setattr("simulator.run.cell.ROOM", {"attempts": 3, "sends": 2, "fault_items": 1, "windows": 1})
    assert hashes_of(ran(**CHANGES).tables) == wanted


def test_only_the_tables_asked_for_are_there():
    result = simulate(scenario_of(), tables=["sends"])
    assert list(result.tables) == ["sends"]
    assert result.sends.num_rows == 20


def test_an_unknown_table_is_named_with_the_known_ones():
    with raises(ValueError, Says("reading.not-known", what="table", name="send", near="sends")):
        simulate(scenario_of(), tables=["send"])


BILLING = {"consumers": {"billing": {"topic": "orders", "service": "1ms"}}}
RETRIES, TRANSACTIONS = {"delays", "retries"}, {"transactions", "transaction_windows", "check_backs"}


@pytest.mark.parametrize(
    ("changes", "later"),
    [
        (BILLING, set()),
        ({"consumers": {"billing": BILLING["consumers"]["billing"] | {"fails": 0.1}}}, RETRIES),
        (BILLING | {"faults": [{"at": "1s", "for": "1s", "consumer": "billing", "kind": "fail"}]}, RETRIES),
        (BILLING | {"producers": {"count": 1, "rate": "1/s", "delay": {"level": 3}}}, {"delays"}),
        (BILLING | {"producers": {"count": 1, "rate": "1/s", "transaction": {"local": "1ms"}}}, TRANSACTIONS),
    ],
    ids=["plain", "fails", "fault", "delayed", "transactional"],
)
def test_a_table_that_a_scenario_cannot_fill_is_not_there(changes, later):
    assert set(usual_tables(scenario_of(**changes))) & (RETRIES | TRANSACTIONS) == later


def test_a_run_without_messages_has_empty_tables_and_all_its_windows():
    result = ran(producers={"rate": "1/h", "arrivals": "poisson"}, duration="3s")
    assert (result.sends.num_rows, result.attempts.num_rows, len(rows(result, "windows"))) == (0, 0, 9)


def test_another_name_changes_the_run_and_not_the_rows():
    one, other = ran(**CHANGES, name="One"), ran(**CHANGES, name="Two!")
    digest = one.plan.digest
    assert (one.plan.run, other.plan.run, other.plan.digest) == (f"one-{digest[:8]}", f"two-{digest[:8]}", digest)
    assert hashes_of(one.tables) == hashes_of(other.tables)


def test_a_seed_and_changes_are_taken_as_the_command_line_takes_them():
    changed = simulate(scenario_of(**CHANGES), seed=5, overrides={"producers.producers.rate": "20/s", "duration": "3s"})
    assert (changed.scenario.seed, changed.sends.num_rows) == (5, 180)
    assert hashes_of(changed.tables) == hashes_of(
        ran(**CHANGES | {"seed": 5, "duration": "3s", "producers": {"count": 3, "rate": "20/s"}}).tables
    )


def test_changes_may_be_plain_values(tmp_path):
    file = tmp_path / "small.yaml"
    file.write_text(text_of())
    overrides = {"client.retry_times_when_send_failed": 0, "brokers.a": {"latency": {"constant": "5ms"}}}
    scenario = simulate(file, overrides=overrides).scenario
    assert scenario.client.retry_times_when_send_failed == 0
    assert scenario.brokers["a"].latency.constant_us == 5_000


def test_a_result_is_shown_in_a_few_lines():
    assert repr(simulate(scenario_of(), tables=["sends", "attempts"])).splitlines() == [
        "<Result of small, seed 3, 2 s",
        "  sends: 20 rows",
        "  attempts: 20 rows>",
    ]


@pytest.mark.parametrize(
    ("overrides", "sentence"),
    [
        ({"client.releas": "5.3.3"}, Says("reading.unknown-meant", "--set client.releas", near="release")),
        ({"seed": object()}, Says("field.expected", "--set seed", low=0, high=9223372036854775807)),
    ],
)
def test_a_wrong_change_is_one_sentence(overrides, sentence):
    with raises(ScenarioError, sentence):
        simulate(scenario_of(), overrides=overrides)


def test_a_result_has_a_summary_that_adds_up():
    result = ran(**CHANGES)
    summary = result.summary()
    assert summary.total.messages == result.sends.num_rows == 900
    assert sum(broker.attempts for broker in summary.brokers) == result.attempts.num_rows
    assert summary.events["generated"] == result.events["generated"]
    assert not summary.contradictions


def test_a_result_has_a_report(tmp_path):
    path = ran(**CHANGES).report(tmp_path / "mine.html")
    assert path == tmp_path / "mine.html"
    assert "small" in path.read_text()
    assert [file.name for file in tmp_path.iterdir()] == ["mine.html"]


def test_without_a_package_that_shows_results_there_is_a_sentence(monkeypatch):
    monkeypatch.setattr("simulator.run.views.result_views.VIEWS", "sendlab.nobody")
    with raises(LookupError, Says("result.no-view", view="summary", group="sendlab.nobody")):
        ran().summary()


@pytest.mark.parametrize("arrivals", ["steady", "uniform", "poisson"])
def test_a_load_of_zero_stops_and_begins_again(arrivals):
    changes = {"1s": "0/s", "3s": "50/s"}
    result = ran(duration="4s", producers={"rate": "50/s", "arrivals": arrivals, "rate_changes": changes})
    arrived = result.column("sends", "arrival_us") // 1_000_000
    assert set(arrived.tolist()) == {0, 3}
    assert 60 < len(arrived) < 140
