"""Spark masters: how they are spelled, and whether one answers before a minute is spent waiting for it."""

from __future__ import annotations

import re
import socket

from streaming.errors import EnvironmentProblem, InputError
from streaming.texts.spark_texts import SparkTexts

LOCAL = re.compile(r"local(\[(\*|[1-9]\d*)(,\s*[1-9]\d*)?\])?")
STANDALONE = re.compile(r"spark://([^,:/\s]+:\d+(?:,[^,:/\s]+:\d+)*)")
ELSEWHERE = re.compile(r"yarn|k8s://.+")
PATIENCE_S = 5.0


def master_asked(master: str, where: str) -> str:
    """A master as Spark spells it. Raises InputError, which begins with `where`."""
    if any(kind.fullmatch(master) for kind in (LOCAL, STANDALONE, ELSEWHERE)):
        return master
    raise InputError(SparkTexts.MASTER_EXPECTED().at(f"{where} {master}"))


def own_address(master: str) -> str | None:
    """The address of this machine as a standalone master sees it; None for masters of other kinds.

    Raises EnvironmentProblem if nobody answers at the master's address.
    """
    matched = STANDALONE.fullmatch(master)
    if matched is None:
        return None
    problem: Exception | None = None
    for address in matched[1].split(","):
        host, _, port = address.rpartition(":")
        try:
            with socket.create_connection((host, int(port)), PATIENCE_S) as connection:
                return str(connection.getsockname()[0])
        except (OSError, OverflowError) as error:
            problem = error
    raise EnvironmentProblem(SparkTexts.NO_MASTER_ANSWERS(why=problem).at(master)) from problem
