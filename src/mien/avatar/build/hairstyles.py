"""Hair styles as data: a hairline, how hair flows, and layers of ribbons. Lengths in dm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mien.avatar.build.geometry import Table


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of ribbons.

    `count` ribbons of `points` points, from evenly scattered roots or, with `parting`, from both sides of the
    parting; only roots above `lowest`. `length` by the root's height, shorter by up to `spread` of it.
    `offset` from the skin and its random part, plus `top_offset` on top of the head. `width` (half), `lift`
    of the root off the skin, `gravity`, `inertia`, `curl` inwards at the ends; `shade` times the colour.
    """

    count: int
    points: int
    length: Table
    offset: tuple[float, float]
    width: float
    lift: float
    spread: float = 0.1
    top_offset: float = 0.0
    gravity: float = 0.5
    inertia: float = 0.62
    curl: float = 0.0
    lowest: float = -9.0
    parting: bool = False
    shade: float = 1.0


@dataclass(frozen=True, slots=True)
class Style:
    """`hairline`: (degrees from the front, height) pairs; `part_x` of the parting; `combed`: how hair
    leaves it (x sideways, y, z); `falls`: long hair, which falls below the eyes, hides the ears and keeps
    clear of the face; `cut`: the height at which long hair ends, at the head's axis, and its slope in z.
    """

    hairline: Table
    part_x: float
    combed: tuple[float, float, float]
    falls: bool
    layers: tuple[Layer, ...]
    cut: tuple[float, float] = (-9.0, 0.0)


LONG: Table = ((-0.9, 1.2), (-0.3, 1.8), (0.4, 2.5), (1.2, 3.2))

BOB = Style(
    hairline=(
        (0, 0.71), (22, 0.70), (42, 0.60), (58, 0.42), (72, 0.15), (82, -0.12), (95, -0.28),
        (110, -0.42), (135, -0.75), (180, -0.95),
    ),
    part_x=0.20,
    combed=(1.0, -0.10, -0.24),
    falls=True,
    cut=(-1.42, -0.10),
    layers=(
        Layer(300, 14, LONG, (0.03, 0.04), 0.12, 0.05, curl=0.22, shade=0.75),
        Layer(260, 14, LONG, (0.07, 0.03), 0.08, 0.08, curl=0.24, shade=0.9),
        Layer(180, 16, LONG, (0.085, 0.02), 0.060, 0.20, curl=0.26, parting=True),
        Layer(180, 16, LONG, (0.110, 0.03), 0.045, 0.26, curl=0.26, parting=True),
        Layer(80, 16, LONG, (0.125, 0.04), 0.014, 0.28, curl=0.22, parting=True, shade=1.1),
    ),
)  # fmt: skip

SIDES: Table = ((-0.2, 0.07), (0.2, 0.13), (0.45, 0.26), (0.7, 0.50), (1.0, 0.72))
CROP: Table = ((-0.2, 0.06), (0.2, 0.11), (0.45, 0.21), (0.8, 0.50))

SHORT = Style(
    hairline=(
        (0, 0.70), (20, 0.72), (36, 0.68), (48, 0.56), (58, 0.42), (66, 0.14), (74, -0.06), (80, -0.10),
        (88, 0.02), (104, -0.14), (118, -0.45), (140, -0.72), (180, -0.85),
    ),
    part_x=0.30,
    combed=(0.9, 0.0, -0.75),
    falls=False,
    layers=(
        Layer(700, 7, CROP, (0.008, 0.012), 0.05, 0.1, gravity=0.25, inertia=0.7, top_offset=0.03, shade=0.8),
        Layer(600, 9, SIDES, (0.02, 0.02), 0.045, 0.16, gravity=0.2, inertia=0.7, top_offset=0.08),
        Layer(300, 9, SIDES, (0.02, 0.02), 0.03, 0.22, gravity=0.1, inertia=0.7, top_offset=0.12, lowest=0.6),
    ),
)  # fmt: skip

STYLES: Mapping[str, Style] = {"bob": BOB, "short": SHORT}
