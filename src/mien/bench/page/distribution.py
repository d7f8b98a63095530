"""Where the samples of series lie: shape, every sample, median with its interval, p95, p99, warm-up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element

import numpy as np

from mien.bench.page.elements import Child, el
from mien.bench.page.frame import COLOURS, WIDE, beside, drawing, text, x_axis
from mien.bench.page.scale import Scale, around, number
from mien.bench.timed.result import Series
from mien.bench.timed.statistics import Interval

_ROW: Final = 46.0
_DOTS: Final = 50
_SHAPE: Final = 8  # samples from which a shape is drawn


def draw(group: str, series: Sequence[Series], width: float) -> Element:
    """Return a row for each series of a group, all on one axis."""
    room = beside([word for each in series for word in (each.name, _median_of(each))], width)
    wide, top = room is not None, 14.0
    left, row = (room, _ROW) if room is not None else (14.0, _ROW + 20)
    bottom = top + row * len(series)
    scale = around([x for each in series for x in (*each.samples, *each.warm_up)], left, width - 14)
    parts: list[Child] = [*x_axis(scale, top, bottom, series[0].unit or "ratio", 6 if width >= WIDE else 4)]
    for i, each in enumerate(series):
        middle = top + row * i + row / 2 + (0 if wide else 10)
        parts += [_label(each, middle, wide=wide, left=left), _row(each, middle, scale, i)]
    return drawing(width, bottom + 40, group, _told(series), *parts)


def _label(each: Series, middle: float, *, wide: bool, left: float) -> Element:
    words = el("tspan", f" {_median_of(each)}", class_="strong")
    if wide:
        name = text(left - 12, middle - 2, each.name, "end")
        words = text(left - 12, middle + 14, _median_of(each), "end", "label strong")
        return el("g", name, words)
    name = text(left, middle - 24, f"{each.name} ·")
    name.append(words)
    return name


def _median_of(each: Series) -> str:
    return f"{number(each.percentiles()[50].value)} {each.unit}".strip()


def _row(each: Series, middle: float, scale: Scale, index: int) -> Element:
    kind, found = f"c{index % COLOURS}", each.percentiles()
    parts: list[Child] = [_shape(each, middle, scale, kind)]
    step = len(each.samples) // _DOTS + 1
    rng = np.random.default_rng(0)
    for value in each.samples[::step]:
        parts.append(_dot(scale(value), middle + float(rng.uniform(-6, 6)), 1.8, f"dot {kind}"))
    for value in each.warm_up:
        parts.append(_dot(scale(value), middle, 3.2, "warm"))
    for p, height in ((99, 7), (95, 10)):
        if p in found:
            parts.append(_mark(scale(found[p].value), middle, height, f"p{p} {number(found[p].value)}"))
    return el("g", *parts, _median(found[50], middle, scale), el("title", _words(each)))


def _shape(each: Series, middle: float, scale: Scale, kind: str) -> Element | None:
    """Return the density of the places, mirrored (a violin)."""
    if len(each.samples) < _SHAPE:
        return None
    places = np.array([scale(value) for value in each.samples])
    spread = max(1.06 * float(np.std(places)) * len(places) ** -0.2, 1.5)
    first, last = places.min() - 2 * spread, places.max() + 2 * spread
    grid = np.linspace(max(first, scale.start), min(last, scale.end), 44)
    density = np.exp(-0.5 * ((grid[:, None] - places) / spread) ** 2).sum(axis=1)
    half = 17 * density / density.max()
    upper = [f"{x:.1f},{middle - h:.1f}" for x, h in zip(grid, half, strict=True)]
    lower = [f"{x:.1f},{middle + h:.1f}" for x, h in zip(grid[::-1], half[::-1], strict=True)]
    return el("polygon", points=" ".join([*upper, *lower]), class_=f"shape {kind}")


def _median(found: Interval, middle: float, scale: Scale) -> Element:
    low, high, at = scale(found.low), scale(found.high), scale(found.value)
    return el(
        "g",
        el("rect", x=low, y=middle - 3, width=max(1.0, high - low), height=6, rx=3, class_="interval"),
        el("line", x1=at, x2=at, y1=middle - 13, y2=middle + 13, class_="median"),
    )


def _mark(x: float, middle: float, height: float, words: str) -> Element:
    mark = el("line", x1=x, x2=x, y1=middle - height, y2=middle + height, class_="mark")
    return el("g", mark, el("title", words))


def _dot(x: float, y: float, radius: float, kind: str) -> Element:
    return el("circle", cx=round(x, 1), cy=round(y, 1), r=radius, class_=kind)


def _words(each: Series) -> str:
    found = each.percentiles()
    told = ", ".join(f"p{p} {number(x.value)}" for p, x in found.items() if p != 50)
    median = found[50]
    between = f"{number(median.low)} to {number(median.high)}"
    return f"{each.name}: median {number(median.value)} {each.unit} ({between}), {told or 'few samples'}"


def _told(series: Sequence[Series]) -> str:
    return "; ".join(_words(each) for each in series) + ". The table beside it has all figures."
