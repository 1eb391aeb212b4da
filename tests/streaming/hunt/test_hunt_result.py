"""What a hunt gives back to Python."""

from simulator.hunt.cases.found_case import FoundCase
from simulator.hunt.fault_template import read_template
from simulator.hunt.goal import parse_goal
from simulator.hunt.hunt_file import LoadedHunt
from simulator.hunt.schedule import Schedule
from simulator.hunt.space import example, space_of
from streaming.hunt.corpus import add_to_corpus
from streaming.hunt.hunt_page import hunt_html
from streaming.hunt.run_hunt import HuntAsked, run_hunt
from streaming.terminal.output_console import OutputConsole as Console
from tests.simulator.small import scenario_of


def test_it_is_shown_as_its_cases_a_line_each():
    small = scenario_of(duration="30s", producers={"count": 2})
    hang = read_template({"kind": "hang", "broker": "each", "for": "5s..20s", "a_year": 3})
    hunt = LoadedHunt("hangs", small, (parse_goal("p999_ms < 1000"),), space_of(small, [hang], most=1))
    found = run_hunt(hunt, HuntAsked(schedules=8, processes=False, cores=1), None, Console(quiet=True))
    first, *cases = repr(found).splitlines()
    assert first == f"<Hunt of {small.name}: schedules 8, cases 1"
    assert [case.strip() for case in cases] == [f"{found.cases[0].sentence}>"]


def test_of_what_the_scenario_misses_by_itself_nothing_is_said_to_hold(tmp_path):
    small = scenario_of(duration="30s", producers={"count": 2})
    hang = read_template({"kind": "hang", "broker": "each", "for": "5s..20s"})
    goals = (parse_goal("p999_ms < 0.001"), parse_goal("copies_per_message < 9"))
    hunt = LoadedHunt("hangs", small, goals, space_of(small, [hang], most=1))
    case = FoundCase(1, hunt.goals[0], example(hunt.space, small.to_yaml()), {"p999_ms": 9.0}, 0, ())
    assert add_to_corpus(tmp_path, [case]) == 1
    asked = HuntAsked(schedules=8, processes=False, cores=1, corpus=tmp_path)
    found = run_hunt(hunt, asked, None, Console(quiet=True))
    assert list(found.corpus.values()) == ["missed"]
    assert "not known" in hunt_html(found, tmp_path).replace("\xa0", " ")


def test_a_setting_that_misses_without_a_fault_is_kept_in_the_corpus(tmp_path):
    calm, alone = (
        FoundCase(1, parse_goal("lost == 0"), Schedule((), settings), {"lost": 3.0}, 0, ())
        for settings in ((), (("brokers.a.threads", 1),))
    )
    assert [add_to_corpus(tmp_path, [case]) for case in (calm, alone)] == [0, 1]
