"""Beards as short strands fixed to the skin's triangles, so that they follow every face unit; and stubble."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mien.avatar.build.draft import Draft
from mien.avatar.build.geometry import Table, lookup, smoothstep, unit
from mien.avatar.build.human import Doubles, Human, Indices
from mien.avatar.build.masks import read_mask
from mien.avatar.build.noise import value_noise
from mien.avatar.build.person import Beard
from mien.avatar.build.skin import Skin
from mien.avatar.build.strands import make_strands
from mien.errors import InputError, nearest

POINTS = 3
LIFT = 0.004  # dm: of the roots off the skin
# How high hair grows above the mouth's middle, by the distance from the middle of the face.
CHEEK: Table = (
    (0.0, 0.22),
    (0.16, 0.25),
    (0.28, 0.18),
    (0.40, 0.08),
    (0.55, 0.20),
    (0.66, 0.52),
    (0.75, 0.85),
)
NECK = -0.64  # and how far below it, on the neck
EAR_Z = 0.16  # no hair behind this


@dataclass(frozen=True, slots=True)
class BeardStyle:
    """`count` strands of `length` and half `width` (dm), at most `across` from the middle of the face and
    `above` or below the mouth's middle; `lift` off the skin.
    """

    count: int
    length: float
    width: float
    lift: float
    across: float = 9.0
    above: float = -9.0


BEARDS: Mapping[str, BeardStyle | None] = {
    "none": None,
    "full": BeardStyle(2300, 0.115, 0.0046, 0.50),
    "goatee": BeardStyle(1200, 0.105, 0.0045, 0.46, across=0.30),
    "moustache": BeardStyle(560, 0.105, 0.0048, 0.35, across=0.34, above=0.02),
}


@dataclass(frozen=True, slots=True, eq=False)
class _Mouth:
    """The mouth's middle height, and the height of the upper lip's edge by distance from the middle."""

    y: float
    edge: Table


def stubble(human: Human, skin: Skin, style: str = "full") -> Doubles:
    """Return how densely a man's beard grows at each skin vertex (V,), 0 to 1: what a painter shades.

    `style`: where that beard grows alone; nowhere for "none".
    """
    kind, points = beard_style(style), skin.draft.positions
    lips = read_mask(human.mask("lips"), skin.mask_uvs)
    mouth = _mouth(points, lips)
    where = _within(points, mouth, kind) if kind else 0.0
    return np.asarray(_density(points, lips, mouth) * (1 - skin.in_mouth) * (1 - skin.ears) * where)


def beard_style(name: str) -> BeardStyle | None:
    """Return a style by name, None for "none"; raises `InputError` naming the nearest."""
    if name not in BEARDS:
        raise InputError(f"no beard {name!r}{nearest(name, BEARDS)}")
    return BEARDS[name]


def _within(points: Doubles, mouth: _Mouth, style: BeardStyle) -> Doubles:
    inside = smoothstep(style.across + 0.03, style.across - 0.03, np.abs(points[:, 0]))
    return np.asarray(inside * smoothstep(-0.03, 0.03, points[:, 1] - mouth.y - style.above))


def make_beard(human: Human, skin: Skin, looks: Beard) -> list[Draft]:
    """Return a beard as one draft, or none. Raises `InputError` when there is no such style."""
    style = beard_style(looks.style)
    if style is None:
        return []
    random = np.random.default_rng(23)
    mouth = _mouth(skin.draft.positions, read_mask(human.mask("lips"), skin.mask_uvs))
    corners, shares = _roots(skin, stubble(human, skin, looks.style), style, random)

    def gather(rows: Doubles) -> Doubles:
        return np.asarray((rows[corners] * shares[..., None]).sum(axis=1))

    root, normal = gather(skin.draft.positions), unit(gather(skin.draft.normals))
    paths = _paths(root, normal, mouth, style, looks.length, random)
    moves = {name: np.repeat(gather(delta)[:, None], POINTS, 1) for name, delta in skin.draft.morphs.items()}
    widths = style.width * random.uniform(0.7, 1.25, len(root))[:, None] * [0.85, 1.0, 0.15]
    shade = 0.75 + 0.5 * value_noise(root * 14) + random.uniform(-0.15, 0.15, len(root))
    facing = np.repeat(normal[:, None], POINTS, axis=1)
    return [make_strands("beard", paths, facing, widths, moves, shade[:, None] * np.array(looks.color))]


def _mouth(points: Doubles, lips: Doubles) -> _Mouth:
    """Find the mouth: `lips` (V,) is their mask at the skin's vertices."""
    red = points[(lips > 0.5) & (points[:, 2] > 0.5)]
    middle, across = float(red[:, 1].mean()), np.abs(red[:, 0])
    steps = np.linspace(0, float(across.max()), 9)
    tops = [
        float(red[(across >= low - 0.03) & (across <= low + 0.03), 1].max(initial=middle)) for low in steps
    ]
    return _Mouth(middle, list(zip(steps.tolist(), tops, strict=True)))


def _density(points: Doubles, lips: Doubles, mouth: _Mouth) -> Doubles:
    across, height = np.abs(points[:, 0]), points[:, 1] - mouth.y
    ragged = 0.05 * (value_noise(points * 9) - 0.5)
    grown = smoothstep(0.05, -0.05, height - lookup(across, CHEEK) + ragged)
    grown = grown * smoothstep(NECK - 0.12, NECK + 0.04, height + ragged)
    grown = grown * smoothstep(EAR_Z - 0.06, EAR_Z + 0.08, points[:, 2])
    bare = np.exp(-(((across - 0.17) / 0.05) ** 2) - ((height + 0.20) / 0.07) ** 2)  # beside the soul patch
    return np.asarray(grown * (1 - 0.7 * bare) * smoothstep(0.16, 0.04, lips))


def _roots(
    skin: Skin, density: Doubles, style: BeardStyle, random: np.random.Generator
) -> tuple[Indices, Doubles]:
    """Return triangles' corners (S, 3) and shares (S, 3) of evenly spread roots, fewer where it is thin."""
    faces = skin.draft.triangles
    corners = skin.draft.positions[faces]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    middle = corners.mean(axis=1)
    area = area * density[faces].min(axis=1)
    area *= 1 + 0.8 * (np.abs(middle[:, 0]) < 0.3)
    order = np.cumsum(area) / area.sum()
    chosen = np.searchsorted(order, (np.arange(style.count) + random.random(style.count)) / style.count)
    u = random.random((style.count, 2))
    u = np.where(u.sum(1, keepdims=True) > 1, 1 - u, u)
    return faces[chosen], np.c_[1 - u.sum(1), u]


def _paths(
    root: Doubles,
    normal: Doubles,
    mouth: _Mouth,
    style: BeardStyle,
    longer: float,
    random: np.random.Generator,
) -> Doubles:
    """Return the strands' centre lines (S, P, 3): down, the moustache to the sides and never over the lip."""
    side, above = np.sign(root[:, 0]), root[:, 1] > mouth.y
    lip = smoothstep(0.36, 0.26, np.abs(root[:, 0])) * above
    flow = np.stack([side * (0.12 + 0.9 * lip), -1 + 0.45 * lip, 0.10 * (1 - lip)], 1)
    flow = unit(flow + random.normal(0, 0.22, flow.shape))
    flow = unit(flow - normal * (flow * normal).sum(1, keepdims=True) + 0.9 * style.lift * normal)
    length = style.length * longer * random.uniform(0.55, 1.1, len(root))
    room = np.maximum(root[:, 1] - lookup(np.abs(root[:, 0]), mouth.edge) - 0.012, 0.012)
    fits = room / np.maximum(-flow[:, 1], 0.05)
    length = np.where(lip > 0, np.minimum(length, fits), length)
    t = np.linspace(0, 1, POINTS)[None, :, None]
    fall = np.array([0.0, -0.30, 0.0]) * t**2 * (1 - lip)[:, None, None]
    return np.asarray(
        root[:, None] + LIFT * normal[:, None] + length[:, None, None] * (t * flow[:, None] + fall)
    )
