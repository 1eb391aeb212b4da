"""Your own parts of a policy, tried on drawn events before a run in this process begins."""

from __future__ import annotations

from functools import lru_cache

from simulator.policies.conformance import breach_of
from simulator.scenario.policy.own_policy import NAMES, TEXTS, is_own, own_part
from simulator.scenario.policy.policy_settings import PolicySettings, Values, parameters
from simulator.scenario.reading.scenario_error import ScenarioError
from simulator.scenario.texts.policy_texts import PolicyTexts

Pairs = tuple[tuple[str, str], ...]


def check_policy(policy: PolicySettings | None) -> None:
    """Try the parts that come from a file, as `sendlab policy check` does, each text and set of values once.

    Raises ScenarioError with what one does wrong, such as a queue that does not exist. A rule that never ends is not
    found here: the command line tries parts in a process that it can end.
    """
    for kind in NAMES if policy is not None else ():
        ((name, written),) = getattr(policy, kind).items()
        if is_own(name):
            values = tuple((key, value) for key, value in written.items() if key not in TEXTS)
            found = _breach(kind, name, written["source"], tuple(sorted(written.get("beside", {}).items())), values)
            if found is not None:
                raise ScenarioError([PolicyTexts.BREACH(part=NAMES[kind], breach=found).at(name)])


@lru_cache(maxsize=64)
def _breach(kind: str, name: str, source: str, beside: Pairs, values: tuple[tuple[str, object], ...]) -> str | None:
    part = own_part(kind, name, source, dict(beside))
    written: Values = dict(values)  # type: ignore[arg-type]
    return breach_of(kind, part, parameters(part, written), lambda what: None)
