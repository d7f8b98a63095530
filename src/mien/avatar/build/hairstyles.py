"""Hair styles as data: a hairline, how hair flows, and layers of ribbons. Lengths in dm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mien.avatar.build.geometry import Table

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of ribbons.

    `count` ribbons of `points` points, from evenly scattered roots or, with `parting`, from both sides of the
    parting; only roots between `lowest` and `highest`, and in the `band` above the hairline. `length` by the
    root's height, shorter by up to `spread` of it. `offset` from the skin and its random part, plus
    `top_offset` on top of the head. `width` (half), `lift` of the root off the skin, `gravity`, `inertia`,
    `curl` inwards at the ends; `wander` of each from its neighbours; `cling` to the
    head; `tuck`: by how much the ends lie flatter; `wave`: its half height and its length;
    `shade` times the colour.
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
    highest: float = 9.0
    band: tuple[float, float] = (-0.01, 9.0)
    parting: bool = False
    wander: float = 0.12
    cling: float = 0.0
    tuck: float = 0.0
    wave: tuple[float, float] = (0.0, 1.0)
    shade: float = 1.0


@dataclass(frozen=True, slots=True)
class Coils:
    """Tight curls on a body of hair: their `count`, `radius`, half `width`, and the body's `depth`."""

    count: int
    radius: float
    width: float
    depth: float


@dataclass(frozen=True, slots=True)
class Style:
    """`hairline`: (degrees from the front, height) pairs, `soft`: over what height it thins out, `cover`: how
    much of the scalp's colour the hair hides; `part_x` of the parting; `combed`: how hair leaves it (x
    sideways, y, z); `whorl`: instead, the point that hair grows away from; `gather`: the point that it is
    tied at, with a bun of the radius `bun`. `falls`: long hair, which falls below the eyes, hides the ears
    and keeps clear of the face; `cut`: the height at which it ends, at the head's axis, and its slope in z.
    """

    hairline: Table
    part_x: float = 0.0
    combed: Point = (1.0, 0.0, 0.0)
    falls: bool = False
    layers: tuple[Layer, ...] = ()
    cut: tuple[float, float] = (-9.0, 0.0)
    whorl: Point | None = None
    gather: Point | None = None
    bun: float = 0.0
    coils: Coils | None = None
    soft: float = 0.10
    cover: float = 1.0


def _fixed(length: float) -> Table:
    return ((-9.0, length), (9.0, length))


def _baby(count: int, length: float, *, lowest: float = -0.1) -> Layer:
    """Fine short hairs where the hairline thins out."""
    return Layer(
        count, 4, _fixed(length), (0.004, 0.006), 0.0042, 0.10, 0.5, gravity=0.1, lowest=lowest,
        band=(-0.035, 0.07), wander=0.4, shade=1.5,
    )  # fmt: skip


def _edge(
    count: int, points: int, length: Table, offset: float, curl: float, wave: tuple[float, float] = (0.0, 1.0)
) -> Layer:
    """Locks that start at the hairline itself and cover where the scalp fades into the forehead."""
    return Layer(
        count, points, length, (offset, 0.03), 0.030, 0.22, 0.2, lowest=0.1, band=(-0.02, 0.16), wander=0.22,
        curl=curl, wave=wave, shade=1.1,
    )  # fmt: skip


LADY = (
    (0, 0.72), (14, 0.74), (26, 0.72), (40, 0.61), (54, 0.40), (66, 0.16), (76, -0.10), (86, -0.18),
    (96, -0.10), (106, -0.36), (118, -0.62), (140, -0.80), (180, -0.95),
)  # fmt: skip
MAN = (
    (0, 0.70), (16, 0.73), (30, 0.70), (40, 0.60), (48, 0.44), (56, 0.30), (64, 0.12), (70, -0.10), (76,
        -0.28),
    (83, -0.30), (89, 0.0), (99, 0.04), (106, -0.22), (116, -0.48), (140, -0.74), (180, -0.88),
)  # fmt: skip
HIGH = (
    (0, 0.86), (12, 0.97), (26, 1.00), (38, 0.86), (46, 0.62), (54, 0.42), (62, 0.16), (70, -0.10), (76,
        -0.26),
    (83, -0.28), (89, 0.0), (99, 0.04), (106, -0.22), (116, -0.48), (140, -0.74), (180, -0.88),
)  # fmt: skip

FALLING: Table = ((-0.9, 1.2), (-0.3, 1.8), (0.4, 2.5), (1.2, 3.2))
FLOWING: Table = ((-0.9, 2.6), (-0.3, 3.2), (0.4, 4.0), (1.2, 4.8))
CROWN = (0.12, 1.05, -0.62)

BOB = Style(
    hairline=LADY,
    part_x=0.26,
    combed=(1.0, -0.06, -0.30),
    falls=True,
    cut=(-1.42, -0.10),
    layers=(
        Layer(240, 12, FALLING, (0.04, 0.05), 0.13, 0.05, curl=0.24, shade=0.72),
        Layer(170, 13, FALLING, (0.09, 0.04), 0.085, 0.12, 0.10, curl=0.26, shade=0.88, wander=0.16),
        Layer(150, 15, FALLING, (0.11, 0.03), 0.055, 0.30, 0.12, curl=0.28, parting=True, wander=0.2),
        Layer(110, 15, FALLING, (0.14, 0.04), 0.034, 0.42, 0.30, curl=0.30, parting=True, wander=0.2),
        Layer(60, 15, FALLING, (0.15, 0.06), 0.010, 0.40, 0.35, curl=0.22, parting=True, wander=0.28),
        _edge(150, 13, FALLING, 0.09, curl=0.28),
        _baby(90, 0.12, lowest=0.6),
    ),
)  # fmt: skip

LONG = Style(
    hairline=LADY,
    part_x=0.02,
    combed=(1.0, -0.14, -0.26),
    falls=True,
    cut=(-3.1, -0.05),
    layers=(
        Layer(360, 16, FLOWING, (0.03, 0.04), 0.10, 0.04, shade=0.70, curl=0.27),
        Layer(160, 17, FLOWING, (0.07, 0.03), 0.090, 0.08, 0.10, shade=0.86, wander=0.10, curl=0.27),
        Layer(150, 18, FLOWING, (0.08, 0.03), 0.055, 0.20, 0.12, parting=True, wander=0.12, curl=0.27),
        Layer(110, 18, FLOWING, (0.10, 0.03), 0.034, 0.26, 0.30, parting=True, wander=0.16, curl=0.27),
        Layer(60, 18, FLOWING, (0.11, 0.05), 0.009, 0.28, 0.30, parting=True, wander=0.22, curl=0.27),
        _edge(150, 16, FLOWING, 0.07, curl=0.27),
        _baby(90, 0.12, lowest=0.6),
    ),
)  # fmt: skip

WAVE, RIPPLE = (0.11, 1.35), (0.09, 1.1)
WAVY = Style(
    hairline=LADY,
    part_x=-0.24,
    combed=(1.0, 0.0, -0.26),
    falls=True,
    cut=(-2.4, -0.05),
    layers=(
        Layer(330, 16, FLOWING, (0.04, 0.05), 0.10, 0.06, shade=0.72, curl=0.24, lowest=-0.15),
        Layer(160, 20, FLOWING, (0.09, 0.04), 0.085, 0.14, 0.12, shade=0.88, wander=0.08, wave=WAVE,
            curl=0.24),
        Layer(150, 20, FLOWING, (0.11, 0.04), 0.060, 0.20, 0.16, parting=True, wander=0.14, wave=WAVE,
            curl=0.24),
        Layer(110, 20, FLOWING, (0.13, 0.05), 0.036, 0.22, 0.34, parting=True, wander=0.12, wave=WAVE,
            curl=0.24),
        Layer(60, 20, FLOWING, (0.14, 0.06), 0.008, 0.22, 0.34, parting=True, wander=0.16, wave=RIPPLE,
            curl=0.24),
        _edge(150, 18, FLOWING, 0.10, curl=0.24, wave=WAVE),
        _baby(90, 0.12, lowest=0.6),
    ),
)  # fmt: skip

SIDE: Table = ((-0.6, 0.07), (0.1, 0.10), (0.5, 0.20), (0.75, 0.34))
TOP: Table = ((0.3, 0.28), (0.6, 0.44), (0.9, 0.62), (1.2, 0.72))

SHORT = Style(
    hairline=MAN,
    part_x=0.34,
    combed=(0.62, 0.1, -0.78),
    layers=(
        Layer(1100, 3, SIDE, (0.006, 0.010), 0.016, 0.05, 0.3, gravity=0.4, highest=0.72, wander=0.22,
            shade=0.85, cling=6.0),
        Layer(400, 6, TOP, (0.014, 0.025), 0.032, 0.06, 0.2, 0.05, gravity=0.1, lowest=0.42, wander=0.24,
            cling=9.0, tuck=0.8, shade=0.8),
        Layer(400, 7, TOP, (0.022, 0.035), 0.018, 0.08, 0.3, 0.08, gravity=0.1, lowest=0.46, wander=0.3,
            cling=9.0, tuck=0.8),
        Layer(240, 7, TOP, (0.03, 0.04), 0.0075, 0.10, 0.3, 0.09, gravity=0.1, lowest=0.48, wander=0.4,
            cling=8.0, tuck=0.7),
        Layer(170, 7, TOP, (0.014, 0.03), 0.017, 0.05, 0.3, 0.05, gravity=0.1, lowest=0.42, wander=0.34,
            cling=9.0, tuck=0.8, shade=0.9, parting=True),
        _baby(260, 0.10, lowest=-0.4),
    ),
)  # fmt: skip

RECEDING = Style(
    hairline=HIGH,
    whorl=CROWN,
    soft=0.22,
    layers=(
        Layer(1100, 3, SIDE, (0.006, 0.010), 0.017, 0.14, 0.3, gravity=0.4, highest=0.72, wander=0.35,
            shade=0.85),
        Layer(700, 4, _fixed(0.26), (0.010, 0.016), 0.015, 0.16, 0.3, 0.02, gravity=0.1, lowest=0.5,
            wander=0.3),
        Layer(300, 4, _fixed(0.30), (0.016, 0.02), 0.007, 0.20, 0.3, 0.03, gravity=0.1, lowest=0.5,
            wander=0.5),
        _baby(280, 0.12, lowest=-0.4),
    ),
)  # fmt: skip

BUZZ = Style(
    hairline=MAN,
    whorl=CROWN,
    cover=0.96,
    layers=(Layer(2200, 2, _fixed(0.045), (0.004, 0.004), 0.006, 0.8, 0.4, wander=0.5, shade=0.8),),
)

BUN = Style(
    hairline=LADY,
    gather=(0.0, 0.86, -1.02),
    bun=0.40,
    soft=0.11,
    layers=(
        Layer(220, 10, _fixed(1.0), (0.012, 0.012), 0.080, 0.05, shade=0.80, cling=9.0, wander=0.05,
            band=(0.14, 9.0)),
        Layer(300, 10, _fixed(1.0), (0.022, 0.02), 0.032, 0.08, shade=0.95, cling=9.0, wander=0.07,
            band=(0.05, 9.0)),
        Layer(420, 7, _fixed(1.0), (0.012, 0.02), 0.016, 0.06, shade=0.92, cling=9.0, wander=0.10,
            band=(-0.04, 9.0)),
        Layer(110, 10, _fixed(1.0), (0.035, 0.03), 0.008, 0.10, cling=8.0, wander=0.10, shade=1.05),
        _baby(240, 0.20, lowest=-0.4),
    ),
)  # fmt: skip

AFRO = Style(
    hairline=LADY,
    whorl=CROWN,
    coils=Coils(2100, 0.058, 0.016, 0.52),
    layers=(_baby(160, 0.10),),
)

CURLS = Style(
    hairline=LADY,
    whorl=CROWN,
    coils=Coils(1800, 0.040, 0.012, 0.17),
    layers=(_baby(160, 0.08),),
)

BALD = Style(hairline=_fixed(9.0))

STYLES: Mapping[str, Style] = {
    "bald": BALD, "buzz": BUZZ, "short": SHORT, "receding": RECEDING, "afro": AFRO, "curls": CURLS,
    "bob": BOB, "long": LONG, "wavy": WAVY, "bun": BUN,
}  # fmt: skip
