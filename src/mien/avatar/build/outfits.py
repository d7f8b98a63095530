"""Outfits as data: what is worn, how far it stands off the body, its neckline, and the strips along it.

Lengths in dm; heights above the neck's joint; widths of a neckline as shares of the neck's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mien.avatar.build.trims import Row

Tint = Literal["shirt", "jacket", "lapel"]  # the colour of `mien.avatar.build.person.Clothes`


@dataclass(frozen=True, slots=True)
class Strip:
    """A collar, lapel or band along a `part` of a neckline (0 in front, 1 behind); `ribs`: of knitting."""

    name: str
    tint: Tint
    rows: tuple[Row, ...]
    part: tuple[float, float] = (0.0, 1.0)
    ribs: float = 0.0


@dataclass(frozen=True, slots=True)
class Garment:
    """`offset` off the body, smoothed in `passes`; `tip`: (share of the neck's width, height) of a V, or None
    for a round neck; `front`, `side`,
        `back`: heights of the neckline; `wide`: of a V's upper end; `sunk`: how
    far below its neckline the cloth is cut, under the strips; `placket`: buttoned in front; `wool`: how
    uneven the colour.
    """

    name: str
    tint: Tint
    offset: float
    passes: int
    side: float
    back: float
    front: float = 0.0
    tip: tuple[float, float] | None = None
    wide: float = 0.8
    strips: tuple[Strip, ...] = ()
    sunk: float = 0.03
    placket: bool = False
    wool: float = 0.04


Along = float | tuple[tuple[float, float], ...]  # by the share of the way to the back


def _row(away: Along, height: Along, **more: tuple[tuple[float, float], ...]) -> Row:
    return Row(_table(away), _table(height), **more)


def _table(along: Along) -> tuple[tuple[float, float], ...]:
    return ((0.0, along), (1.0, along)) if isinstance(along, float | int) else along


def _under(front: float, back: float) -> Along:
    """Return the height of a leaf which a jacket's collar covers at the sides and behind."""
    return ((0.0, front), (0.22, front), (0.45, back), (1.0, back))


def _band(name: str, tint: Tint, up: float, down: float, thick: float, ribs: float = 0.0) -> Strip:
    """A flat or knitted band from `up` the neck to `down` on the cloth."""
    rows = (
        _row(-up + 0.02, -0.01),
        _row(-up, 0.4 * thick),
        _row(-0.6 * up, 0.9 * thick),
        _row(0.3 * down, thick),
        _row(0.8 * down, 0.85 * thick),
        _row(down, 0.5 * thick),
        _row(down, -0.01),
    )
    return Strip(name, tint, rows, ribs=ribs)


def _leaf(name: str, tint: Tint, point: float, spread: float) -> Strip:
    """A shirt's collar: a stand, folded over into a leaf with a `point` in front."""
    edge = ((0.0, point), (0.16, 0.55 * point), (0.36, 0.16), (1.0, 0.10))
    slide = ((0.0, spread), (0.20, 0.25 * spread), (0.4, 0.0))
    half = tuple((t, -0.10 + 0.5 * (w + 0.10)) for t, w in edge)
    rows = (
        _row(((0.0, 0.0), (1.0, -0.08)), 0.010),
        _row(((0.0, -0.10), (0.4, -0.20), (1.0, -0.27)), 0.020),
        _row(((0.0, -0.12), (0.4, -0.23), (1.0, -0.30)), 0.045),
        _row(((0.0, -0.10), (0.4, -0.20), (1.0, -0.27)), 0.075),
        _row(half, _under(0.085, 0.045), slide=((0.0, 0.5 * spread), (0.4, 0.0))),
        _row(edge, _under(0.065, 0.035), slide=slide),
        _row(edge, _under(0.020, 0.005), slide=slide),
    )
    return Strip(name, tint, rows)


def _open_leaf(name: str, tint: Tint) -> Strip:
    """The collar of a shirt whose upper buttons are open: its leaf starts on the slope of the V."""
    start = 0.30
    edge = ((start, 0.40), (0.40, 0.36), (0.52, 0.22), (0.66, 0.13), (1.0, 0.10))
    slide = ((start, -0.05), (0.42, -0.02), (0.5, 0.0))
    half = tuple((t, -0.10 + 0.5 * (w + 0.10)) for t, w in edge)
    rows = (
        _row(((start, -0.01), (0.5, -0.04), (1.0, -0.08)), 0.004),
        _row(((start, -0.02), (0.55, -0.20), (1.0, -0.27)), 0.020),
        _row(((start, -0.02), (0.55, -0.22), (1.0, -0.30)), 0.045),
        _row(((start, 0.03), (0.55, -0.17), (1.0, -0.27)), 0.070),
        _row(half, 0.080, slide=((start, -0.03), (0.5, 0.0))),
        _row(edge, 0.060, slide=slide),
        _row(edge, 0.010, slide=slide),
    )
    return Strip(name, tint, rows, (start, 1.0))


def _lapels(tint: Tint) -> tuple[Strip, Strip]:
    """A notched lapel, and the collar that meets it."""
    edge = ((0.0, 0.02), (0.42, 0.44), (0.50, 0.40))
    half = tuple((t, 0.5 * w) for t, w in edge)
    lapel = (
        _row(0.02, -0.04),
        _row(-0.02, 0.005),
        _row(0.02, 0.045),
        _row(half, 0.055),
        _row(edge, 0.050),
        _row(edge, 0.0),
    )
    leaf = ((0.44, 0.42), (0.50, 0.36), (0.62, 0.24), (1.0, 0.16))
    collar = (
        _row(((0.44, 0.02), (0.6, -0.02), (1.0, -0.06)), -0.03),
        _row(((0.44, -0.02), (0.6, -0.12), (1.0, -0.20)), 0.03),
        _row(((0.44, 0.02), (0.6, -0.08), (1.0, -0.15)), 0.065),
        _row(tuple((t, 0.5 * w) for t, w in leaf), 0.075),
        _row(leaf, 0.060),
        _row(leaf, 0.0),
    )
    return Strip("lapel", tint, lapel, (0.0, 0.49)), Strip("collar", tint, collar, (0.47, 1.0))


SHIRT = Garment(
    "shirt", "shirt", 0.022, 1, front=-0.14, side=0.14, back=0.26, sunk=-0.04,
    strips=(_leaf("shirt_collar", "shirt", 0.46, 0.24),),
)  # fmt: skip
TEE = Garment(
    "shirt", "shirt", 0.022, 1, front=-0.26, side=0.08, back=0.20,
    strips=(_band("neckband", "shirt", 0.0, 0.10, 0.025),),
)  # fmt: skip
BLAZER = Garment(
    "jacket", "jacket", 0.06, 4, tip=(0.06, -1.95), side=0.08, back=0.30, wide=0.86, sunk=0.08,
    strips=_lapels("lapel"),
)  # fmt: skip
SWEATER = Garment(
    "sweater", "jacket", 0.055, 2, front=-0.20, side=0.12, back=0.26, wool=0.12,
    strips=(_band("neckband", "lapel", 0.09, 0.09, 0.05, 0.14),),
)  # fmt: skip
TURTLENECK = Garment(
    "sweater", "jacket", 0.04, 2, front=-0.06, side=0.18, back=0.28, wool=0.08,
    strips=(_band("roll", "lapel", 0.24, 0.16, 0.075, 0.06),),
)  # fmt: skip
BLOUSE = Garment(
    "blouse", "jacket", 0.03, 2, tip=(0.02, -0.80), side=0.10, back=0.28, wide=0.84, placket=True,
    strips=(_band("facing", "lapel", 0.0, 0.07, 0.02), _open_leaf("shirt_collar", "lapel")),
)  # fmt: skip
SCRUBS = Garment(
    "scrubs", "jacket", 0.05, 3, tip=(0.0, -0.72), side=0.04, back=0.20, wide=0.95,
    strips=(_band("neckband", "lapel", 0.02, 0.14, 0.028),),
)  # fmt: skip

OUTFITS: Mapping[str, tuple[Garment, ...]] = {
    "blazer": (SHIRT, BLAZER),
    "jacket": (TEE, BLAZER),
    "sweater": (SWEATER,),
    "turtleneck": (TURTLENECK,),
    "blouse": (BLOUSE,),
    "scrubs": (SCRUBS,),
}
