"""What is printed about the folder and the runs of an experiment."""

from __future__ import annotations

from state.texts import Text


class ExperimentTexts:
    """What is printed about the folder and the runs of an experiment."""

    COMPILING = Text("compiling the model")
    FOLDER_IN_USE = Text("choose another --out; another command is running an experiment in this folder")
    FOLDER_IS_A_FILE = Text("expected a folder for an experiment, got a file")
    FOLDER_NOT_EMPTY = Text("the folder is not empty and not an experiment's; choose another --out")
    JVM_ENDED = Text("Spark's JVM ended; the same command resumes from the last runs; its log is {log}")
    MASTER_WITHOUT_SPARK = Text("--master goes with Spark alone; leave it out, or leave --engine plain out")
    NO_WARM_UP = Text("No warm-up is discarded")
    OTHER_SCENARIO = Text("the runs of arm {arm} there are of another scenario ({difference}); {again}")
    OTHER_VERSION = Text("the runs there are of another version of sendlab; {again}")
    OTHER_WARM_UP = Text("the runs there had another warm-up ({difference}); {again}")
    RUNS_DONE = Text("{done:,} of {total:,} {total:run|runs}")
    RUNS_THERE = Text("{count} {count:run is|runs are} there already")
    START_OVER = Text("choose another --out, or start over with --fresh")
    STOPPED = Text("stopped before the last runs; the same command resumes from here")
    STOPPING = Text("stopping after the runs that are under way")
    STORY = Text(
        "{arms}, {each} each, all with the same seeds: arrivals and service times are shared, so differences are "
        "paired. Intervals hold with {confidence} % confidence. {warm_up}; in-flight messages are drained at the end."
    )
    TIME_LEFT = Text("about {seconds:,.0f} s left")
    WARM_UP = Text("The first {seconds:g} s are discarded as warm-up")
