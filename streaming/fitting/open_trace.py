"""A trace to fit a scenario to, from wherever it lies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from streaming.errors import InputError
from streaming.importing.recording_format import trace_of_recording
from streaming.importing.trace import Trace, is_trace, read_trace
from streaming.importing.trace_metrics import read_scrapes
from streaming.texts.fit_texts import FitTexts


def open_trace(path: Path) -> Trace:
    """The trace of a folder that `sendlab import` wrote, or of a recording. Raises InputError."""
    if path.is_dir():
        if not is_trace(path):
            raise InputError(FitTexts.TRACE_EXPECTED().at(path))
        trace = read_trace(path)
        if trace.about.failed_only:
            raise InputError(FitTexts.FAILED_ONLY().at(path))
        return replace(trace, scrapes=read_scrapes(path, trace.about.zero_us))
    return trace_of_recording(path)
