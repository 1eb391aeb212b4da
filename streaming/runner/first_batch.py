"""What a query does before its first micro-batch has put out anything, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from streaming.texts.job_texts import JobTexts

if TYPE_CHECKING:
    from pyspark.sql.streaming.query import StreamingQuery


def doing(query: StreamingQuery) -> str:
    """Whether it waits for something to read, plans, or runs tasks, and how many of those have finished."""
    from pyspark import SparkContext

    if not query.status["isTriggerActive"]:
        return JobTexts.NO_DECISION_YET()
    tracker = SparkContext.getOrCreate().statusTracker()
    stages = [stage for number in tracker.getActiveStageIds() if (stage := tracker.getStageInfo(number)) is not None]
    if not stages:
        return JobTexts.PLANNING_BATCH()
    done, tasks = (sum(getattr(stage, name) for stage in stages) for name in ("numCompletedTasks", "numTasks"))
    return JobTexts.TASKS_RUN(done=done, tasks=tasks)
