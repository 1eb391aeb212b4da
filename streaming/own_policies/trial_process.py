"""A process that tries a policy file: `python -m streaming.own_policies.trial_process FILE`.

It says on a line of JSON what it begins, so that whoever waits knows what does not end, and at last what it found.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def say(**facts: str) -> None:
    """A line for whoever waits."""
    print(json.dumps(facts), flush=True)


def found_in(path: Path) -> str | None:
    """What is wrong with a policy file, as a sentence, or None."""
    from simulator.policies.conformance import breach_of
    from simulator.scenario.loading.scenario_file import own_texts
    from simulator.scenario.policy.own_policy import parts_of
    from streaming.texts.command_texts import CommandTexts

    texts = own_texts(path)
    say(doing=CommandTexts.POLICY_STARTS())
    try:
        parts = parts_of(path.name, texts["source"], texts.get("beside", {}), lambda what: say(doing=what))
        if not parts:
            return CommandTexts.POLICY_EMPTY(file=path.name)
        for kind, part in parts.items():
            breach = breach_of(kind, part, part.parameters, lambda what: say(doing=what))
            if breach is not None:
                return f"{path.name}: {kind.upper()} {breach}"
    except ValueError as error:
        return str(error)
    say(parts=", ".join(parts))
    return None


def main() -> int:
    """Exit code 0 if the file keeps to everything, else 1."""
    from simulator.scenario import ScenarioError

    try:
        found = found_in(Path(sys.argv[1]))
    except ScenarioError as error:
        found = str(error)
    except Exception as error:
        found = f"{Path(sys.argv[1]).name}: {type(error).__name__}: {error}"
    if found is not None:
        say(found=found)
    return 0 if found is None else 1


if __name__ == "__main__":
    sys.exit(main())
