"""A hunt: the worst schedule of faults for a scenario."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sendlab.given import NO_CHANGES, Changes, Given, scenario_given
from streaming.terminal.output_console import OutputConsole as Console

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from streaming.hunt.run_hunt import HuntResult


def hunt(
    scenario: Given,
    *,
    objective: Sequence[str] = (),
    schedules: int = 256,
    at_most: int = 2,
    seed: int = 1,
    out: str | Path | None = None,
    set: Changes = NO_CHANGES,
    fresh: bool = False,
    spark: SparkSession | None = None,
) -> HuntResult:
    """Search for schedules of faults under which a scenario misses its objectives, in threads of this process.

    `objective`: default nothing lost, skipped or deleted unread; `out`: a folder for cases and page, and to resume
    from, by default none; `spark`: a session whose workers run the schedules instead. Raises ScenarioError, InputError
    and EnvironmentProblem.

        [case.sentence for case in sendlab.hunt("quickstart", objective=["lost == 0"]).cases]
    """
    from simulator.hunt.hunt_file import hunt_of, load_rates
    from streaming.hunt.hunt_command import RATES
    from streaming.hunt.hunt_page import write_hunt_page
    from streaming.hunt.run_hunt import HuntAsked, run_hunt
    from streaming.installation.conf_files import conf_folder
    from streaming.options.engine_choice import PLAIN, SPARK

    loaded = hunt_of(
        scenario_given(scenario, set), load_rates(conf_folder() / RATES), objectives=objective, most=at_most
    )
    engine = PLAIN if spark is None else SPARK
    asked = HuntAsked(schedules=schedules, seed=seed, fresh=fresh, processes=False, engine=engine, spark=spark)
    folder = None if out is None else Path(out)
    result = run_hunt(loaded, asked, folder, Console(quiet=True))
    if folder is not None:
        write_hunt_page(result, folder)
    if result.problem is not None:
        raise result.problem
    return result
