"""Which engine runs what was asked: Spark, or this process alone."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from rich.console import Console

from streaming.texts.command_result_texts import CommandResultTexts

SPARK, PLAIN = "spark", "plain"
ENGINES = (SPARK, PLAIN)
HELP = "spark | plain (without Spark or Java); default spark where it is installed"


def spark_is_installed() -> bool:
    """Whether PySpark can be imported."""
    try:
        return find_spec("pyspark") is not None
    except ModuleNotFoundError:
        return False


def engine_asked(engine: str | None, console: Console, needing_spark: Sequence[str] = ()) -> str:
    """The engine that `--engine` names; otherwise Spark, and where that is not installed the plain one, said in a line.

    `needing_spark`: options given that only Spark has: with one of them nothing else is taken. Raises InputError.
    """
    if engine is not None:
        from streaming.options.changes import checked_choice  # the help is printed without what a scenario needs

        return checked_choice(engine, ENGINES, f"--engine {engine}")
    if needing_spark or spark_is_installed():
        return SPARK
    console.print(CommandResultTexts.WITHOUT_SPARK(), style="dim", markup=False, highlight=False, soft_wrap=True)
    return PLAIN
