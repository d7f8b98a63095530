"""Hair styles as data: a hairline, how hair flows, and layers of ribbons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mien.avatar.build.geometry import Table


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of ribbons; lengths in dm.

    `count` of them from evenly scattered roots above `lowest`, or from the parting when `parting`;
    `length` by the root's height; `spread` of lengths; `offset` from the skin and its random part;
    `width` (half) and its spread; `lift` of the root; `gravity`, `inertia`, `curl` (inwards at the ends).
    """

    count: int
    points: int
    length: Table
    spread: float
    offset: tuple[float, float]
    width: float
    width_spread: float
    lift: float
    gravity: float
    inertia: float
    curl: float = 0.0
    lowest: float = -9.0
    parting: bool = False
    top_offset: float = 0.0
    top_length: float = 0.0


@dataclass(frozen=True, slots=True)
class Style:
    """`hairline`: (degrees from the front, height) pairs; `part_x` of the parting; `combed`: how hair
    leaves it (x sideways, y, z); `falls`: long hair, which falls below the eyes and keeps clear of the face.
    """

    hairline: Table
    part_x: float
    combed: tuple[float, float, float]
    falls: bool
    layers: tuple[Layer, ...]


BOB_LENGTH = ((-0.9, 0.75), (-0.3, 1.35), (0.4, 2.1), (1.2, 2.75))

PART_LENGTH = ((0.0, 2.6), (1.0, 2.6))
TOP_LENGTH = ((0.3, 1.9), (1.2, 2.7))

BOB = Style(
    hairline=(
        (0, 0.665), (25, 0.665), (45, 0.59), (60, 0.42), (72, 0.15), (82, -0.12), (95, -0.28),
        (110, -0.42), (135, -0.75), (180, -0.95),
    ),
    part_x=0.20,
    combed=(1.0, -0.15, -0.28),
    falls=True,
    layers=(
        Layer(330, 13, BOB_LENGTH, 0.09, (0.075, 0.06), 0.115, 0.2, 0.12, 0.55, 0.62, 0.16),
        Layer(260, 13, BOB_LENGTH, 0.09, (0.045, 0.05), 0.120, 0.2, 0.05, 0.55, 0.60, 0.16),
        Layer(128, 13, PART_LENGTH, 0.05, (0.09, 0.05), 0.11, 0.05, 0.10, 0.55, 0.62, 0.16, parting=True),
        Layer(240, 13, TOP_LENGTH, 0.10, (0.135, 0.05), 0.05, 0.35, 0.16, 0.55, 0.64, 0.14, lowest=0.3),
    ),
)  # fmt: skip

SIDES = ((0.0, 0.2),)

SHORT = Style(
    hairline=(
        (0, 0.72), (20, 0.74), (38, 0.70), (52, 0.56), (66, 0.40), (78, 0.02), (92, -0.12), (104, -0.14),
        (118, -0.45), (140, -0.72), (180, -0.85),
    ),
    part_x=0.26,
    combed=(0.9, 0.0, -0.75),
    falls=False,
    layers=(
        Layer(420, 9, SIDES, 0.15, (0.03, 0.02), 0.075, 0.25, 0.25, 0.25, 0.7, top_offset=0.09, top_length=0.42),
        Layer(500, 8, SIDES, 0.2, (0.02, 0.0), 0.060, 0.25, 0.18, 0.25, 0.7, top_offset=0.05, top_length=0.35),
        Layer(260, 9, ((0, 0.5),), 0.2, (0.10, 0.05), 0.035, 0.3, 0.35, 0.10, 0.75, lowest=0.55),
    ),
)  # fmt: skip

STYLES: Mapping[str, Style] = {"bob": BOB, "short": SHORT}
