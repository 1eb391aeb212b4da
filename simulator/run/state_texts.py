"""Why a run cannot be stepped, or go on from a state, or an arm from the state of a job."""

from __future__ import annotations

from state.texts import Text


class RunStateTexts:
    """Why a run cannot go on from a state, or an arm from the state of a job."""

    NO_CONSUMERS = Text("the run has no consumers that the arm's could go on from")
    NO_ROOM = Text("more rows than there is room for: step with tables, or fewer events at a time")
    OTHER_BROKERS = Text("the arm has other brokers or sender threads than the run")
    OTHER_COUNTERS = Text("the counters of the state have {rows} {rows:row|rows}, this scenario has {expected}")
    OTHER_GROUPS = Text("the arm has other consumer groups or instances than the run")
    OTHER_NUMBERS = Text("the arm's {what} are {count} {count:number|numbers}, those of the run {before}")
    OTHER_RECORDING = Text("the state is of run {state}, this replay is of recording {recording}")
    OTHER_SCENARIO = Text("the state is of scenario {state}, this run is of scenario {scenario}")
    OTHER_SIZE = Text("the arm's consumers have {what} of another size than the run's")
    OTHER_THRESHOLD = Text("the arm's consumers have another pull_threshold_for_queue than the run's")
    UNLIKE_REGIONS = Text("the state's regions {one} and {other} do not fit together")
