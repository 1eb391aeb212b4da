"""What the latencies of arms hide where more messages fail in one than in another."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.experiments.intervals import shows
from simulator.experiments.study import Study
from simulator.experiments.texts.verdict_texts import VerdictTexts
from simulator.experiments.words import arm_in_words, with_unit

FAILED, LATENCY = "failed_percent", "mean_ms"
SHARE = 1.0  # in per cent: so many more that fail at once lower a mean by as much, which is worth a sentence


def latency_of_failures(study: Study) -> Iterator[str]:
    """A sentence where arms differ in how many messages fail: failed ones are in every latency.

    A difference below SHARE counts where the runs show it. The sentence names the arm that fails most and the one that
    fails least, and whether the first has the lower mean.
    """
    base = study.loaded.experiment.base_arm
    apart = {arm: study.difference(arm, FAILED) for arm in study.loaded.arms if arm != base}
    unlike = [arm for arm, found in apart.items() if found is not None and (shows(found) or abs(found.mean) >= SHARE)]
    failed = {arm: found.mean for arm in (base, *unlike) if (found := study.interval(arm, FAILED)) is not None}
    means = {arm: found.mean for arm in failed if (found := study.interval(arm, LATENCY)) is not None}
    if not unlike or len(means) < len(failed):
        return
    # Of several that fail alike the slowest stands for those that fail least: what fails fast hides most beside it.
    best = min(failed, key=lambda arm: (failed[arm], -means[arm]))
    worst = max(failed, key=lambda arm: (failed[arm], -means[arm]))
    least, most = with_unit(failed[best], FAILED), with_unit(failed[worst], FAILED)
    first, second = arm_in_words(worst), arm_in_words(best)
    if means[worst] < means[best]:
        ours, theirs = (with_unit(means[arm], LATENCY) for arm in (worst, best))
        yield VerdictTexts.FAILED_MESSAGES_LOWER(
            worst=first, best=second, ours=ours, theirs=theirs, most=most, least=least
        )
    else:
        yield VerdictTexts.FAILED_MESSAGES_COUNT(worst=first, best=second, most=most, least=least)
