"""Arrow without pandas, which it imports at its first use wherever that is installed: 0.2 s of a short command."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class _NoPandas:
    """Finds every module but pandas."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """None: another finder is asked. Raises ModuleNotFoundError for pandas."""
        if name == "pandas":
            raise ModuleNotFoundError("not needed yet", name=name)


@contextmanager
def _without_pandas() -> Iterator[None]:
    finder = _NoPandas()
    sys.meta_path.insert(0, finder)  # type: ignore[arg-type]
    try:
        yield
    finally:
        sys.meta_path.remove(finder)  # type: ignore[arg-type]


def load_arrow_alone() -> None:
    """Load Arrow and have it take pandas for missing until a data frame is asked of it, which then loads pandas.

    For commands that make no data frames. Until then it reads a pandas series like any sequence.
    Source: pyarrow, pandas-shim.pxi (_PandasAPIShim._check_import: what must have pandas looks for it again).
    """
    if "pandas" in sys.modules:
        return
    with _without_pandas():
        import pyarrow as pa

        pa.scalar(0)  # looks for pandas
