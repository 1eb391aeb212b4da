"""What a command was asked that it does not have, in one sentence like everything else that is wrong."""

from __future__ import annotations

import sys

import typer

EXPECTED = {
    "greater_than_equal": "expected at least {ge:g}",
    "less_than_equal": "expected at most {le:g}",
    "int_parsing": "expected a whole number",
    "int_from_float": "expected a whole number",
    "float_parsing": "expected a number",
}


def misused(error: typer.TyperException) -> str:
    """The sentence; empty where the help has been printed instead."""
    cause, option = error.__cause__, getattr(error, "param", None)
    pydantic = sys.modules.get("pydantic")  # it takes long to import, and whose error this is has imported it
    if pydantic is not None and isinstance(cause, pydantic.ValidationError) and option is not None:
        problem = cause.errors(include_url=False)[0]
        expected = EXPECTED.get(problem["type"], problem["msg"]).format(**problem.get("ctx", {}))
        return f"{max(option.opts, key=len)} {problem['input']}: {expected}"
    text = error.format_message()
    if not text.strip() or text.endswith("?"):
        return text.strip()
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "sendlab"
    return f"{text.rstrip('.')}; `{command} --help` lists what there is"
