"""The heat map of docs/policies.md: every policy in every situation, as the kept matrix has it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from html import escape
from pathlib import Path

from tests.simulator.policies.matrix.table import COLUMNS, POLICIES, SITUATIONS, read

HEAT_MAP = "policies.png"
KEPT = Path(__file__).resolve().parents[1] / "simulator" / "policies" / "matrix" / "matrix.txt"
SIZE = (1420, 1420)
STYLE = """
body { margin: 16px; background: #fff; color: #1c2330; font: 13px/1.35 system-ui, "Liberation Sans", sans-serif; }
h2 { font-size: 15px; margin: 10px 0 6px; } table { border-collapse: collapse; }
th { font-weight: 400; text-align: left; white-space: nowrap; padding: 1px 8px 1px 0; }
thead th { text-align: center; white-space: normal; width: 68px; padding: 2px; vertical-align: bottom; }
td { text-align: right; padding: 2px 7px; border: 1px solid #fff; font-variant-numeric: tabular-nums; }"""


def digest() -> str:
    """Twelve hexadecimal digits of the kept matrix."""
    return hashlib.blake2b(KEPT.read_bytes(), digest_size=6).hexdigest()


def _red(value: float, worst: float) -> str:
    part = (value / worst) ** 0.5 if worst else 0.0
    return f"rgba(179, 38, 30, {0.75 * part:.2f})"


def _blue(value: float, values: Sequence[float]) -> str:
    low, high = min(values), max(values)
    part = (value - low) / (high - low) if high > low else 0.0
    return f"rgba(29, 95, 168, {0.6 * part:.2f})"


def page() -> str:
    """HTML with two tables: what fails, red by all; and p99, blue by what others have in the same situation."""
    rows, names = {(row.situation, row.policy): row.cells for row in read(KEPT.read_text())}, list(COLUMNS)
    failed = {key: round(100 - float(cells[names.index("success %")]), 2) for key, cells in rows.items()}
    p99 = {key: float(cells[names.index("p99 ms")]) for key, cells in rows.items()}
    worst = max(failed.values())
    head = "".join(f"<th>{escape(name)}</th>" for name in SITUATIONS)

    def table(title: str, cell: object) -> str:
        body = ""
        for policy in POLICIES:
            cells = "".join(cell(situation, policy) for situation in SITUATIONS)  # type: ignore[operator]
            body += f"<tr><th>{escape(policy)}</th>{cells}</tr>"
        return f"<h2>{title}</h2><table><thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"

    def of_failed(situation: str, policy: str) -> str:
        value = failed[situation, policy]
        return f'<td style="background:{_red(value, worst)}">{value:.2f}</td>'

    def of_p99(situation: str, policy: str) -> str:
        value = p99[situation, policy]
        return f'<td style="background:{_blue(value, [p99[situation, one] for one in POLICIES])}">{value:,.0f}</td>'

    tables = table("Failed messages, %", of_failed) + table("p99, ms", of_p99)
    return f'<!doctype html><meta charset="utf-8"><style>{STYLE}</style>{tables}'
