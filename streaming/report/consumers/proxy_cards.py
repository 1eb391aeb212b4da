"""The cards of proxies: what goes over each, and who hangs on it."""

from __future__ import annotations

from streaming.page_frame.figure import Figure
from streaming.report.bar_rows import ROW_PX, bar_rows, stretch_bars
from streaming.report.collected.data import ReportData
from streaming.report.collected.message_totals import QUANTILES
from streaming.report.collected.proxy_series import NOWHERE
from streaming.report.picture_card import PictureCard
from streaming.report.texts.card_texts import CardTexts
from streaming.report.traces import GROUP_COLOURS, own_areas, percentiles, ranges, seconds, timed, top_of

DOWN, STILL, UP, UNCONNECTED = "#d0342c", "#e69f00", "#8a8a8a", "#1c2330"
MOST_INSTANCES = 24
LOAD_SETS = (("rate", "Attempts per second"), ("failed", "Failed per second"))


def proxy_figures(data: ReportData) -> dict[str, Figure | None]:
    """The pictures of proxies; None where there is nothing to show."""
    return {"proxy-lanes": _lanes(data), "proxy-load": _load(data), "proxy-latency": _latency(data)}


def _shades(data: ReportData) -> list[str]:
    """A colour for each proxy, and for attempts without one."""
    count = len(data.proxies.names) - 1
    return [*(GROUP_COLOURS[place % len(GROUP_COLOURS)] for place in range(count)), DOWN]


def _load(data: ReportData) -> Figure | None:
    own = data.proxies
    if not own or not own.attempts.any():
        return None
    shades = _shades(data)
    shown = [
        *own_areas(data, own.names, own.attempts, shades, "rate"),
        *own_areas(data, own.names, own.failures, shades, "failed"),
    ]
    rate, failed = (max(top_of(counts / seconds(data)), 1.0) for counts in (own.attempts, own.failures))
    return timed(data, shown, 230, "rate", ranges(rate=rate, failed=failed))


def _latency(data: ReportData) -> Figure | None:
    return percentiles(data, data.proxies.latency, data.proxies.names, _shades(data), height=230)


def _lanes(data: ReportData) -> Figure | None:
    """A row a proxy: when it is away or stands still; below it a row an instance: which proxy it hangs on."""
    own = data.proxies
    if not own or not (own.down or own.still or own.hangs):
        return None
    proxies, instances = own.names[:-1], [*own.hangs][:MOST_INSTANCES]
    keys = [*proxies, *instances]
    rows = {key: len(keys) - 1 - place for place, key in enumerate(keys)}
    bars = [
        stretch_bars(CardTexts.PROXY_RUNS(), [(name, 0, data.output.end_us) for name in proxies], rows, UP, 1),
        stretch_bars(CardTexts.PROXY_AWAY(), _spans(own.down), rows, DOWN, 8),
        stretch_bars(CardTexts.PROXY_STILL(), _spans(own.still), rows, STILL, 8),
    ]
    for name, shade in zip([*proxies, None], [*_shades(data)[:-1], UNCONNECTED], strict=True):
        spans = [(who, begin, end) for who in instances for proxy, begin, end in own.hangs[who] if proxy == name]
        if spans:
            bars.append(stretch_bars(name or CardTexts.PROXY_NONE(), spans, rows, shade, 8))
    return bar_rows(data, bars, 60 + ROW_PX * max(len(keys), 4), list(rows.values()), keys)


def _spans(by_name: dict[str, list[tuple[int, int]]]) -> list[tuple[str, int, int]]:
    return [(name, *span) for name, spans in by_name.items() for span in spans]


def proxy_cards(data: ReportData) -> list[PictureCard]:
    """The cards of those pictures; none without proxies of their own."""
    own = data.proxies
    if not own:
        return []
    named = [(name, shade) for name, shade in zip(own.names, _shades(data), strict=True) if name != NOWHERE]
    nowhere = [(CardTexts.PROXY_NONE(), DOWN)] if own.attempts[-1].any() else []
    states = [(CardTexts.PROXY_AWAY(), DOWN)] if own.down else []
    states += [(CardTexts.PROXY_STILL(), STILL)] if own.still else []
    more = CardTexts.FIRST_INSTANCES(most=MOST_INSTANCES) if len(own.hangs) > MOST_INSTANCES else ""
    instances = CardTexts.PROXIES_OF_CONSUMERS(more=more) if own.hangs else ""
    return [
        PictureCard(
            "proxy-lanes", CardTexts.PROXIES(), CardTexts.PROXIES_NOTE(instances=instances),
            keys={"": [*states, *(named if own.hangs else [])]},
        ),
        PictureCard(
            "proxy-load", CardTexts.PROXY_LOAD(), CardTexts.PROXY_LOAD_NOTE(), LOAD_SETS, "rate",
            {"": [*named, *nowhere]},
        ),
        PictureCard(
            "proxy-latency", CardTexts.PROXY_LATENCY(), CardTexts.PROXY_LATENCY_NOTE(),
            tuple((name, name) for name in QUANTILES), "p99", {"": [*named, *nowhere]},
        ),
    ]  # fmt: skip
