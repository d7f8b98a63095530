"""Curves with a mark, and fronts: plots of points on two axes."""

from __future__ import annotations

from typing import Final
from xml.etree.ElementTree import Element

from mien.bench.page.elements import Child, el
from mien.bench.page.frame import COLOURS, WIDE, drawing, legend, line, text, x_axis, y_axis
from mien.bench.page.scale import Scale, around, number
from mien.bench.timed.plots import Curves, Front, Panel

_HEIGHT: Final = 190.0
_LEFT: Final = 52.0


def curves(plot: Curves, width: float) -> Element:
    """Return the panels, beside each other where there is room, else below each other."""
    columns = min(len(plot.panels), 2) if width >= WIDE else 1
    each, high = width / columns, _HEIGHT + 84
    parts: list[Child] = []
    for i, panel in enumerate(plot.panels):
        moved = f"translate({each * (i % columns):.0f} {high * (i // columns):.0f})"
        parts.append(el("g", *_panel(plot, panel, each), transform=moved))
    rows = -(-len(plot.panels) // columns)
    told = "; ".join(f"{panel.title}: {_ends(panel)}" for panel in plot.panels)
    marked = f" {plot.mark[1]} at {number(plot.mark[0])} {plot.x}." if plot.mark else ""
    return drawing(width, high * rows, plot.title, told + marked, *parts)


def _panel(plot: Curves, panel: Panel, width: float) -> list[Child]:
    points = [point for points in panel.lines.values() for point in points]
    xs = [x for x, _ in points]
    values = [y for _, y in points] + ([panel.limit] if panel.limit is not None else [])
    over, down = _over(xs, width, doubles=plot.doubles), around(values, 50 + _HEIGHT, 58, log=False)
    made: list[Child] = [text(_LEFT, 18, panel.title, kind="label strong")]
    made += [*y_axis(down, _LEFT, over.end, panel.unit, 4), *_x_axis(over, sorted(set(xs)), plot)]
    if panel.limit is not None:
        y = down(panel.limit)
        made.append(el("line", x1=_LEFT, x2=over.end, y1=y, y2=y, class_="limit"))
    if plot.mark:
        x = over(plot.mark[0])
        made.append(el("line", x1=x, x2=x, y1=58, y2=50 + _HEIGHT, class_="knee"))
        made.append(text(x + 5, 69, plot.mark[1], kind="label knee-label"))
    for i, (name, given) in enumerate(panel.lines.items()):
        places = [(over(x), down(y)) for x, y in given]
        made.append(line(places, f"line s{i % COLOURS}"))
        for (x, y), (at, value) in zip(places, given, strict=True):
            dot = el("circle", cx=x, cy=y, r=3.4, class_=f"c{i % COLOURS}")
            dot.append(el("title", f"{name}: {number(value)} {panel.unit} at {number(at)}"))
            made.append(dot)
    if len(panel.lines) > 1:
        made += legend(list(panel.lines), width - 14 - 90 * len(panel.lines), 18, 90.0 * len(panel.lines))[0]
    return made


def _over(xs: list[float], width: float, *, doubles: bool) -> Scale:
    return Scale(min(xs), max(xs), _LEFT + 10, width - 18, log=doubles)


def _x_axis(over: Scale, xs: list[float], plot: Curves) -> list[Element]:
    bottom = 50 + _HEIGHT
    if not plot.doubles:
        return x_axis(over, bottom, bottom, plot.x)
    made = [text(over(x), bottom + 16, number(x), "middle", "tick") for x in xs]
    return [*made, text(over.end, bottom + 33, plot.x, "end", "tick")]


def _ends(panel: Panel) -> str:
    return ", ".join(
        f"{name} {number(points[0][1])} to {number(points[-1][1])} {panel.unit}"
        for name, points in panel.lines.items()
    )


def front(plot: Front, width: float) -> Element:
    """Return the points, those that nothing beats on both axes joined by a line."""
    wide = width >= WIDE
    height, left = (300.0, 60.0)
    over = around([x for _, x, _ in plot.points], left + 10, width - 24, log=False)
    down = around([y for _, _, y in plot.points], height, 40, log=False)
    best = on_front(plot)
    parts: list[Child] = [
        *x_axis(over, 40, height, plot.x, 6 if wide else 4),
        *y_axis(down, left, over.end, plot.y),
    ]
    steps: list[tuple[float, float]] = []
    for i in best:
        x, y = over(plot.points[i][1]), down(plot.points[i][2])
        steps += [(x, steps[-1][1]), (x, y)] if steps else [(x, y)]
    parts.append(line(steps, "line front"))
    numbered = []
    for i, (name, x, y) in enumerate(plot.points):
        kind = "on-front" if i in best else "off-front"
        dot = el("circle", cx=over(x), cy=down(y), r=9, class_=kind)
        dot.append(el("title", f"{name}: {number(x)}, {number(y)}"))
        parts += [dot, text(over(x), down(y) + 4, str(i + 1), "middle", f"inside {kind}")]
        numbered.append(f"{i + 1} {name}")
    for i, words in enumerate(numbered):
        column, row = (i % 2, i // 2) if wide else (0, i)
        parts.append(text(14 + column * (width / 2 - 10), height + 62 + 19 * row, words))
    rows = -(-len(numbered) // (2 if wide else 1))
    told = "Nothing is better on both axes than " + ", ".join(plot.points[i][0] for i in best)
    return drawing(width, height + 58 + 19 * rows, plot.title, told, *parts)


def on_front(plot: Front) -> list[int]:
    """Return which points no other beats: at most as much on both axes, and less on one; by their x."""
    points = [(x, y) for _, x, y in plot.points]

    def beaten(point: tuple[float, float]) -> bool:
        return any(o[0] <= point[0] and o[1] <= point[1] and o != point for o in points)

    return sorted((i for i, point in enumerate(points) if not beaten(point)), key=lambda i: points[i])
