"""How a notebook shows a result: a title, sentences, and a table."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import pyarrow as pa

FOUR_DIGITS = "{:,.4g}".format


def notebook_view(title: str, table: pa.Table, lines: Sequence[str] = (), most: int | None = None) -> str:
    """HTML; most: rows of the table that are shown, all of them by default."""
    from jinja2 import Template  # nobody but a notebook needs it

    template = Template((files("simulator.run.views") / "notebook.html").read_text("utf-8"), autoescape=True)
    whole = {
        name: "{:,}".format
        for name, kind in zip(table.schema.names, table.schema.types, strict=True)
        if pa.types.is_integer(kind)
    }
    shown = table.to_pandas().to_html(index=False, max_rows=most, float_format=FOUR_DIGITS, formatters=whole)
    html: str = template.render(title=title, lines=lines, table=shown)
    return html
