"""Tables of a report: what a plot shows, in numbers, and what no plot shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from xml.etree.ElementTree import Element

from mien.bench.page.elements import Child, el
from mien.bench.page.frame import line
from mien.bench.page.scale import Scale, number
from mien.bench.timed.plots import Curves, Front, Grid, Plot, Shares, Waterfall
from mien.bench.timed.result import Result, Series
from mien.bench.timed.statistics import LEAST, Interval

_SPARK: Final = (92.0, 22.0)
_POINTS: Final = 60


def series(given: Sequence[Series]) -> Element:
    """Return the figures of a group: median with its interval, p95, p99, samples in the order they came."""
    unit = given[0].unit or "ratio"
    heads = (("median", ""), ("p95", ""), ("p99", ""), ("n", ""), ("in order", "hide"))
    head = el(
        "tr", el("th", unit, scope="col"), *(el("th", h, scope="col", class_=c or None) for h, c in heads)
    )
    return _scrolled(el("table", el("thead", head), el("tbody", *(_row(each) for each in given))))


def _row(each: Series) -> Element:
    found = each.percentiles()
    median = found[50]
    between = f"{number(median.low)}–{number(median.high)}"
    return el(
        "tr",
        el("th", each.name, scope="row"),
        el("td", number(median.value), el("small", between)),
        *(_cell(found.get(p), p) for p in (95, 99)),
        el("td", str(len(each.samples)), el("small", f"+{len(each.warm_up)}") if each.warm_up else None),
        el("td", _spark(each), class_="hide"),
    )


def _cell(found: Interval | None, p: int) -> Element:
    if found is None:
        return el("td", "–", title=f"p{p} needs {LEAST[p]} samples")
    return el("td", number(found.value), el("small", f"{number(found.low)}–{number(found.high)}"))


def _spark(each: Series) -> Element:
    """Return the samples in the order they were taken, those that warmed up as rings."""
    warm, later = each.warm_up[:8], each.samples[:: len(each.samples) // _POINTS + 1]
    values = [*warm, *later]
    over = Scale(0, max(1, len(values) - 1), 3, _SPARK[0] - 3)
    down = Scale(min(values), max(values), _SPARK[1] - 3, 3)
    places = [(over(i), down(value)) for i, value in enumerate(values)]
    rings = [el("circle", cx=x, cy=y, r=2.2, class_="warm") for x, y in places[: len(warm)]]
    told = (
        f"{each.name}: {len(warm)} samples to warm up, then {len(each.samples)}, in the order they were taken"
    )
    return el(
        "svg", el("title", told), line(places[len(warm) :], "line s0"), *rings,
        viewBox=f"0 0 {_SPARK[0]:.0f} {_SPARK[1]:.0f}", class_="spark", role="img",
    )  # fmt: skip


def of(plot: Plot) -> Element:
    """Return what a plot shows as a table."""
    match plot:
        case Waterfall(stages=stages, unit=unit):
            rows = [(name, number(start), number(length)) for name, start, length in stages]
            return table(("stage", f"begins, {unit}", f"takes, {unit}"), rows)
        case Curves():
            return _of_curves(plot)
        case Front(points=points):
            rows = [(f"{i} {name}", number(x), number(y)) for i, (name, x, y) in enumerate(points, 1)]
            return table(("", plot.x, plot.y), rows)
        case Shares(rows=wholes):
            return _of_shares(wholes, plot.unit)
        case Grid():
            return _of_grid(plot)


def _of_curves(plot: Curves) -> Element:
    lines = [(panel, name) for panel in plot.panels for name in panel.lines]
    heads = [
        f"{panel.title}: {name}, {panel.unit}" if len(panel.lines) > 1 else f"{panel.title}, {panel.unit}"
        for panel, name in lines
    ]
    values = [dict(panel.lines[name]) for panel, name in lines]
    xs = sorted({x for each in values for x in each})
    rows = [(number(x), *(number(each[x]) if x in each else "" for each in values)) for x in xs]
    return table((plot.x, *heads), rows)


def _of_shares(wholes: Mapping[str, Mapping[str, float]], unit: str) -> Element:
    names = list(dict.fromkeys(part for parts in wholes.values() for part in parts))
    rows = [(name, *(number(parts.get(each, 0.0)) for each in names)) for name, parts in wholes.items()]
    return table((unit, *names), rows)


def _of_grid(plot: Grid) -> Element:
    rows = [
        (name, *(plot.cells.get(name, {}).get(c, ("not run", ""))[0] for c in plot.columns))
        for name in plot.rows
    ]
    return table(("", *plot.columns), rows)


def facts(result: Result) -> Element | None:
    """Return what is known and was not sampled."""
    if not result.facts:
        return None
    rows = [(name, v if isinstance(v, str) else number(v), unit) for name, v, unit in result.facts]
    return el("div", table(("", "value", "unit"), rows), class_="facts")


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Element:
    """Return a table whose first column names its rows."""
    head = el("tr", *(el("th", each, scope="col") for each in heads))
    body: list[Child] = [
        el("tr", el("th", row[0], scope="row"), *(el("td", each) for each in row[1:])) for row in rows
    ]
    return _scrolled(el("table", el("thead", head), el("tbody", *body)))


def _scrolled(inner: Element) -> Element:
    return el("div", inner, class_="scroll", tabindex="0", role="region", aria_label="figures")
