"""What a hunt gives back to Python."""

from simulator.hunt.fault_template import read_template
from simulator.hunt.goal import parse_goal
from simulator.hunt.hunt_file import LoadedHunt
from simulator.hunt.space import space_of
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
