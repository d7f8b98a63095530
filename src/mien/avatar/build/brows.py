"""Eyebrows: strands laid on the skin, fixed to its triangles so that they follow every face unit."""

from __future__ import annotations

import numpy as np

from mien.avatar.build.draft import Cast, Draft
from mien.avatar.build.geometry import cast_back
from mien.avatar.build.human import Doubles
from mien.avatar.build.person import Strands
from mien.avatar.build.skin import Skin
from mien.avatar.build.strands import make_strands

POINTS = 4
# The brow's line: x from the eye's centre (dm), by position from the inner end (0) to the tail (1).
LINE = (0.0, 0.33, 0.66, 1.0)
LINE_X = (-0.185, -0.02, 0.135, 0.29)
HEIGHT_AT = (0.0, 0.2, 0.45, 0.68, 0.85, 1.0)  # where `Strands.brow_heights` are given
HALF_WIDTH = 0.0013
LIFT = (0.004, 0.010, 0.013, 0.010)  # of each point off the skin


def make_brows(cast: Cast, skin: Skin, looks: Strands) -> Draft:
    """Return both brows."""
    random = np.random.default_rng(17)
    eye_x = float(cast.eyes[0][0])
    flat = np.concatenate([_hairs(random, eye_x, looks) * [side, 1] for side in (1, -1)])
    shape, normals, triangles, first = skin.welded()
    middle = shape[triangles].mean(axis=1)
    front = triangles[(middle[:, 2] > 0.3) & (np.abs(middle[:, 1] - 0.25) < 0.5)]
    corners, shares = cast_back(shape, front, flat.reshape(-1, 2))

    def gather(rows: Doubles) -> Doubles:
        return np.asarray((rows[corners] * shares[..., None]).sum(axis=1)).reshape(-1, POINTS, 3)

    facing = gather(normals)
    widths = random.uniform(0.75, 1.15, len(flat))[:, None] * [0.6, 1, 0.8, 0.1] * HALF_WIDTH
    moves = {name: gather(delta[first]) for name, delta in skin.draft.morphs.items()}
    centres = gather(shape) + facing * np.array(LIFT)[:, None]
    return make_strands("brows", centres, facing, widths, moves, looks.brow_color)


def _hairs(random: np.random.Generator, eye_x: float, looks: Strands) -> Doubles:
    """Return the hairs of the left brow (S, 4, 2) in x and y: upright at the inner end, flat at the tail."""
    count = looks.brow_count
    t, across = random.uniform(0, 1, count) ** 0.95, random.triangular(-1.3, 0, 1.3, count)
    middle = np.stack([eye_x + np.interp(t, LINE, LINE_X), np.interp(t, HEIGHT_AT, looks.brow_heights)], 1)
    half = looks.brow_thickness * np.interp(t, [0, 0.15, 0.5, 0.8, 1], [0.62, 0.95, 0.92, 0.6, 0.2])
    angle = np.interp(t, [0, 0.08, 0.25, 0.6, 1], [52, 38, 24, 4, -20]) + random.normal(0, 6, count)
    angle -= across * np.interp(t, [0, 0.3, 1], [4, 16, 10])
    length = np.interp(t, [0, 0.15, 0.6, 1], [0.055, 0.085, 0.10, 0.07]) * random.uniform(0.6, 1.15, count)
    middle[:, 1] += across * half * 0.55
    bends = np.radians(angle[:, None] - 14.0 * np.arange(POINTS))
    steps = np.stack([np.cos(bends), np.sin(bends)], -1)
    path = np.cumsum(np.concatenate([-1.35 * steps[:, :1], steps[:, :-1]], 1), axis=1)
    return np.asarray(middle[:, None] + path * length[:, None, None] / 3)
