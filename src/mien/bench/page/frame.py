"""What all plots share: the drawing with its words for those who do not see it, axes, and labels."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Final
from xml.etree.ElementTree import Element

from mien.bench.page.elements import Child, el
from mien.bench.page.scale import Scale, number

COLOURS: Final = 6
WIDE, NARROW = 640.0, 340.0
_MOST_BESIDE: Final = 250.0
_ids = itertools.count(1)


def drawing(width: float, height: float, title: str, told: str, *children: Child) -> Element:
    """Return an SVG that scales with its place, with a title and a description."""
    name = f"plot-{next(_ids)}"
    return el(
        "svg",
        el("title", title, id=f"{name}-t"),
        el("desc", told, id=f"{name}-d"),
        *children,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        role="img",
        aria_labelledby=f"{name}-t {name}-d",
        class_="plot",
    )


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "label") -> Element:
    """Return words at a place; `anchor`: start, middle or end."""
    return el("text", words, x=round(x, 1), y=round(y, 1), text_anchor=anchor, class_=kind)


def beside(words: Iterable[str], width: float) -> float | None:
    """Return the room that words take at the left of rows; None where they stand better above them."""
    room = 30 + 6.8 * max(map(len, words))
    return room if width >= WIDE and room <= _MOST_BESIDE else None


def line(points: Iterable[tuple[float, float]], kind: str) -> Element:
    """Return a line through points."""
    return el("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_=kind)


def x_axis(scale: Scale, top: float, bottom: float, name: str, most: int = 5) -> list[Element]:
    """Return upright lines with their values below, and the axis's name at the right."""
    made = []
    for value in scale.ticks(most):
        x = scale(value)
        made.append(el("line", x1=x, x2=x, y1=top, y2=bottom, class_="grid"))
        made.append(text(x, bottom + 16, number(value), "middle", "tick"))
    return [*made, text(scale.end, bottom + 33, name, "end", "tick")]


def y_axis(scale: Scale, left: float, right: float, name: str, most: int = 5) -> list[Element]:
    """Return level lines with their values at the left, and the axis's name above."""
    made = []
    for value in scale.ticks(most):
        y = scale(value)
        made.append(el("line", x1=left, x2=right, y1=y, y2=y, class_="grid"))
        made.append(text(left - 6, y + 4, number(value), "end", "tick"))
    return [*made, text(left, scale.end - 10, name, "start", "tick")]


def legend(names: Sequence[str], x: float, y: float, width: float) -> tuple[list[Element], float]:
    """Return squares with names, in rows; and the height they take."""
    made, at, row = [], x, 0
    for i, name in enumerate(names):
        need = 24 + 7.0 * len(name)
        if at + need > x + width and at > x:
            at, row = x, row + 1
        made.append(el("rect", x=at, y=y + 20 * row - 9, width=11, height=11, rx=2, class_=f"c{i % COLOURS}"))
        made.append(text(at + 16, y + 20 * row, name))
        at += need
    return made, 20.0 * (row + 1)
