"""Why two arms come to exactly the same: what no message of a run made use of."""

from __future__ import annotations

import numpy as np

from simulator import codes
from simulator.experiments.study import Study
from simulator.experiments.texts.verdict_texts import SameBecauseTexts
from simulator.outcomes import WELL
from simulator.run.simulate import simulate
from simulator.scenario import Scenario
from state.texts import joined, listed

MOST_MESSAGES = 500_000  # a run is done again only where that takes a moment
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
NAMES = {code: name for name, code in codes.RESPONSE_CODES.items()}


def same_because(study: Study, arm: str) -> str:
    """What a run of the base shows of why an arm changes nothing: its attempts, results and isolation; "" if nothing.

    The base's first run is done again for that; a study whose runs it does not repeat, as of recordings, has no reason.
    """
    base = study.loaded.experiment.base_arm
    seed, measured = next(iter(study.runs_of(base).items()), (0, {}))
    scenario = study.scenario(base)
    wanted = ("messages", "failed_messages", "attempts_per_message")
    if any(name not in measured for name in wanted) or scenario.expected_messages > MOST_MESSAGES:
        return ""
    result = simulate(scenario, seed=seed, tables=("sends",))
    kept = result.column("sends", "arrival_us").astype(np.int64) >= study.loaded.experiment.warm_up_us
    messages = result.column("sends", "messages")[kept]
    names, attempts = (result.column("sends", name)[kept] for name in ("result", "attempts"))
    attempts = attempts.astype(np.int64)
    failed = ~np.isin(names.astype(str), WELL)
    if (messages.sum(), messages[failed].sum()) != (measured["messages"], measured["failed_messages"]):
        return ""
    most = int(attempts.max(initial=0))
    reasons = [SameBecauseTexts.NO_ATTEMPT(ordinal=ORDINALS[most])] if most < len(ORDINALS) else []
    if failed.any():
        codes_of = np.array(result.sends.column("response_code").fill_null(codes.NO_CODE))[kept]
        endings = {_ending(name, int(code)) for name, code in zip(names[failed], codes_of[failed], strict=True)}
        once = most == 1 or int(attempts[failed].max()) <= 1
        retries = any(client.retry_times_when_send_failed for client in scenario.clients)
        releases = listed(list(scenario.releases))
        refused = SameBecauseTexts.NOT_RETRIED(releases=releases) if once and retries else ""
        if len(endings) <= 2:
            reasons.append(SameBecauseTexts.ALL_FAILURES(endings=listed(sorted(endings)), not_retried=refused))
    else:
        reasons.append(SameBecauseTexts.NO_FAILURE())
    if _isolation(study.scenario(arm)) != _isolation(scenario):
        isolated = sum(value for name, value in measured.items() if name.startswith("isolated_s["))
        reasons += [] if isolated else [SameBecauseTexts.NO_ISOLATION()]
    return joined("; ", reasons)


def _isolation(scenario: Scenario) -> list[object]:
    """What decides when the clients of each group isolate a broker, and for how long."""
    return [(client.send_latency_fault_enable, client.penalty_tables_ms) for client in scenario.clients]


def _ending(name: object, code: int) -> str:
    return NAMES.get(code, str(code)) if name == "MQBrokerException" else str(name)
