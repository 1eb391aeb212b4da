"""What delay levels are called. Nothing is drawn here: findings name levels without loading plotly."""

from __future__ import annotations

from streaming.clock import length
from streaming.report.collected.data import ReportData
from streaming.report.collected.retry_series import level_delays_ms
from streaming.report.fault_times import scenario_of


def level_names(data: ReportData, levels: list[int]) -> dict[int, str]:
    """What a level is called: its delay, where all brokers have the same; level 0 is the timer wheel."""
    delays_ms = level_delays_ms(scenario_of(data.output))
    named = {level: delays_ms.get(min(level, max(delays_ms, default=0))) for level in levels}
    names = {level: f"level {level}" + (f" ({length(ms * 1000)})" if ms else "") for level, ms in named.items()}
    return names | ({0: "timer messages"} if 0 in names else {})
