"""A whole proof in this process: `prove(scenario)`."""

from __future__ import annotations

from collections.abc import Callable

from simulator.causes.judgement import Key
from simulator.causes.proof import Proof
from simulator.causes.run_figures import Stopped, figures_of
from simulator.scenario import Scenario


def prove(
    scenario: Scenario, *, runs: int | None = None, is_over: Callable[[], bool] = lambda: False,
    on_run: Callable[[Key], None] = lambda key: None,
) -> Proof:  # fmt: skip
    """Run a scenario again without each of its suspects, one run after the other.

    runs: how many runs at most, None for all. is_over: asked between runs and in them; what was not reached is likely.
    """
    proof, left = Proof(scenario), runs
    while keys := proof.wanted():
        for key in keys:
            if left == 0 or is_over():
                return proof
            try:
                proof.take(key, figures_of(proof.scenario_of(key), is_over))
            except Stopped:
                return proof
            on_run(key)
            left = None if left is None else left - 1
    return proof
