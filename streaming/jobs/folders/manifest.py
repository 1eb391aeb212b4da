"""What a checkpoint says of itself: the runs that it belongs to, by name, and what it was made with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.plan.compile import name_in
from simulator.scenario.reading.nested_keys import key_differences
from state.packing import LAYOUT_VERSION
from streaming.jobs.job import FOREVER, Job
from streaming.texts.job_texts import JobTexts

MOST_KEYS = 6  # that are named
SALTED = "salted"  # keys have salts (operator/key_salts.py); a checkpoint without this has keys of run and cell alone


def manifest_of(job: Job, partitions: int, sink: str = "parquet") -> dict[str, Any]:
    """The manifest of a job's checkpoint, as JSON can spell it."""
    runs = {
        run.spec.run: {"kind": run.spec.kind, "digest": run.digest, "settings": dict(run.settings)} for run in job.runs
    }
    return {
        "layout": LAYOUT_VERSION,
        "runs": runs,
        "partitions": partitions,
        SALTED: True,
        "tables": list(job.tables),
        "sink": sink,
    }


def difference(stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> str | None:
    """What differs between two manifests and keeps a job from resuming, in words; None if nothing does."""
    if stored.get("layout") != wanted["layout"]:
        return JobTexts.OTHER_LAYOUT(stored=stored.get("layout"), wanted=wanted["layout"])
    there, here = stored.get("runs") or {}, wanted["runs"]
    if set(map(_plain_name, there.items())) != set(map(_plain_name, here.items())):
        return JobTexts.OTHER_RUNS(stored=", ".join(there) or "none", wanted=", ".join(here))
    by_name = {_plain_name(item): item[1] for item in here.items()}
    for item in there.items():
        found = _run_difference(item[1], by_name[_plain_name(item)])
        if found is not None:
            return found
    for key in ("partitions", "tables", "sink"):
        if stored.get(key) != wanted[key] and not (key == "sink" and _writes_files(stored) and _writes_files(wanted)):
            return JobTexts.OTHER_VALUE(key=key, stored=stored.get(key), wanted=wanted[key])
    return None


def _plain_name(run: tuple[str, Mapping[str, Any]]) -> str:
    """Name of a run without its digest: what differs is said key by key."""
    return run[0] if run[1].get("kind") == "recording" else name_in(run[0])


def _writes_files(manifest: Mapping[str, Any]) -> bool:
    """Whether tables are written: other sinks may come and go beside them, but tables with a hole do not tell it."""
    return "parquet" in str(manifest.get("sink")).split()


def _run_difference(there: Mapping[str, Any], here: Mapping[str, Any]) -> str | None:
    if there.get("kind") != here["kind"]:
        return JobTexts.OTHER_KIND(stored=there.get("kind"), wanted=here["kind"])
    if there.get("digest") == here["digest"]:
        return None
    return differing_keys(there.get("settings") or {}, here["settings"]) or f"another {here['kind']}"


def differing_keys(there: Any, here: Any) -> str:
    """What differs between two runs' settings, key by key; the first keys of many, "" without any."""
    found = [
        JobTexts.OTHER_VALUE(key=key, stored=_value_text(before), wanted=_value_text(now))
        for key, before, now in key_differences(there, here)
    ]
    left = len(found) - MOST_KEYS
    more = [JobTexts.MORE_KEYS(count=left)] if left > 0 else []
    return "; ".join(found[:MOST_KEYS] + more)


def _value_text(value: Any) -> str:
    text = "not set" if value is None else JobTexts.NO_END() if value == FOREVER else str(value)
    return f"a text of {len(text)} characters" if "\n" in text else text
