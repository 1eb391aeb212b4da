"""What is known of the causes of a run, kept as causes.json beside its output."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from simulator.causes.consequence import Consequence
from simulator.causes.proof import Proof
from simulator.compiled.jit import source_digest
from streaming.files.whole_file import write_whole
from streaming.installation.own_version import sendlab_version
from streaming.outputs.dataset import RunOutput

FORMAT = 3
NAME = "causes.json"


@dataclass(frozen=True)
class CauseAnswer:
    """Consequences with their causes, the most costly first.

    texts, labels: of each cause by its id, what it is, and what stands before its counterfactual figure: "without F1".
    is_complete: every run that was wanted is done. runs: how many were. budget_s: of work
    (proof_budget.py), 0 where it was stopped. runs_least, runs_most: that all causes take.
    """

    consequences: tuple[Consequence, ...]
    texts: dict[str, str]
    labels: dict[str, str]
    is_complete: bool
    runs: int = 0
    budget_s: float = 0.0
    runs_least: int = 0
    runs_most: int = 0

    @property
    def is_untested(self) -> bool:
        """Whether runs are still wanted by something that stands out."""
        return not self.is_complete and not all(one.proven for one in self.consequences)


def answer_of(proof: Proof, budget_s: float = 0.0) -> CauseAnswer:
    """What a proof knows so far."""
    texts = {one.id: one.text for one in proof.suspects}
    labels = {one.id: one.label for one in proof.suspects}
    least, most = proof.runs_in_all()
    found, is_complete = tuple(proof.answer()), not proof.wanted()
    return CauseAnswer(found, texts, labels, is_complete, len(proof.sizes), budget_s, least, most)


def write_answer(output: RunOutput, answer: CauseAnswer) -> None:
    """Keep an answer beside the output. Raises OSError."""
    content = {"format": FORMAT, **_identity(output), **asdict(answer)}
    for one in content["consequences"]:
        del one["sizes"]
    text = json.dumps(content, indent=1, ensure_ascii=False)
    write_whole(output.path / NAME, lambda spare: spare.write_text(text, encoding="utf-8"))


def read_answer(output: RunOutput) -> CauseAnswer | None:
    """The answer that is kept beside an output, None without one, or if it is of another run or version."""
    try:
        content: dict[str, Any] = json.loads((output.path / NAME).read_text(encoding="utf-8"))
        wanted = {"format": FORMAT, **_identity(output)}
        if any(content[key] != value for key, value in wanted.items()):
            return None
        found = [_consequence(one) for one in content["consequences"]]
        texts, labels = dict(content["texts"]), dict(content["labels"])
        counts = {name: int(content[name]) for name in ("runs", "runs_least", "runs_most")}
        is_complete, budget_s = bool(content["is_complete"]), float(content["budget_s"])
        return CauseAnswer(tuple(found), texts, labels, is_complete, budget_s=budget_s, **counts)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _identity(output: RunOutput) -> dict[str, object]:
    """What the answer belongs to: the scenario, how far it is simulated, and the model that simulated it."""
    about = output.about
    own = {"sendlab": sendlab_version(), "model": source_digest(), "digest": about.get("digest"), "run": about["run"]}
    return own | {"seed": about["seed"], "clock_us": about["clock_us"], "finished": bool(about["finished"])}


def _consequence(content: dict[str, Any]) -> Consequence:
    spans: Sequence[Sequence[int]] = content["spans"]
    lists = {"because": tuple(content["because"]), "spans": tuple((int(a), int(b)) for a, b in spans)}
    return Consequence(**content | lists)
