"""What the page of an experiment says beside its figures and tables."""

from __future__ import annotations

from state.texts import Text


class ExperimentPageTexts:
    """What the page of an experiment says beside its figures and tables."""

    AS_IT_IS = Text("nothing: the scenario as it is")
    BACKLOG = Text("Messages that are stored and not consumed, mean of the runs. Grey bands are the faults.")
    FAILED = Text("Mean of the runs. Grey bands are the faults.")
    LATENCY = Text("All runs of an arm together; dots mark p50, p99 and p99.9.")
    MADE_OF = Text("{runs}; {confidence} % intervals; the same seeds for all arms; Sendlab {version}.")
    NOT_FINISHED = Text("**Not finished: this is what was known when it was stopped.**")
    NOT_MEASURED = Text("; not measured: {why}")
    P99 = Text("Of the messages that ended in each stretch, mean of the runs. Grey bands are the faults.")
    RUNS_OF_ARM = Text("{arm}: {runs:,} {runs:run|runs}")
    UNDECIDED = Text("undecided: counts as not shown")
    UNLIKE_THE_BASE = Text("{when}, unlike the base{shown}")
    WITHIN_THE_RUN = Text("within the run")
