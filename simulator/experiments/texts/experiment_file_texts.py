"""What is printed about the file of an experiment."""

from __future__ import annotations

from state.texts import Text


class ExperimentFileTexts:
    """What is printed about the file of an experiment."""

    ARMS_AND_GRID = Text("arms and grid exclude each other; keep one")
    ARMS_EXPECTED = Text("expected at least one arm such as {{new: {{client.release: 5.3.3}}}}, got {got}")
    A_GRID = Text("lists of values by key, such as {{client.release: [4.9.8, 5.3.3]}}")
    CHANGES_EXPECTED = Text("expected keys of the scenario with values, such as {{client.release: 5.3.3}}, got {got}")
    GIVEN_TWICE = Text("{value} is given twice")
    JUDGED_EXPECTED = Text("expected {all} or a list of arms such as [new], got {got}")
    MEASURE_OF_ONE = Text("{name} is measured by {whose}; name one, such as {same}")
    NOTHING_TO_RUN = Text("missing; expected arms, a grid or something to find")
    NOT_MEASURABLE = Text("no run can measure {name}: {why}")
    NO_ARM_HAS_IT = Text("no arm has a measure {measure}")
    NO_MEASURE = Text("expected at least one measure such as p99_ms: 2%")
    NO_OBJECTIVE = Text("expected at least one objective, got an empty list")
    OBJECTIVES_EXPECTED = Text('expected a list such as ["p99_ms < 200"], got {got}')
    OBJECTIVE_EXPECTED = Text(
        "expected a measure, one of <, <=, >, >= and ==, and a number without a unit, such as p99_ms < 200, got {got}"
    )
    ONE_END = Text("expected one of smallest and largest with a key of the scenario")
    RANGE_EXPECTED = Text("expected a range such as 2..30 or 100/s..900/s, got {got}")
    RISING_RANGE_EXPECTED = Text("expected a range that rises, such as 2..30, got {got}")
    RUNS_EXPECTED = Text("expected the most runs of an arm, a whole number from 2 to {most}, got {got}")
    SEED_OF_AN_ARM = Text("all arms share their seeds, so that runs are paired; set seed for all of them, and seeds")
    SEEDS_AND_PRECISION = Text("seeds and precision exclude each other; give the most runs in precision")
    SET_BY_EVERY_ARM = Text("every arm sets this key itself, so it would change nothing")
    STEP_EXPECTED = Text("expected a distance above 0 such as {example}, got {got}")
    STEP_TOO_LARGE = Text("expected at most the range's length, {length:g}{unit}")
    TOO_MANY_ARMS = Text("expected at most {most:,} arms, got {got:,}")
    TOO_MANY_VALUES = Text("expected at most {most:,} values to search, got {count:,}; take a larger step")
    WARM_UP_TOO_LONG = Text("expected less than the duration, {duration}, got {got}")
    WIDTHS_EXPECTED = Text("expected widths by measure such as {{p99_ms: 2%, runs: 200}}, got {got}")
    WIDTH_EXPECTED = Text("expected half a width above 0 such as 0.5, or of the mean such as 2%, got {got}")
