"""plotly's own script, packed for a page that needs no network."""

from __future__ import annotations

import base64
import gzip
from functools import cache
from importlib.resources import files


@cache
def packed_plotly() -> str:
    """plotly.min.js, compressed and in base64: 2 MB of a page and not 5."""
    script = (files("plotly") / "package_data" / "plotly.min.js").read_bytes()
    return base64.b64encode(gzip.compress(script, mtime=0)).decode()
