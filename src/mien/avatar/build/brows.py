"""Eyebrows: strands laid on the skin, fixed to its triangles so that they follow every face unit."""

from __future__ import annotations

import numpy as np

from mien.avatar.build.draft import Cast, Draft
from mien.avatar.build.geometry import cast_back
from mien.avatar.build.human import Doubles
from mien.avatar.build.noise import value_noise
from mien.avatar.build.person import Strands
from mien.avatar.build.skin import Skin
from mien.avatar.build.strands import make_strands

POINTS = 4
# The brow's line: x from the eye's centre (dm), by position from the inner end (0) to the tail (1).
LINE = (0.0, 0.33, 0.66, 1.0)
LINE_X = (-0.185, -0.02, 0.135, 0.29)
HEIGHT_AT = (0.0, 0.2, 0.45, 0.68, 0.85, 1.0)  # where `Strands.brow_heights` are given
HALF_WIDTH = 0.0013
LIFT = (0.001, 0.006, 0.009, 0.006)  # of each point off the skin
STILL = 0.004  # dm: what moves no hair further moves none: a brow is still while a mouth speaks
FINE = 0.42  # share of the hairs that are fine, short and pale: they lie below the others
TUFT = 36.0  # degrees: how far neighbours lean together
GREY = np.array([0.30, 0.285, 0.27])


def make_brows(cast: Cast, skin: Skin, looks: Strands, below: tuple[float, float, float]) -> Draft:
    """Return both brows; `below`: the skin's albedo, which shows through fine hairs."""
    random = np.random.default_rng(17)
    eye_x = float(cast.eyes[0][0])
    sides = [_hairs(random, eye_x, looks) for _ in range(2)]
    flat = np.concatenate([path * [side, 1] for (path, _), side in zip(sides, (1, -1), strict=True)])
    strength = np.concatenate([strength for _, strength in sides])
    shape, normals, triangles, first = skin.welded()
    middle = shape[triangles].mean(axis=1)
    front = triangles[(middle[:, 2] > 0.3) & (np.abs(middle[:, 1] - 0.25) < 0.5)]
    corners, shares = cast_back(shape, front, flat.reshape(-1, 2))

    def gather(rows: Doubles) -> Doubles:
        return np.asarray((rows[corners] * shares[..., None]).sum(axis=1)).reshape(-1, POINTS, 3)

    facing = gather(normals)
    widths = random.uniform(0.55, 1.3, len(flat)) * (0.6 + 0.4 * strength) * HALF_WIDTH
    moves = {name: gather(delta[first]) for name, delta in skin.draft.morphs.items()}
    moves = {name: delta for name, delta in moves.items() if np.abs(delta).max() > STILL}
    centres = gather(shape) + facing * np.array(LIFT)[:, None]
    shape = widths[:, None] * [0.55, 1, 0.75, 0.12]
    return make_strands("brows", centres, facing, shape, moves, _colors(random, strength, looks, below))


def _colors(
    random: np.random.Generator, strength: Doubles, looks: Strands, below: tuple[float, float, float]
) -> Doubles:
    """Return each hair's colour (S, 3): no two alike, some grey, weak ones near the skin's."""
    base = np.array(looks.brow_color) * random.uniform(0.72, 1.4, (len(strength), 1))
    grey = (random.uniform(0, 1, len(strength)) < looks.brow_grey)[:, None]
    base = np.where(grey, GREY * random.uniform(0.7, 1.2, (len(strength), 1)), base)
    return np.asarray(base + (0.75 * np.array(below) - base) * 0.62 * (1 - 0.85 * strength[:, None]))


def _hairs(random: np.random.Generator, eye_x: float, looks: Strands) -> tuple[Doubles, Doubles]:
    """Return the hairs of the left brow (S, 4, 2) in x and y, and the strength of each in [0, 1].

    Hairs stand upright at the inner end; further out those of the upper edge fall and those of the lower edge
    rise until they meet, and they lie flat at the tail.
    """
    count, seed = looks.brow_count, random.uniform(0, 50)
    t = np.sort(random.uniform(0, 1, count) ** 0.92)[::-1]
    across = np.clip(random.normal(0, 0.52, count), -1.45, 1.45)
    fine = random.uniform(0, 1, count) < FINE
    strength = (
        np.where(fine, 0.25, 1.0) * (1 - 0.45 * np.abs(across) / 1.45) * np.interp(t, [0, 0.12], [0.55, 1])
    )
    middle = np.stack([eye_x + np.interp(t, LINE, LINE_X), np.interp(t, HEIGHT_AT, looks.brow_heights)], 1)
    half = looks.brow_thickness * np.interp(t, [0, 0.15, 0.5, 0.8, 1], [0.62, 0.95, 0.92, 0.6, 0.2])
    angle = np.interp(t, [0, 0.08, 0.25, 0.6, 1], [66, 48, 27, 4, -20]) + random.normal(0, 7, count)
    angle += TUFT * (value_noise(np.c_[t * 11, across, np.full(count, seed)]) - 0.5)
    angle -= across * np.interp(t, [0, 0.25, 1], [6, 27, 14])
    length = np.interp(t, [0, 0.15, 0.6, 1], [0.060, 0.086, 0.090, 0.07]) * random.uniform(0.5, 1.15, count)
    length *= np.where(fine, 0.62, 1.0)
    middle[:, 1] += across * half * 0.55
    bend = random.uniform(4, 17, count)[:, None]
    bends = np.radians(angle[:, None] - bend * np.arange(POINTS))
    steps = np.stack([np.cos(bends), np.sin(bends)], -1)
    path = np.cumsum(np.concatenate([-1.35 * steps[:, :1], steps[:, :-1]], 1), axis=1)
    return np.asarray(middle[:, None] + path * length[:, None, None] / 3), strength
