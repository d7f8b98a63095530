"""Waterfalls, shares of wholes, and grids of statuses: plots made of rectangles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from xml.etree.ElementTree import Element

from mien.bench.page.elements import Child, el
from mien.bench.page.frame import COLOURS, WIDE, beside, drawing, legend, text, x_axis
from mien.bench.page.scale import Scale, around, number
from mien.bench.timed.plots import Grid, Shares, Waterfall

_SIGNS: Final = {"ok": "✓", "likely": "○", "warning": "!", "failed": "✗", "not run": "·"}


def waterfall(plot: Waterfall, width: float) -> Element:
    """Return a bar for each stage, where it begins and as long as it takes."""
    room, top = beside([name for name, _, _ in plot.stages], width), 12.0
    wide = room is not None
    left, row = (room, 27.0) if room is not None else (14.0, 42.0)
    bottom = top + row * len(plot.stages)
    ends = [start + length for _, start, length in plot.stages]
    scale = around(ends, left, width - 64, log=False)
    parts: list[Child] = [*x_axis(scale, top, bottom, plot.unit, 6 if width >= WIDE else 4)]
    for i, (name, start, length) in enumerate(plot.stages):
        y = top + row * i + (4 if wide else 19)
        x, end = scale(start), scale(start + length)
        parts.append(text(left - 10, y + 14, name, "end") if wide else text(left, y - 5, name))
        parts.append(el("rect", x=x, y=y, width=max(1.5, end - x), height=19, rx=3, class_=f"c{i % COLOURS}"))
        parts.append(text(end + 6, y + 14, f"{number(length)} {plot.unit}", kind="label strong"))
    told = "; ".join(f"{name} {number(length)} {plot.unit}" for name, _, length in plot.stages)
    return drawing(width, bottom + 40, plot.title, told, *parts)


def shares(plot: Shares, width: float) -> Element:
    """Return a bar for each whole, its parts one after the other."""
    room = beside(plot.rows, width)
    wide, left = room is not None, room or 14.0
    names = list(dict.fromkeys(part for parts in plot.rows.values() for part in parts))
    keys, high = legend(names, left, 14, width - left - 10)
    row, top = (34.0 if wide else 52.0), high + 10
    bottom = top + row * len(plot.rows)
    scale = around([sum(parts.values()) for parts in plot.rows.values()], left, width - 70, log=False)
    parts_: list[Child] = [*keys, *x_axis(scale, top, bottom, plot.unit, 6 if width >= WIDE else 4)]
    for i, (name, parts) in enumerate(plot.rows.items()):
        y = top + row * i + (5 if wide else 22)
        parts_.append(text(left - 10, y + 16, name, "end") if wide else text(left, y - 6, name))
        parts_ += _stacked(parts, names, scale, y, plot.unit)
    told = "; ".join(
        f"{name}: " + ", ".join(f"{part} {number(value)}" for part, value in parts.items())
        for name, parts in plot.rows.items()
    )
    return drawing(width, bottom + 40, plot.title, f"{told} {plot.unit}", *parts_)


def _stacked(parts: Mapping[str, float], names: list[str], scale: Scale, y: float, unit: str) -> list[Child]:
    made: list[Child] = []
    at = 0.0
    for part, value in parts.items():
        x, end = scale(at), scale(at + value)
        kind = f"c{names.index(part) % COLOURS}"
        if end - x > 0.2:
            bar = el("rect", x=x, y=y, width=end - x, height=23, class_=kind)
            bar.append(el("title", f"{part}: {number(value)} {unit}"))
            made.append(bar)
        at += value
    return [*made, text(scale(at) + 6, y + 16, f"{number(at)} {unit}".strip(), kind="label strong")]


def grid(plot: Grid, width: float) -> Element:
    """Return a heat map: a square for each row and column, with a sign for those who see no colours."""
    wide = width >= WIDE
    left, top = (170.0 if wide else 96.0), 24 + 5.6 * max(map(len, plot.columns), default=0)
    cell = min(44.0, (width - left - 8) / max(1, len(plot.columns)))
    row = 26.0
    parts: list[Child] = []
    for j, column in enumerate(plot.columns):
        x, y = left + cell * (j + 0.5), top - 8
        name = text(x, y, column, "start", "tick")
        name.set("transform", f"rotate(-55 {x:.1f} {y:.1f})")
        parts.append(name)
    for i, name_ in enumerate(plot.rows):
        y = top + row * i
        shown = name_ if wide or len(name_) <= 13 else f"{name_[:12]}…"
        parts.append(text(left - 8, y + 17, shown, "end"))
        for j, column in enumerate(plot.columns):
            status, remark = plot.cells.get(name_, {}).get(column, ("not run", ""))
            parts.append(
                _square(left + cell * j, y, cell, row, status, f"{name_} on {column}: {status} {remark}")
            )
    told = "; ".join(f"{name}: {_counted(plot, name)}" for name in plot.rows)
    return drawing(width, top + row * len(plot.rows) + 10, plot.title, told, *parts)


def _square(x: float, y: float, cell: float, row: float, status: str, words: str) -> Element:
    kind = status.replace(" ", "-")
    square = el("rect", x=x + 1, y=y + 1, width=cell - 2, height=row - 2, rx=3, class_=f"status {kind}")
    sign = text(x + cell / 2, y + row / 2 + 5, _SIGNS.get(status, "?"), "middle", f"sign {kind}")
    return el("g", square, sign, el("title", words.strip()))


def _counted(plot: Grid, name: str) -> str:
    seen = [plot.cells.get(name, {}).get(column, ("not run", ""))[0] for column in plot.columns]
    return ", ".join(f"{seen.count(status)} {status}" for status in _SIGNS if status in seen)
