"""Pictures as plotly's JSON: plain mappings that may hold numpy's arrays; no page waits for plotly to be imported."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

Figure = dict[str, Any]
MARGIN = {"l": 56, "r": 16, "t": 26, "b": 40}
CLEAR = "rgba(0,0,0,0)"
SHORT = {"int8": "i1", "float32": "f4", "float64": "f8"}


def figure(data: list[Figure], height: int, **layout: Any) -> Figure:
    """A picture without a legend, whose colours the page fills in; height in pixels."""
    looks = {"margin": MARGIN, "showlegend": False, "paper_bgcolor": CLEAR, "plot_bgcolor": CLEAR, "height": height}
    axes = {name: {"separatethousands": True} | layout.pop(name, {}) for name in ("xaxis", "yaxis")}
    return {"data": data, "layout": looks | {"font": {"size": 12}} | axes | layout}


def figure_json(value: Any) -> str:
    """JSON in which arrays are packed as plotly.js reads them. Raises ValueError for NaN outside of an array."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False, default=_packed)


def _packed(values: np.ndarray) -> dict[str, str]:
    made = {"dtype": SHORT[str(values.dtype)], "bdata": base64.b64encode(values.tobytes()).decode()}
    return made | ({"shape": str(values.shape)[1:-1]} if values.ndim > 1 else {})
