"""Errors that a user reads as one sentence, and their exit codes."""

from __future__ import annotations

from state.sentence_error import SentenceError


class InputError(SentenceError):
    """The user's input cannot be used (exit code 2)."""


class EnvironmentProblem(SentenceError):
    """Something that the job needs is not there (exit code 3)."""


class JvmEnded(EnvironmentProblem):
    """Spark's JVM has ended, or did not start."""


class Interrupted(SentenceError):
    """The user stopped the run, exit code 130; the message says how to go on."""
